"""Models that speak for agents."""
