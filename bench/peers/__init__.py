"""The same turns and questions given to agentmem and to its peers: `make bench-peers`."""
