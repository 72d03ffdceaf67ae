"""What there is: memories, events, people, scopes and statements, as frozen values. Imports nothing but errors."""
