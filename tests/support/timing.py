"""Processor time of one call, ended by force where it takes far too long."""

import gc
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import process_time
from types import FrameType
from typing import Final


class TooSlow(BaseException):
    """A call used all the processor time it was given. No `Exception`, so that nobody who catches those keeps it."""


@contextmanager
def at_most(seconds: float) -> Generator[None]:
    """End what is done inside with `TooSlow` after so many seconds of processor time; in the main thread."""

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def seconds_of(call: Callable[[], object], ceiling: float) -> float:
    """Processor time of a call; `ceiling` where it did not end within that. No garbage of others is collected in it."""
    gc.disable()
    began = process_time()
    try:
        with at_most(ceiling):
            call()
    except TooSlow:
        return ceiling
    finally:
        gc.enable()
    return process_time() - began


MARGIN: Final = 5
"""How much longer than the aim a machine may take before it is the text's fault."""


def allowed(text: str) -> float:
    """Seconds of processor time that reading a text should take at most."""
    return 0.020 + 50e-6 * len(text)
