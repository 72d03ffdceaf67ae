"""A second look at the best that was found: the rerankers that need no model, and the service that runs any of them."""
