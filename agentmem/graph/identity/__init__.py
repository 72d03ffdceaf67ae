"""Who is who: entities out of the names in memories, and when two names mean one."""
