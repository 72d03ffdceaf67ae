"""How the lanes of one process keep out of each other's way: who looks for work, and who may work alone."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

ALONE_SECONDS: Final = 5.0
"""For whoever is to be alone: what ends a process does so soon, as a rule, and what waits for a model or an index may
take as long as these."""


@dataclass(slots=True)
class ClaimQueue:
    """Lanes that look for work, one after the other: where one found nothing more, the next look waits up to `patience`
    seconds, or until something is queued, which `bells` were counted for; what one did not find the others need not
    look for. It is `over` where idle lanes need not wait."""

    over: Callable[[], bool] = lambda: True
    patience: float = 0.0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    idle: bool = False
    bells: int = 0


class Gate:
    """Whoever is inside may ask to be alone: then nobody enters until he is done, and he begins when the others have
    left. That lasts `patience` seconds at most: something slow, be it inside or alone, keeps nobody out."""

    def __init__(self, *, patience: float = ALONE_SECONDS) -> None:
        self._patience = patience
        self._inside = 0
        self._one_alone: object | None = None
        self._changed = asyncio.Event()

    @asynccontextmanager
    async def among_others(self) -> AsyncGenerator[None]:
        """Be inside while the body runs."""
        await self._until(lambda: self._one_alone is None)
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            self._tell()

    @asynccontextmanager
    async def alone(self) -> AsyncGenerator[bool]:
        """Be the only one inside while the body runs, as far as patience goes; False, at once, where somebody else is
        or waits to be."""
        if self._one_alone is not None:
            yield False
            return
        mine = self._one_alone = object()

        def end() -> None:
            if self._one_alone is mine:
                self._one_alone = None
                self._tell()

        limit = asyncio.get_running_loop().call_later(self._patience, end)
        try:
            await self._until(lambda: self._inside == 1 or self._one_alone is not mine)
            yield True
        finally:
            limit.cancel()
            end()

    async def _until(self, true: Callable[[], bool]) -> None:
        while not true():
            await self._changed.wait()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
