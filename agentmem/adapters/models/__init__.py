"""The models behind the ports of `ports.models`: what speaks, narrates, reranks, and how long a text is for them."""
