"""Memory for those who already have an agent: one module per framework, each with its extra."""
