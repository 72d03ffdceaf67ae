"""What Ctrl-C and SIGTERM do while a command runs."""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress

from agentmem.interfaces.cli.output import Answer


class Signals:
    """Ctrl-C and SIGTERM while an action runs: the first asks it to stop if it can, else it is cancelled."""

    def __init__(self) -> None:
        self.received: list[signal.Signals] = []
        self._take: Callable[[signal.Signals], None] = self.received.append

    def tell(self, stop: asyncio.Event, task: asyncio.Future[Answer], *, gently: bool) -> None:
        """From now on, tell these of what is received."""

        def take(number: signal.Signals) -> None:
            self.received.append(number)
            if gently and not stop.is_set():
                stop.set()
            else:
                task.cancel()

        self._take = take
        self._listen(signal.SIGINT)
        self.hear()

    def hear(self) -> None:
        """Take SIGTERM here."""
        self._listen(signal.SIGTERM)

    def leave_to_the_system(self) -> None:
        """Let SIGTERM end the process at once, also while native code holds the interpreter."""
        with suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)

    def _listen(self, number: signal.Signals) -> None:
        # Not every platform has signal handlers of an event loop, and only the main thread may set them.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            asyncio.get_running_loop().add_signal_handler(number, self._take, number)
