"""Runs the action of a command here, and what Ctrl-C and SIGTERM do meanwhile."""

import asyncio
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import FrameType

from agentmem.domain.scope import Principal
from agentmem.interfaces.cli.command_context import Action, CommandSession
from agentmem.interfaces.cli.exits import Terminated
from agentmem.interfaces.cli.memory_view import tell_times_in
from agentmem.interfaces.cli.output import Answer, Terminal
from agentmem.runtime.configuration.settings import Settings


class Signals:
    """Ctrl-C and SIGTERM while an action runs: the first asks it to stop if it can, else it is cancelled.

    They are taken by Python itself: an event loop loses one that came before its handler was removed and that it
    has not looked at yet.
    """

    def __init__(self) -> None:
        self.received: list[signal.Signals] = []
        self._before: dict[signal.Signals, object] = {}

    def tell(self, stop: asyncio.Event, task: asyncio.Future[Answer], *, gently: bool) -> None:
        """From now on, tell these of what is received."""
        loop = asyncio.get_running_loop()

        def act() -> None:
            if gently and not stop.is_set():
                stop.set()
            else:
                task.cancel()

        def take(number: int, _: FrameType | None) -> None:
            self.received.append(signal.Signals(number))
            loop.call_soon_threadsafe(act)

        self._take: Callable[[int, FrameType | None], None] = take
        self._set(signal.SIGINT, take)
        self.hear()

    def hear(self) -> None:
        """Take SIGTERM here."""
        self._set(signal.SIGTERM, self._take)

    def leave_to_the_system(self) -> None:
        """Let SIGTERM end the process at once, also while native code holds the interpreter."""
        self._set(signal.SIGTERM, signal.SIG_DFL)

    def restore(self) -> None:
        """Do with signals what was done before."""
        for number, before in self._before.items():
            signal.signal(number, before)  # type: ignore[arg-type]
        self._before.clear()

    def _set(self, number: signal.Signals, action: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
        with suppress(ValueError):  # only the main thread may say what becomes of signals
            self._before.setdefault(number, signal.signal(number, action))


def run(
    action: Action, settings: Settings, terminal: Terminal, principal: Principal | None, given: Mapping[str, object]
) -> Answer:
    """The answer of the action. Raises what it raises, `Terminated`, and `KeyboardInterrupt`."""
    with asyncio.Runner(loop_factory=getattr(action, "loop", None)) as runner:
        session = CommandSession(settings, terminal, principal, asyncio.Event(), Signals())
        return runner.run(_run(action, session, given))


async def _run(action: Action, session: CommandSession, given: Mapping[str, object]) -> Answer:
    tell_times_in(session.settings.zone)
    task = asyncio.ensure_future(action(session, **given))
    session.signals.tell(session.stop, task, gently=getattr(action, "stops_itself", False))
    try:
        return await task
    except asyncio.CancelledError:
        if signal.SIGTERM in session.signals.received:
            raise Terminated from None
        raise KeyboardInterrupt from None
    finally:
        session.signals.restore()
