"""How well the right memories are found: data sets, the run over them, the figures."""
