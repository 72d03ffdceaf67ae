"""agentmem for Python programs: `Memory`, in the words that Mem0's users know."""
