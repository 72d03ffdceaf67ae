"""The tools over standard input and output, for a program that starts this one, or what stands for them."""

from asyncio import StreamReader
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from mcp.server.stdio import stdio_server

from agentmem.interfaces.mcp.tools import memory_server
from agentmem.runtime.facade.app import App


class Lines(Protocol):
    """What comes in by line, and what sends words out."""

    @property
    def lines(self) -> StreamReader:
        """Ends when the other side closes."""
        ...

    @property
    def say(self) -> Callable[[str], Awaitable[None]]:
        """Sends."""
        ...


@dataclass(frozen=True, slots=True)
class _Out:
    """As much of a text file as the protocol writes to."""

    say: Callable[[str], Awaitable[None]]

    async def write(self, text: str) -> None:
        await self.say(text)

    async def flush(self) -> None:
        """It is sent as it is written."""


async def speak(app: App, wire: Lines | None = None) -> None:
    """Answer until the other side closes; over `wire` in the place of this process's own input and output."""
    server = memory_server(lambda _: app)
    if wire is None:
        await server.run_stdio_async()
        return
    # the SDK asks for files and reads them by line; the server below its own `run` takes any streams
    files = cast("tuple[Any, Any]", (wire.lines, _Out(wire.say)))
    inner = server._lowlevel_server  # pyright: ignore[reportPrivateUsage] - the SDK runs over given streams nowhere else
    async with stdio_server(*files) as (reading, writing):
        await inner.run(reading, writing, inner.create_initialization_options())
