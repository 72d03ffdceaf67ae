"""Finding the right memories and explaining why."""
