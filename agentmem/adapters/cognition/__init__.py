"""Adapters of the cognition port: `rules` thinks without a model, `llm` with one."""
