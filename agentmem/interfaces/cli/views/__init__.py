"""What answers look like on a terminal."""
