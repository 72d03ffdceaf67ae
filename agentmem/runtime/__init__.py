"""The running system: its configuration, its facade, the worker host, and how they are put together."""
