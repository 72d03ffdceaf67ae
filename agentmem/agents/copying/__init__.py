"""Agents made from others: cloned, hired, released."""
