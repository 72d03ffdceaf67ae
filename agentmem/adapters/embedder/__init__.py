"""Text to vectors: hashed n-grams offline, any embedding model by name, and a cache around either."""
