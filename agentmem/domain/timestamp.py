"""Strictly increasing microsecond timestamps, unique within a process, whatever the clock does."""

import threading


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
