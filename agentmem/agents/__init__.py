"""Agents as such: how they talk, and how others are made of them."""
