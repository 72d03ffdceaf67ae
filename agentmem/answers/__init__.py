"""Questions answered from memory, with the sources of every sentence."""
