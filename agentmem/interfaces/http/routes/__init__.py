"""What can be asked for over HTTP, one room a file."""
