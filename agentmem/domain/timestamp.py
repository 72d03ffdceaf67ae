"""Strictly increasing microsecond timestamps, unique within a process, whatever the clock does; and times as given."""

import threading
from datetime import datetime

from agentmem.domain.bounds import check_time


def check_offset(name: str, moment: datetime | None) -> None:
    """Raise `InvalidInput` for a time that does not say in which UTC offset it is meant, or lies beyond all bounds."""
    check_time(name, moment)


class TimestampGenerator:
    """Microseconds since 1970, each larger than the one before and than `above`; safe to call from many threads."""

    def __init__(self, above: int = 0) -> None:
        self._last = above
        self._lock = threading.Lock()

    def next(self, now_us: int) -> int:
        """`now_us`, or the smallest unused value above the last one where the clock stood or went back."""
        with self._lock:
            self._last = max(self._last + 1, now_us)
            return self._last
