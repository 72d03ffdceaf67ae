"""What the core asks of the outside world, one protocol per file; the docstrings are the contract."""
