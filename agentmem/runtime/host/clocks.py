"""Time as an input, wired in once and asked for nowhere else: the wall clock, or one that is moved by hand."""

from datetime import datetime, timedelta, tzinfo
from typing import Protocol

from agentmem.errors import InvalidInput


class Clock(Protocol):
    """Tells what time it is: the wall clock, or a scenario's own."""

    def now(self) -> datetime:
        """The current time, aware, with the UTC offset of the place where it is told."""
        ...


class WallClock:
    """The computer's clock, told in a time zone (None: the local one)."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone

    def now(self) -> datetime:
        """The current time."""
        return datetime.now(self._zone).astimezone(self._zone)


class ManualClock:
    """Stands still until it is moved, and never goes back."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        """The time it was last set to."""
        return self._now

    def set(self, moment: datetime) -> None:
        """Move on to `moment`."""
        if moment < self._now:
            raise InvalidInput(f"time cannot go back from {self._now.isoformat()} to {moment.isoformat()}")
        self._now = moment

    def advance(self, by: timedelta) -> None:
        """Move on by so much."""
        self.set(self._now + by)
