"""The write path: turns become episodes, windows become statements, statements become memories."""
