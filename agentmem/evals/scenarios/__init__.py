"""Scenarios: conversations that are played, and what must be known afterwards."""
