"""`App` and its parts: every operation that an interface may ask for, behind one check of access."""
