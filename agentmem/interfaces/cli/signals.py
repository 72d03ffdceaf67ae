"""What Ctrl-C and SIGTERM do while a command runs."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from agentmem.interfaces.cli.output import Answer


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
