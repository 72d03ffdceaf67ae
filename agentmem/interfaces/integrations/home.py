"""A memory of either kind, for frameworks that call from loops and threads of their own: it answers where it lives."""

from agentmem.domain.bounds import check_argument
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.blocking import Memory

AnyMemory = Memory | AsyncMemory


def asynchronous(memory: AnyMemory) -> AsyncMemory:
    """The asynchronous side of a memory. Raises `InvalidInput` for what is none."""
    check_argument("memory", memory, AnyMemory)
    return memory.inner if isinstance(memory, Memory) else memory
