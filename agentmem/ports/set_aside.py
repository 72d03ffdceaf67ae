"""Rows of the ledger that the index could not take in, as a port: each stands alone, with its reason, and is tried
again when somebody says so."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from agentmem.domain.scope import Lane

PROJECTION: Final = "projection"
"""Under this worker's name such rows stand among the dead letters, and are tried again."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """The state of a memory that row `seq` left, whose it is, and why it was set aside; no word of it."""

    memory_id: str
    seq: int
    lane: Lane
    reason: str


class SetAsides(Protocol):
    """What is set aside is a dead letter of worker `PROJECTION`: listed, retried and dropped with the others, and gone
    with its memory."""

    async def add(self, rows: Sequence[SetAside]) -> None:
        """Set them aside, durably; one that is there gets the new reason, one that was dropped stays dropped."""
        ...

    async def all(self) -> list[SetAside]:
        """Everything that is set aside, of all tenants, and not asked for again."""
        ...

    async def clear(self, rows: Collection[tuple[str, int]]) -> None:
        """These, memory and row, are in the index now, or have nothing to do there any more."""
        ...

    async def dropped(self, rows: Collection[tuple[str, int]]) -> set[str]:
        """Of these, memory and row, the memories that were set aside and then dropped."""
        ...
