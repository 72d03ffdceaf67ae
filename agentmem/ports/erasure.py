"""Removing for good, as a port: what is erased stands in no table, no log and no file of the store any more."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import AwareDatetime

from agentmem.domain.event import Event
from agentmem.domain.ids import Name
from agentmem.domain.scope import Lane
from agentmem.domain.value import Value
from agentmem.ports.ledger import Commit


@dataclass(frozen=True, slots=True)
class Erasure:
    """What goes from one agent, and what stays with other words.

    `commit` is written first, as `Ledger.commit` does. `lanes` go whole: events, work, memories, history. Elsewhere the
    memories `memory_ids` go with their history, those in `collapsed` keep nothing but their last state, the events
    numbered `seqs` go, those in `rewritten` go on as given, under their number. `head` is the ledger's number that all
    this was planned at, `received` how many events the lanes had.
    """

    commit: Commit
    agent: str
    head: int
    received: int = 0
    lanes: tuple[Lane, ...] = ()
    memory_ids: tuple[str, ...] = ()
    collapsed: tuple[str, ...] = ()
    seqs: tuple[int, ...] = ()
    rewritten: tuple[tuple[int, Event], ...] = ()


class Erased(Value):
    """What was erased, without a word of it: `events` are digests of event ids, `jobs` and `vectors` are counts."""

    run: Name
    tenant: Name
    agent_id: Name
    at: AwareDatetime
    memory_ids: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    rewritten: tuple[str, ...] = ()
    jobs: int = 0
    vectors: int = 0


class Eraser(Protocol):
    """Erases in one transaction, then cleans up behind it; what a killed process left to clean up is told by
    `unfinished` until it was `finished`."""

    async def erase(self, erasure: Erasure) -> Erased:
        """Remove what is asked for with the work, dead letters, staged outcomes and cached vectors that held its words.

        Erased events and memories leave a tombstone, a digest of their id, and so do rewritten events: the same event
        is accepted as a duplicate from then on and stored nowhere, the same memory is not written again. Memories of
        sensor readings leave none.
        Whoever works on a lane that lost something loses its lease. Raises `Conflict`, having written nothing, where
        the agent's memories, or the events of `lanes`, changed since the erasure was planned.
        """
        ...

    async def scrub(self) -> None:
        """Return when no file of the store holds the bytes of what was erased, as far as a client can see to it.

        Raises `BackendUnavailable` where somebody else keeps the store busy.
        """
        ...

    async def unfinished(self) -> list[Erased]:
        """What was erased and not reported as finished, oldest first."""
        ...

    async def finished(self, run: str) -> None:
        """Nothing is left to clean up behind this one."""
        ...

    async def buried(self, tenant: str, memory_ids: Collection[str]) -> set[str]:
        """Those of the memories that were erased, so that they are not written again."""
        ...

    async def remains(self, erased: Erased) -> Sequence[str]:
        """What of it is stored again, or still: ids of memories and digests of events."""
        ...
