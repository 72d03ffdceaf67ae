"""Changes and what follows from them: projection into the index, rebuild, undo."""
