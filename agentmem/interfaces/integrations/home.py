"""A memory of any kind, for frameworks that call from loops and threads of their own: it answers where it lives."""

import asyncio
from typing import Any

from agentmem.domain.bounds import check_argument
from agentmem.errors import InvalidInput
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.blocking import Memory, waited
from agentmem.interfaces.python.client import KEPT, AsyncClient, Client
from agentmem.interfaces.python.shared import BLOCKING_LOOP

AnyMemory = Memory | AsyncMemory | Client | AsyncClient
"""A memory of this process, or of a server."""


async def asked(memory: AnyMemory, operation: str, *args: object, **given: object) -> Any:
    """What an operation gives."""
    match memory:
        case AsyncClient():
            return await getattr(memory, operation)(*args, **given)
        case Client():
            return await asyncio.to_thread(getattr(memory, operation), *args, **given)
        case _:
            return await _own(memory).run(lambda inner: getattr(inner, operation)(*args, **given))


async def kept(memory: AnyMemory, operation: str, **given: object) -> Any:
    """What one of `KEPT` gives."""
    match memory:
        case AsyncClient():
            return await memory.kept(operation, given)
        case Client():
            return await asyncio.to_thread(kept_at_once, memory, operation, **given)
        case _:
            return await _own(memory).run(lambda inner: KEPT[operation](inner, **given))


def kept_at_once(memory: AnyMemory, operation: str, **given: object) -> Any:
    """The same for code that is not asynchronous. Raises `InvalidInput` for an `AsyncClient`, and on the thread of a
    memory's own loop."""
    match memory:
        case AsyncClient():
            raise InvalidInput("an AsyncClient is awaited: use the methods that are, or give a Client")
        case Client():
            return BLOCKING_LOOP.run(lambda: memory.inner.kept(operation, given))
        case _:
            return waited(_own(memory), lambda inner: KEPT[operation](inner, **given))


def checked(memory: AnyMemory) -> AnyMemory:
    """The memory. Raises `InvalidInput` for what is none."""
    check_argument("memory", memory, AnyMemory)
    return memory


def _own(memory: Memory | AsyncMemory) -> AsyncMemory:
    """The asynchronous side of a memory of this process."""
    return memory.inner if isinstance(memory, Memory) else memory
