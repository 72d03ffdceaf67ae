"""The files of other systems: read as data, nothing in them is run, fetched or obeyed."""
