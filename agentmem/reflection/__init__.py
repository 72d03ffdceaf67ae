"""Looking at what is known: duplicates, contradictions, deeper insight."""
