"""Rerankers that need a model."""
