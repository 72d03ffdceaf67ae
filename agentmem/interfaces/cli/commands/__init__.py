"""What each command is called and takes. Nothing heavy is imported here, so help comes at once."""
