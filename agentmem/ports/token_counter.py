"""How long a text is for the model that will read it, as a port."""

from collections.abc import Callable

TokenCounter = Callable[[str], int]
"""Tokens of one text: 0 for an empty one, the same number for the same text, and at once, without any wait outside."""
