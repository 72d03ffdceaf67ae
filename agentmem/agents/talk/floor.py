"""Who has the floor: in one process the turns of a talk between an agent and a person come one after another.

Otherwise two callers would number their turns alike, and neither reply would know what the other one was told. Between
processes the order of the journal decides, as for everything.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from agentmem.domain.scope import Lane
from agentmem.errors import Busy, InvalidInput


@dataclass(eq=False)
class _Floor:
    """One talk's: taken by one task at a time."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    holder: asyncio.Task[object] | None = None


class Floors:
    """The floor of each talk that somebody is in, or waits for."""

    def __init__(self) -> None:
        self._floors: WeakValueDictionary[Lane, _Floor] = WeakValueDictionary()

    @asynccontextmanager
    async def taken(self, lane: Lane, *, seconds: float) -> AsyncGenerator[None]:
        """Inside, no other turn of this talk begins; those who wait come in the order they asked. Raises `Busy` after
        so many seconds, and `InvalidInput` where the same task has the floor already and would wait for itself."""
        floor = self._floors.setdefault(lane, _Floor())
        me = asyncio.current_task()
        if me is not None and floor.holder is me:
            raise InvalidInput("a reply of this talk is still open here: leave it before the next turn")
        try:
            async with asyncio.timeout(seconds):
                await floor.lock.acquire()
        except TimeoutError as error:
            raise Busy(f"another turn of this talk has taken longer than {seconds:g} s", retry_after=1.0) from error
        floor.holder = me
        try:
            yield
        finally:
            floor.holder = None
            floor.lock.release()
