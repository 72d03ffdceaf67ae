"""Where a memory lives: frameworks call from loops and threads of their own, a memory answers on its loop alone."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from agentmem.domain.bounds import check_argument
from agentmem.errors import InvalidInput
from agentmem.interfaces.python.memory import BlockingMemory, Memory

R = TypeVar("R")

AnyMemory = Memory | BlockingMemory
Call = Callable[[Memory], Coroutine[Any, Any, R]]


class Home:
    """A memory, open, of either kind."""

    def __init__(self, memory: AnyMemory) -> None:
        check_argument("memory", memory, AnyMemory)
        self._memory = memory.memory if isinstance(memory, BlockingMemory) else memory
        self._loop = self._memory.loop

    async def on(self, call: Call[R]) -> R:
        """What the call gives, from whatever loop it is awaited on."""
        if asyncio.get_running_loop() is self._loop:
            return await call(self._memory)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call(self._memory), self._loop))

    def wait(self, call: Call[R]) -> R:
        """What the call gives, for code that is not asynchronous. Raises `InvalidInput` on the memory's own loop, which
        could not answer."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        if here is self._loop:
            raise InvalidInput("this loop would have to answer: await the asynchronous form of the call here")
        waiting = asyncio.run_coroutine_threadsafe(call(self._memory), self._loop)
        try:
            return waiting.result()
        except BaseException:
            waiting.cancel()
            raise
