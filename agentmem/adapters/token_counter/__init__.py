"""Counting tokens as a model would."""
