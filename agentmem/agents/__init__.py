"""Agents as wholes: talked with, copied, taken along."""
