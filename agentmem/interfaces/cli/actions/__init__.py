"""What each command does: settings in, an answer out."""
