"""What shows how well an agent remembers: scenarios that are played, and what must be known afterwards."""
