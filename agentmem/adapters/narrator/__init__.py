"""Narrators: what tells an answer in words of its own."""
