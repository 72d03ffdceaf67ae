"""What the store takes of the disk, as a port: old states folded away, room given back."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Folded:
    """What one step of folding did: rows of the ledger that went, and whether more may be waiting."""

    rows: int
    more: bool


class Storage(Protocol):
    """Every step is a short transaction; killed in between, the next one goes on where the last one ended."""

    async def fold(self, before: datetime, *, now: datetime) -> Folded:
        """Of each memory's states written by `before` keep the last alone, for the next few rows of the ledger.

        No memory changes, and nothing that any question about `before` or later is told. What was known earlier, and
        runs of that time, cannot be asked for or taken back any more (`Ledger.folded_until`). Rows dated ahead of `now`
        stay; while an agent is being made from another one nothing is folded.
        """
        ...

    async def pack(self, after: int, *, limit: int) -> int | None:
        """Pack what rows of the ledger behind number `after` hold as text, as older versions wrote it; the number to
        go on from, None behind the last row."""
        ...

    async def give_back(self) -> bool:
        """Return some of the free room inside the store to the disk; whether there may be more."""
        ...

    async def size(self) -> int:
        """Bytes the store takes, its log included."""
        ...
