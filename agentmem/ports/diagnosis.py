"""What is wrong inside a journal, as a port: looked for row by row, and told without a word of any."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Unread:
    """Rows of one kind and tenant that cannot be read by this version: how many, one of them, and why that one."""

    kind: str
    tenant: str
    count: int
    example: str
    reason: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`unread` rows; `set_aside`: memories that the index could not take in; `abandoned`: leases whose holders are
    gone; `newest`: when the newest event was accepted."""

    unread: tuple[Unread, ...]
    set_aside: int
    abandoned: int
    newest: datetime | None


class Diagnostics(Protocol):
    """Looks and writes nothing."""

    async def diagnose(self) -> Diagnosis:
        """Look at every row of events, last states of memories, personas, lineages and debts of erasures."""
        ...
