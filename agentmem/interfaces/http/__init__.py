"""The memory over HTTP: `api` builds the program, `guard` stands before it, `serving` runs it."""
