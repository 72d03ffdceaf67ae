"""Communities: who and what belong together in the graph of an agent's memories, each with a summary."""
