"""Readers of documents, one format each: a function `read(raw, name)`."""
