"""Persona-bound agents with layered cognitive memory.

    async with Memory() as memory:
        await memory.add("My phone number is 555-0142.", user_id="Tom")
        found = await memory.search("How do I reach Tom?", user_id="Tom")

`open_app` opens the whole system: agents with personas, conversations, reflection, recall with all its options.

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentmem.domain.event import Person
    from agentmem.domain.memory import MemoryNode, MemoryType, Modality
    from agentmem.domain.persona import Persona
    from agentmem.domain.scope import Scope
    from agentmem.errors import AgentMemError
    from agentmem.interfaces.python.memory import Memory
    from agentmem.retrieval.query import Recalled, RecallQuery
    from agentmem.runtime.app import App, open_app
    from agentmem.runtime.settings import Settings, load_settings

__all__ = [
    "AgentMemError",
    "App",
    "Memory",
    "MemoryNode",
    "MemoryType",
    "Modality",
    "Person",
    "Persona",
    "RecallQuery",
    "Recalled",
    "Scope",
    "Settings",
    "load_settings",
    "open_app",
]

_HOMES = {
    "AgentMemError": "agentmem.errors",
    "App": "agentmem.runtime.app",
    "Memory": "agentmem.interfaces.python.memory",
    "MemoryNode": "agentmem.domain.memory",
    "MemoryType": "agentmem.domain.memory",
    "Modality": "agentmem.domain.memory",
    "Person": "agentmem.domain.event",
    "Persona": "agentmem.domain.persona",
    "RecallQuery": "agentmem.retrieval.query",
    "Recalled": "agentmem.retrieval.query",
    "Scope": "agentmem.domain.scope",
    "Settings": "agentmem.runtime.settings",
    "load_settings": "agentmem.runtime.settings",
    "open_app": "agentmem.runtime.app",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'agentmem' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
