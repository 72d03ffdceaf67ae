"""How much one caller may do: at a time, and by and by."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from agentmem.interfaces.http.problems import RefusedRequest


@dataclass(slots=True)
class Bucket:
    """Fills by `rate` a second up to `size`; what is done takes one out."""

    rate: float
    size: float
    clock: Callable[[], float] = time.monotonic
    _held: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._held, self._at = self.size, self.clock()

    def wait(self) -> float:
        """Take one out, and 0; or the seconds until there is one."""
        if self.is_left():
            self._held -= 1
            return 0.0
        return (1 - self._held) / self.rate

    def is_left(self) -> bool:
        """Whether there is one to take out."""
        now = self.clock()
        self._held = min(self.size, self._held + (now - self._at) * self.rate)
        self._at = now
        return self._held >= 1


@dataclass(slots=True)
class Share:
    """What one caller may have under way: `most` requests at a time, and as many as its bucket gives."""

    most: int
    bucket: Bucket
    under_way: int = 0

    @contextmanager
    def taken(self) -> Generator[None]:
        """One request more, while the body runs. Raises `RefusedRequest` beyond the limits."""
        if self.under_way >= self.most:
            raise RefusedRequest(429, "Busy", f"{self.most} requests of this token are under way", {"Retry-After": "1"})
        if (wait := self.bucket.wait()) > 0:
            raise RefusedRequest(
                429, "Busy", "too many requests of this token", {"Retry-After": str(max(1, round(wait)))}
            )
        self.under_way += 1
        try:
            yield
        finally:
            self.under_way -= 1
