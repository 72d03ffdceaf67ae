"""The one place where the command line loads what is heavy, and only when it is asked for."""

from importlib import import_module
from typing import Any

ROOT = "agentmem.interfaces.cli"


def deferred(name: str) -> Any:
    """What `name`, MODULE.ATTRIBUTE below this package, stands for."""
    module, _, attribute = f"{ROOT}.{name}".rpartition(".")
    return getattr(import_module(module), attribute)
