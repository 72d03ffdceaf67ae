"""Time as an input: wired in once, asked for nowhere else."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells what time it is: the wall clock, or a scenario's own."""

    def now(self) -> datetime:
        """The current time, aware, with the UTC offset of the place where it is told."""
        ...
