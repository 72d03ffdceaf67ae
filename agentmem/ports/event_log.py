"""The durable record of what came in, as a port."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from agentmem.domain.event import Event
from agentmem.domain.scope import Lane, Scope

AFTER_ALL = 2**62
"""A number behind that of every event."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """An event is on disk under number `seq`. `duplicate`: its id was there already, with the same content. `event_key`
    names it alone in the whole store: 16 bytes made of tenant, agent and event id."""

    seq: int
    event_id: str
    duplicate: bool
    event_key: bytes


@dataclass(frozen=True, slots=True)
class Sequenced:
    """An event with its place in the journal and the time it was accepted at."""

    seq: int
    event: Event
    accepted_at: datetime


@dataclass(frozen=True, slots=True)
class UnreadEvent:
    """An event that is stored and cannot be read by this version: its number, id and kind."""

    seq: int
    event_id: str
    kind: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work on event `seq` of `lane` is. `waits`: some is still to be done; `parked`: why some was given up,
    or None."""

    seq: int
    lane: Lane
    waits: bool
    parked: str | None


class EventLog(Protocol):
    """Append-only. Sequence numbers rise with the order of acceptance; gaps are possible. An event that cannot be read
    is left out by everything but `received` and `unreadable`, and hides no other."""

    async def append(self, events: Sequence[Event], *, now: datetime) -> list[Accepted]:
        """Store events and queue their jobs, all or none; on return they survive a power cut. They are stored as
        `received` at `now`.

        One answer per event, in order. An event id already present with the same content (its time and place in the
        talk left aside) is answered with the number it has; with other content it raises `InvalidInput`. Raises
        `Busy` at the queue's limit.
        """
        ...

    async def earlier_turns(self, lane: Lane, *, before: int, run_id: str, limit: int) -> list[Sequenced]:
        """The last `limit` turns of the run in this lane with a number below `before`, oldest first."""
        ...

    async def find(self, tenant: str, agent: str, event_id: str) -> Sequenced | None:
        """The event of that id, or None."""
        ...

    async def progress(self, tenant: str, event_key: bytes) -> Progress | None:
        """How far the work on the event of that key is (`Accepted.event_key`); None where the tenant has none."""
        ...

    async def latest(self, lane: Lane, *, limit: int) -> list[Sequenced]:
        """The last `limit` turns and endings of the lane, whatever their run, oldest first."""
        ...

    async def latest_of_run(self, lane: Lane, run_id: str) -> Sequenced | None:
        """The last turn or ending in the lane of this run and of those named after it, `run_id/…`; None where none of
        them has a turn."""
        ...

    async def uncut(self, lane: Lane, *, through: int) -> list[Sequenced]:
        """Turns and endings of the lane up to number `through` that are in no window yet, oldest first."""
        ...

    async def windows_of(self, lane: Lane, seqs: Collection[int]) -> list[str]:
        """The ids of the jobs that these events of the lane were put into a window for, in the order of the windows.
        What is in none yet, and what was cut before windows were remembered, has none."""
        ...

    async def unread(self, lane: Lane) -> list[Sequenced]:
        """Turns of the lane that no window was read with: those in no window yet, and those whose window waits, is
        being read or was given up; oldest first."""
        ...

    async def silent_lanes(self, *, since: datetime) -> list[tuple[Lane, datetime, int]]:
        """Lanes with uncut turns whose last one was accepted at or before `since`, or so far after it that a clock was
        wrong: with that time and its number."""
        ...

    async def of_lane(self, lane: Lane, *, after: int, limit: int) -> list[Sequenced]:
        """Everything the lane received with a number above `after`, oldest first, at most `limit`; empty only where
        there is no more."""
        ...

    async def received(self, lane: Lane) -> int:
        """How many events the lane received, those that cannot be read included."""
        ...

    async def unreadable(self, lane: Lane) -> list[UnreadEvent]:
        """The lane's events that cannot be read, oldest first; looks at all of them."""
        ...

    async def lanes(self, scope: Scope) -> list[Lane]:
        """Every lane of the scope that has ever received an event."""
        ...
