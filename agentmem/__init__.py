"""Persona-bound agents with layered cognitive memory."""
