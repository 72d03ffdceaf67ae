"""Every change of every memory, and the state that follows from them, as a port."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Protocol

from agentmem.domain.bounds import check_fields
from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.memory import MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import InvalidInput

GRAPH_THROUGH: Final = "graph.through"
"""The mark up to which row of the ledger memories were handed on to whoever keeps the graph between them."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Changes made together. `run` names the unit that undo takes back, `cause` the worker or command.

    `beside` are lanes that were read up to ledger row `seen` without their lease: a memory made of words that was
    written there since makes the commit a `Conflict`.

    `settled`: what rests on these memories was settled with them, so nothing is put in doubt. `ahead` are lanes in
    which nobody's outcome that was thought before is written any more: their leases end, and what was staged goes.
    """

    tenant: str
    run: str
    cause: str
    at: datetime
    changes: tuple[Change, ...]
    beside: tuple[Lane, ...] = ()
    seen: int = 0
    settled: bool = False
    ahead: tuple[Lane, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """Which memories to list: empty `types` mean all layers, empty `statuses` all but forgotten ones. Newest
    `timestamp` first, then by id; `after` continues behind that (timestamp, id). With `record` only what a program
    keeps of that kind, which costs what there is of it.

    With `known_at` every memory is as `Ledger.get` answers it for that time, and `statuses` speak of that state; what
    was forgotten since is not listed. `as_of`: only those whose interval
    holds that time (`MemoryNode.holds_at`). Raises `InvalidInput` for a time without a UTC offset.
    """

    scope: Scope
    types: tuple[MemoryType, ...] = ()
    statuses: tuple[StoreStatus, ...] = ()
    after: tuple[int, str] | None = None
    limit: int = 1_000
    as_of: datetime | None = None
    known_at: datetime | None = None
    record: RecordType | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if self.limit < 1:
            raise InvalidInput(f"limit is {self.limit}, allowed: 1 or more")

    @property
    def told(self) -> "Selection | None":
        """The same without what is forgotten; None where only that is meant."""
        statuses = tuple(status for status in self.statuses if status is not StoreStatus.DELETED)
        return replace(self, statuses=statuses) if statuses or not self.statuses else None


@dataclass(frozen=True, slots=True)
class News:
    """What reflection should look at: observations it has not looked at, and memories in doubt, newest first.

    `unsettled`: what earlier runs left in doubt or in conflict, to be looked at again beside other news. What an undo
    restored is in none of them: it is to stay as it is.
    """

    fresh: tuple[MemoryNode, ...] = ()
    doubtful: tuple[MemoryNode, ...] = ()
    unsettled: tuple[MemoryNode, ...] = ()


@dataclass(frozen=True, slots=True)
class Version:
    """The latest state of a memory, changed last by ledger row `seq`; `node` is None where it was taken out, and where
    it cannot be read: then `unreadable` says why. `lane` is whose memory it is."""

    seq: int
    memory_id: str
    node: MemoryNode | None
    lane: Lane
    unreadable: str | None = None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What one run changed: when, whose memories by target, how many changes by act, and whether that was taken back.
    `seq`: its last row."""

    run: str
    at: datetime
    seq: int
    targets: tuple[str, ...]
    acts: dict[str, int]
    taken_back: bool


class Ledger(Protocol):
    """The truth about memories. Rows are never changed; a memory's state is the `after` of its last row. A row that
    cannot be read is left out by everything but `since`, and hides no other.

    This is the one place that decides whether a forgotten memory is told: `get` and `select` leave it out, whatever
    time they are asked about, and tell of the words that were taken out of others in no earlier state either. Who has
    to see what is stored asks for it by name.
    """

    async def commit(self, commit: Commit) -> int:
        """Write the changes, all or none, and answer the number of the last row (the head if there were none).

        In the same transaction everything that rests, at any remove, on a memory which these changes end or change is
        marked `needs_review`, save what they derive anew themselves (`domain.staleness`).

        Raises `Conflict` unless every `before` equals what is stored. A change whose `after` is stored already was
        applied by an earlier attempt and is passed over; so is one that adds a memory which was forgotten. Entities
        and communities are made anew of what is told: one that was forgotten may be added again.

        The words of a turn that are forgotten, or brought back by an undo, change in its event as well.
        """
        ...

    async def preview(self, commit: Commit) -> tuple[Change, ...]:
        """The changes `commit` would write now, doubts included. Writes nothing; raises as `commit` does."""
        ...

    async def get(
        self, tenant: str, memory_ids: Collection[str], *, known_at: datetime | None = None, forgotten: bool = False
    ) -> dict[str, MemoryNode]:
        """The memories of that tenant by id; unknown ids are left out, and forgotten ones unless `forgotten`, which is
        for now alone.

        With `known_at` each is what its last row written by then (`at <= known_at`) left of it; one that was not there
        yet, or was taken out, is left out. A turn is known from `created_at`, when it was accepted, even where the row
        that writes it down came later.
        """
        ...

    async def select(self, selection: Selection) -> list[MemoryNode]:
        """Memories in scope, newest first; fewer than `limit` only where there are no more.

        A memory keeps its `timestamp` through all its changes, so one that is there from the first page to the last
        is listed once, whatever is written in between.
        """
        ...

    async def news(self, scope: Scope, *, limit: int) -> News:
        """What there is to look at in a lane, which the scope names, at most `limit` of each kind."""
        ...

    async def lanes_with_news(self, scope: Scope) -> list[Lane]:
        """The lanes in scope that hold fresh or doubtful memories; costs what is new, not what is stored."""
        ...

    async def lanes_due(self, scope: Scope, *, now: datetime) -> list[Lane]:
        """The lanes in scope, of those that ever had work, with memories to which time may do something by now; costs a
        look at each lane, not at what it holds."""
        ...

    async def fading(self, scope: Scope, *, now: datetime, limit: int) -> list[MemoryNode]:
        """Valid memories of a lane that are due to go out of scope by themselves, the longest due first."""
        ...

    async def proving(self, scope: Scope, *, now: datetime, limit: int) -> list[MemoryNode]:
        """Valid insights of a lane that are old enough to prove stable, the longest due first."""
        ...

    async def history(self, tenant: str, memory_id: str) -> list[LedgerEntry]:
        """The changes of one memory, oldest first; empty where there is none."""
        ...

    async def histories(self, tenant: str, memory_ids: Collection[str]) -> dict[str, list[LedgerEntry]]:
        """The same of several memories, by id; those of which there is none are left out."""
        ...

    async def of_run(self, tenant: str, run: str, *, after: int = 0, limit: int | None = None) -> list[LedgerEntry]:
        """The changes one run made, oldest first: those of rows behind `after`; fewer than `limit` only where there
        are no more."""
        ...

    async def lanes_of_run(self, tenant: str, run: str) -> list[Lane]:
        """Whose memories one run changed; costs its rows, and reads no memory."""
        ...

    async def runs(self, scope: Scope, *, cause: str, before: int | None, limit: int) -> list[RunSummary]:
        """At most `limit` runs of that cause that changed memories in scope, the latest first; with `before` those
        whose last row has a lower number. Only what is in scope is counted."""
        ...

    async def since(self, seq: int, *, limit: int) -> list[Version]:
        """Memories whose last change has a number above `seq`, in the order of those numbers."""
        ...

    async def naming(self, scope: Scope, memory_ids: Collection[str]) -> set[str]:
        """The memories of the scope's agent that name one of these ids in any state they were ever in, those that were
        taken out included; `memory_ids` themselves are left out."""
        ...

    async def told_of(self, scope: Scope) -> list[str]:
        """The other targets, in order, of whom something is known that rests on the talks with the scope's target;
        costs what those talks hold, not what the agent knows."""
        ...

    async def head(self) -> int:
        """The number of the last row, 0 in an empty ledger."""
        ...

    async def folded_until(self) -> datetime | None:
        """Up to when earlier states of memories are not kept any more (`Storage.fold`), None where all are. With a
        `known_at` before it `get` and `select` raise `InvalidInput`."""
        ...

    async def newest_timestamp(self) -> int:
        """The largest memory timestamp in the store, 0 where there is none."""
        ...


def number_in(mark: str | None) -> int:
    """The number that a mark holds; 0 where it holds none, so that what it counts is counted anew."""
    return int(mark) if mark is not None and mark.isdecimal() else 0


class Marks(Protocol):
    """Small named facts about the store: how far the index was projected, which embedder made its vectors."""

    async def mark(self, name: str) -> str | None:
        """The mark's value, or None."""
        ...

    async def set_mark(self, name: str, value: str) -> None:
        """Store it durably."""
        ...
