"""How well answers are found that must be put together out of several memories."""
