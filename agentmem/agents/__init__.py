"""Agents as somebody: talked with, copied, carried elsewhere."""
