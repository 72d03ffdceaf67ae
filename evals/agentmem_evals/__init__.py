"""Measurements of agentmem itself: retrieval, questions over several memories, and expressions of time."""
