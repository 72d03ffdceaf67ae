"""Cognition by rules: no model, no key, no network."""

from agentmem.adapters.cognition.rules.engine import RulesCognition

__all__ = ["RulesCognition"]
