"""Agents made of other agents."""
