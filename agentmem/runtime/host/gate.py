"""How the lanes of one process keep out of each other's way: who looks for work, and who may work alone."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class ClaimQueue:
    """Lanes that look for work, one after the other: where one found nothing it waits up to `patience` seconds for all,
    and what it did not find the others need not look for. It is `over` where idle lanes need not wait."""

    over: Callable[[], bool] = lambda: True
    patience: float = 0.0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    idle: bool = False


class Gate:
    """Whoever is inside may ask to be alone: then nobody enters until he is done, and he begins when the others have
    left."""

    def __init__(self) -> None:
        self._inside = 0
        self._one_alone = False
        self._changed = asyncio.Event()

    @asynccontextmanager
    async def among_others(self) -> AsyncGenerator[None]:
        """Be inside while the body runs."""
        await self._until(lambda: not self._one_alone)
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            self._tell()

    @asynccontextmanager
    async def alone(self) -> AsyncGenerator[bool]:
        """Be the only one inside while the body runs; False, at once, where somebody else is or waits to be."""
        if self._one_alone:
            yield False
            return
        self._one_alone = True
        try:
            await self._until(lambda: self._inside == 1)
            yield True
        finally:
            self._one_alone = False
            self._tell()

    async def _until(self, true: Callable[[], bool]) -> None:
        while not true():
            await self._changed.wait()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
