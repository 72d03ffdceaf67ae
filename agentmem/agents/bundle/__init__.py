"""An agent in a file: its own format, written and read, and the files of other systems."""
