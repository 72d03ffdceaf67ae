"""What a command works with: settings, terminal, on whose behalf it acts, and the store it opens."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentmem.errors import BackendUnavailable, HeldElsewhere, NeedsRepair, NotFound
from agentmem.interfaces.cli.output import Answer, Terminal

if TYPE_CHECKING:
    import asyncio
    from pathlib import Path

    from agentmem.domain.scope import Principal
    from agentmem.interfaces.cli.interruption import Signals
    from agentmem.runtime.configuration.settings import Settings
    from agentmem.runtime.facade.app import App

Action = Callable[..., Awaitable[Answer]]
"""What a command does: takes a `CommandSession` and the command's own arguments."""


def stops_itself(action: Action) -> Action:
    """Mark an action that ends well when `CommandSession.stop` is set; a second signal cancels it."""
    vars(action)["stops_itself"] = True
    return action


def runs_on(loop: Callable[[], asyncio.AbstractEventLoop]) -> Callable[[Action], Action]:
    """Mark an action that is done on an event loop made by this."""

    def mark(action: Action) -> Action:
        vars(action)["loop"] = loop
        return action

    return mark


def handed_over(action: Action) -> Action:
    """Mark an action that is done by the process that holds the index, where there is one."""
    vars(action)["handed_over"] = True
    return action


def reads_input(action: Action) -> Action:
    """Mark an action that is handed over together with what comes in by standard input meanwhile."""
    vars(action)["reads_input"] = True
    return handed_over(action)


def asks_for_lines(action: Action) -> Action:
    """Mark an action that is handed over and asks, while it is done, for one line of input after the other."""
    vars(action)["asks_for_lines"] = True
    return handed_over(action)


def is_asking_for_lines(action: object) -> bool:
    """Whether it is marked so."""
    return bool(getattr(action, "asks_for_lines", False))


def is_reading_input(action: object) -> bool:
    """Whether it is marked so."""
    return bool(getattr(action, "reads_input", False))


def handed_over_where(needed: Callable[[Mapping[str, object]], bool]) -> Callable[[Action], Action]:
    """Mark an action that is done there where what it was given says that it needs the index."""

    def mark(action: Action) -> Action:
        vars(action)["handed_over"] = needed
        return action

    return mark


def is_handed_over(action: object, given: Mapping[str, object] | None = None) -> bool:
    """Whether it is marked so, and needs it for what it was given."""
    mark: object = getattr(action, "handed_over", False)
    return bool(mark(given)) if callable(mark) and given is not None else bool(mark)


@dataclass(frozen=True, slots=True)
class Invocation:
    """What the common options said. Of two the one further right counts; `--set` adds up."""

    config: Path | None = None
    data: Path | None = None
    tenant: str | None = None
    principal: str | None = None
    overrides: tuple[str, ...] = ()
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class Wire:
    """What stands for standard input and output of a command that another process does: what comes in, by line, and
    what sends words out."""

    lines: asyncio.StreamReader
    say: Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class LineWire(Wire):
    """The same where each line is asked for, with a prompt; it ends when nobody is there to be asked any more."""

    ask: Callable[[str], Awaitable[None]]
    is_terminal: bool

    async def line(self, prompt: str) -> str | None:
        """The next line; None at the end."""
        await self.ask(prompt)
        return (await self.lines.readline()).decode(errors="replace") or None

    async def over(self) -> None:
        """Return at the end. Nothing may be asked for meanwhile."""
        while await self.lines.read(1):
            pass


@dataclass(frozen=True, slots=True)
class CommandSession:
    """One run of a command. `principal` is None where the owner asks. `stop` is set by Ctrl-C or SIGTERM where the
    action `stops_itself`."""

    settings: Settings
    terminal: Terminal
    principal: Principal | None
    stop: asyncio.Event
    signals: Signals

    @asynccontextmanager
    async def opened(self, *, index: bool = True) -> AsyncGenerator[App]:
        """The app on behalf of the principal; see `open_app`."""
        from agentmem.runtime.composition.opening import open_app

        async with AsyncExitStack() as stack:
            # What is loaded may hold the interpreter, in which no signal would be heard; a store may be killed at any
            # time.
            self.signals.leave_to_the_system()
            stack.callback(self.signals.hear)
            app = await stack.enter_async_context(open_app(self.settings, index=index, on_outage=self.terminal.note))
            self.signals.hear()
            stack.callback(self.signals.leave_to_the_system)
            yield app if self.principal is None else app.for_principal(self.principal)

    @asynccontextmanager
    async def opened_for_writing(self) -> AsyncGenerator[App]:
        """The app, without the index where that cannot be opened."""
        async with AsyncExitStack() as stack:
            try:
                app = await stack.enter_async_context(self.opened())
            except (BackendUnavailable, NeedsRepair) as error:
                app = await stack.enter_async_context(self.opened(index=False))
                if not isinstance(error, HeldElsewhere):
                    self.terminal.note(str(error))
            yield app

    @property
    def wire(self) -> Wire | None:
        """What the command reads and writes in the place of its own standard input and output, if anything."""
        return None

    async def until_stopped(self, work: Coroutine[object, object, None]) -> bool:
        """Wait for the work, or cancel it once `stop` is set; whether it was done to its end. Raises what it raises."""
        import asyncio

        working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(self.stop.wait())
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if working.done():
            working.result()
            return True
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        return False

    def owner_only(self) -> None:
        """Raise `NotFound` where the command is called on behalf of somebody else, who has nothing to do with it."""
        if self.principal is not None:
            raise NotFound(f"nothing of the whole store is there for {self.principal.name!r}")


async def drain_if_indexed(app: App) -> None:
    """Let the workers do what is due, so that it is done when the command is; where another process holds the index,
    that one does."""
    if app.opened is not None:
        await app.drain()
