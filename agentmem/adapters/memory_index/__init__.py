"""Finding memories with Qdrant: in process (Edge) or through a server, from one mapping; and in memory, for tests."""
