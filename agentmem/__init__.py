"""Persona-bound agents with layered cognitive memory.

    memory = Memory()
    memory.add("My phone number is 555-0142.", user_id="Tom")
    memory.search("How do I reach Tom?", user_id="Tom")

`AsyncMemory` is the same for asynchronous code. `open_app` opens the whole system: agents with personas, conversations,
reflection, recall with all its options. Every type they take or give is a name here.

Names are loaded when one is first used, so that importing the package costs nothing.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentmem.exports import *  # noqa: F403 - the list stands there


def __getattr__(name: str) -> object:
    if name == "__all__":
        return __dir__()
    if name.startswith("_") or find_spec(f"agentmem.{name}") is not None:  # a module, which loads itself
        raise AttributeError(f"module 'agentmem' has no attribute {name!r}")
    try:
        return getattr(import_module("agentmem.exports"), name)
    except AttributeError as error:
        raise AttributeError(f"module 'agentmem' has no attribute {name!r}") from error


def __dir__() -> list[str]:
    return sorted(name for name in vars(import_module("agentmem.exports")) if not name.startswith("_"))
