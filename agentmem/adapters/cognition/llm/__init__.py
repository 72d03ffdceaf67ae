"""Thinking with a model: any that pydantic-ai can reach by name."""
