"""How people and programs reach agentmem."""
