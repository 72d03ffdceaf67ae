"""Appending: the events of many callers in one go, each with the jobs that its kind asks for."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, and_, bindparam, select

from agentmem.adapters.journal.dialect import Row, chunks, insert_many, key
from agentmem.adapters.journal.lanes import QueuedJob, lane_row, make_lanes, place
from agentmem.adapters.journal.lineages import ancestors
from agentmem.adapters.journal.removal import buried
from agentmem.adapters.journal.schema import events, heads, jobs, lanes
from agentmem.adapters.journal.transactions import Unit
from agentmem.adapters.journal.writable import event_body, same_content
from agentmem.domain.event import Event
from agentmem.domain.ids import derived_id
from agentmem.domain.scope import Lane
from agentmem.errors import Busy, InvalidInput
from agentmem.ports.event_log import Accepted

_RETRY_AFTER = 1.0
_STORED = select(events.c.event_key, events.c.seq, events.c.body).where(
    events.c.event_key.in_(bindparam("keys", expanding=True))
)
_QUIET_SHARE = 100
"""A tenant of whose jobs no more wait than this part of the capacity is never refused for what others have waiting."""
_WAITING = (
    select(jobs.c.job_no)
    .join(heads, and_(heads.c.lane_id == jobs.c.lane_id, heads.c.worker == jobs.c.worker))
    .where(heads.c.tenant == bindparam("tenant"), jobs.c.died.is_(None))
    .limit(1)
    .offset(bindparam("share"))
)
_LAST_TURN = "ON CONFLICT (lane_id) DO UPDATE SET turn_seq = excluded.turn_seq, turn_at = excluded.turn_at"


@dataclass(frozen=True, slots=True)
class Incoming:
    """An event made ready outside the transaction."""

    lane: Lane
    event_id: str
    kind: str
    run_id: str | None
    accepted_at: int
    body: str
    key: bytes


def prepared(event: Event, accepted_at: int) -> Incoming:
    """Check an event and write it as JSON."""
    run_id = getattr(event, "run_id", None)
    identity = key(event.tenant, event.agent_id, event.event_id)
    return Incoming(event.lane, event.event_id, event.kind, run_id, accepted_at, event_body(event), identity)


@dataclass(slots=True)
class _Batch:
    """What one transaction will insert, and everything that is there already, by key: number and body. `erased` was
    there and is not to come back: its number."""

    known: dict[bytes, tuple[int, str]]
    erased: dict[bytes, int]
    fresh: list[tuple[int, Incoming]] = field(default_factory=list[tuple[int, Incoming]])
    jobs: int = 0


class Intake:
    """Stores events for as many callers as wait. `routes`: event kind to the workers that get a job for it."""

    def __init__(self, routes: Mapping[str, Sequence[str]], capacity: int) -> None:
        self._routes, self._capacity = routes, capacity

    def append(self, unit: Unit, asked: Sequence[Sequence[Incoming]]) -> list[list[Accepted] | Exception]:
        """One answer per caller: its events' numbers, or why none of them was taken."""
        events = {event.key: event for incoming in asked for event in incoming}
        known = _stored(unit, events)
        batch = _Batch(known, buried(unit.conn, events) | _buried_with_origins(unit.conn, events.values()))
        answers: list[list[Accepted] | Exception] = []
        for incoming in asked:
            try:
                answers.append(self._accept(unit, batch, incoming))
            except (Busy, InvalidInput) as error:
                answers.append(error)
        if batch.fresh:
            self._write(unit, batch.fresh)
        return answers

    def _accept(self, unit: Unit, batch: _Batch, incoming: Sequence[Incoming]) -> list[Accepted]:
        new: dict[bytes, Incoming] = {}
        for event in incoming:
            if event.key in batch.erased:
                continue
            stored = batch.known.get(event.key)
            body = stored[1] if stored else new.setdefault(event.key, event).body
            if not same_content(body, event.body):
                raise InvalidInput(f"event {event.event_id!r} is known with other content: give new content a new id")
        queued = sum(len(self._routes.get(event.kind, ())) for event in new.values())
        if queued and self._is_full(unit, batch, {event.lane.tenant for event in new.values()}):
            raise Busy(f"{self._capacity} jobs wait already: try again", retry_after=_RETRY_AFTER)
        batch.jobs += queued
        for identity, event in new.items():
            unit.numbers.event += 1
            batch.known[identity] = (unit.numbers.event, event.body)
            batch.fresh.append((unit.numbers.event, event))
        answers: list[Accepted] = []
        for event in incoming:
            seq = batch.erased[event.key] if event.key in batch.erased else batch.known[event.key][0]
            answers.append(Accepted(seq, event.event_id, event.key not in new, event.key))
            new.pop(event.key, None)
        return answers

    def _is_full(self, unit: Unit, batch: _Batch, tenants: Collection[str]) -> bool:
        """Whether there is no room for more work of these tenants."""
        if unit.numbers.backlog + batch.jobs < self._capacity:
            return False
        asked = ({"tenant": tenant, "share": self._capacity // _QUIET_SHARE} for tenant in tenants)
        return any(unit.conn.execute(_WAITING, each).first() is not None for each in asked)

    def _write(self, unit: Unit, fresh: Sequence[tuple[int, Incoming]]) -> None:
        numbers = make_lanes(unit, {event.lane for _, event in fresh})
        rows, placed, turns = list[Row](), list[QueuedJob](), dict[int, Row]()
        for seq, event in fresh:
            lane_id = numbers[event.lane]
            rows.append(_row(seq, event, lane_id))
            if event.kind == "turn_spoken":
                turns[lane_id] = lane_row(lane_id, event.lane) | {"turn_seq": seq, "turn_at": event.accepted_at}
            for worker in self._routes.get(event.kind, ()):
                job_id = derived_id("job", event.lane.tenant, event.lane.agent, event.event_id, worker)
                placed.append(QueuedJob(job_id, event.lane.tenant, lane_id, worker, seq, (seq,)))
        insert_many(unit.conn, events, rows)
        place(unit, placed)
        insert_many(unit.conn, lanes, list(turns.values()), _LAST_TURN)


def _row(seq: int, event: Incoming, lane_id: int) -> Row:
    return {
        "seq": seq,
        "lane_id": lane_id,
        "event_key": event.key,
        "event_id": event.event_id,
        "kind": event.kind,
        "run_id": event.run_id,
        "accepted_at": event.accepted_at,
        "body": event.body,
    }


def _buried_with_origins(conn: Connection, incoming: Collection[Incoming]) -> dict[bytes, int]:
    """What was erased from an agent does not come back in one that was made from it: the events it had, by their keys
    in the copy."""
    origins = ancestors(conn, {(event.lane.tenant, event.lane.agent) for event in incoming})
    there = {
        key(*origin, event.event_id): event.key
        for event in incoming
        for origin in origins.get((event.lane.tenant, event.lane.agent), ())
    }
    return {there[found]: seq for found, seq in buried(conn, there).items()}


def _stored(unit: Unit, keys: Collection[bytes]) -> dict[bytes, tuple[int, str]]:
    known: dict[bytes, tuple[int, str]] = {}
    for some in chunks(list(keys)):
        for found, seq, body in unit.conn.execute(_STORED, {"keys": some}):
            known[bytes(found)] = (seq, body)
    return known
