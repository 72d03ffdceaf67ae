"""A memory of either kind, for frameworks that call from loops and threads of their own: it answers where it lives."""

import asyncio
from typing import Any

from agentmem.domain.bounds import check_argument
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.blocking import Memory
from agentmem.interfaces.python.client import AsyncClient, Client

AnyMemory = Memory | AsyncMemory


async def asked(memory: AnyMemory | Client | AsyncClient, operation: str, *args: object, **given: object) -> Any:
    """What an operation gives, of a memory of this process or of a server."""
    match memory:
        case AsyncClient():
            return await getattr(memory, operation)(*args, **given)
        case Client():
            return await asyncio.to_thread(getattr(memory, operation), *args, **given)
        case _:
            return await asynchronous(memory).run(lambda inner: getattr(inner, operation)(*args, **given))


def asynchronous(memory: AnyMemory) -> AsyncMemory:
    """The asynchronous side of a memory. Raises `InvalidInput` for what is none."""
    check_argument("memory", memory, AnyMemory)
    return memory.inner if isinstance(memory, Memory) else memory
