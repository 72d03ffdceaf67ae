"""What lies between memories: entities, and what leads from one to the next."""
