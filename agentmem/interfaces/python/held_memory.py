"""`AsyncMemory` on an app that somebody else holds open, on behalf of whoever that app is for."""

from collections.abc import Callable, Coroutine
from typing import Any, Self, TypeVar

from agentmem.domain.scope import Lane
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.entrance import entrance

R = TypeVar("R")


class HeldMemory(AsyncMemory):
    """Used on the loop of the app. It opens and closes nothing, and what it takes in without waiting is read by the
    workers that serve the app."""

    def __init__(self, app: App) -> None:
        super().__init__(app.settings)
        self._held = app

    @property
    def app(self) -> App:
        """The app."""
        return self._held

    @entrance
    async def open(self) -> Self:
        """It is open."""
        return self

    async def run(self, call: Callable[[Self], Coroutine[Any, Any, R]]) -> R:
        """What a coroutine of this memory gives."""
        return await call(self)

    def _read_later(self, lane: Lane) -> None:
        """The workers do."""
