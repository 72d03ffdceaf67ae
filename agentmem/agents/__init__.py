"""What an agent is beyond its memories: how it talks, and how it is copied, hired out and given back."""
