"""The memory as tools of the Model Context Protocol: `tools` says which, `transports` how they are reached."""
