"""The page to look into memory: rendered here, with small scripts of its own and nothing from elsewhere."""
