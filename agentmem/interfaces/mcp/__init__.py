"""The memory as tools of the Model Context Protocol: `tools` says which, the others how they are reached."""
