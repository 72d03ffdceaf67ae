"""Appending: the events of many callers in one go, each with the jobs that its kind asks for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import bindparam, select, update

from agentmem.adapters.journal.dialect import Row, chunks, insert_many
from agentmem.adapters.journal.lanes import make_lanes
from agentmem.adapters.journal.queueing import Placed, place
from agentmem.adapters.journal.schema import events, lanes
from agentmem.adapters.journal.text import event_body, same_content
from agentmem.adapters.journal.unit import Unit
from agentmem.domain.event import Event
from agentmem.domain.ids import derived_id
from agentmem.domain.scope import Lane
from agentmem.errors import Busy, InvalidInput
from agentmem.ports.event_log import Accepted

_RETRY_AFTER = 1.0
_STORED = select(events.c.event_id, events.c.seq, events.c.body).where(
    events.c.tenant == bindparam("tenant"),
    events.c.agent == bindparam("agent"),
    events.c.event_id.in_(bindparam("ids", expanding=True)),
)
_TURN = (
    update(lanes)
    .where(lanes.c.lane_id == bindparam("lane"))
    .values(turn_seq=bindparam("seq"), turn_at=bindparam("turned_at"))
)

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Incoming:
    """An event made ready outside the transaction."""

    lane: Lane
    event_id: str
    kind: str
    run_id: str | None
    accepted_at: int
    body: str

    @property
    def key(self) -> Key:
        """What makes it the same event."""
        return (self.lane.tenant, self.lane.agent, self.event_id)


def prepared(event: Event, accepted_at: int) -> Incoming:
    """Check an event and write it as JSON."""
    run_id = getattr(event, "run_id", None)
    return Incoming(event.lane, event.event_id, event.kind, run_id, accepted_at, event_body(event))


@dataclass(slots=True)
class _Batch:
    """What one transaction will insert, and everything that is there already, by key: number and body."""

    known: dict[Key, tuple[int, str]]
    fresh: list[tuple[int, Incoming]] = field(default_factory=list[tuple[int, Incoming]])
    jobs: int = 0


class Intake:
    """Stores events for as many callers as wait. `routes`: event kind to the workers that get a job for it."""

    def __init__(self, routes: Mapping[str, Sequence[str]], capacity: int) -> None:
        self._routes, self._capacity = routes, capacity

    def append(self, unit: Unit, asked: Sequence[Sequence[Incoming]]) -> list[list[Accepted] | Exception]:
        """One answer per caller: its events' numbers, or why none of them was taken."""
        batch = _Batch(_stored(unit, asked))
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
        new: dict[Key, Incoming] = {}
        for event in incoming:
            stored = batch.known.get(event.key)
            body = stored[1] if stored else new.setdefault(event.key, event).body
            if not same_content(body, event.body):
                raise InvalidInput(f"event {event.event_id!r} is known with other content: give new content a new id")
        queued = sum(len(self._routes.get(event.kind, ())) for event in new.values())
        if queued and unit.numbers.backlog + batch.jobs >= self._capacity:
            raise Busy(f"{self._capacity} jobs wait already: try again", retry_after=_RETRY_AFTER)
        batch.jobs += queued
        for key, event in new.items():
            unit.numbers.event += 1
            batch.known[key] = (unit.numbers.event, event.body)
            batch.fresh.append((unit.numbers.event, event))
        answers: list[Accepted] = []
        for event in incoming:
            answers.append(Accepted(batch.known[event.key][0], event.event_id, duplicate=event.key not in new))
            new.pop(event.key, None)
        return answers

    def _write(self, unit: Unit, fresh: Sequence[tuple[int, Incoming]]) -> None:
        numbers = make_lanes(unit, {event.lane for _, event in fresh})
        rows, placed, turns = list[Row](), list[Placed](), dict[int, Row]()
        for seq, event in fresh:
            lane_id = numbers[event.lane]
            rows.append(_row(seq, event, lane_id))
            if event.kind == "turn_spoken":
                turns[lane_id] = {"lane": lane_id, "seq": seq, "turned_at": event.accepted_at}
            for worker in self._routes.get(event.kind, ()):
                job_id = derived_id("job", event.lane.tenant, event.lane.agent, event.event_id, worker)
                placed.append(Placed(job_id, lane_id, worker, seq, (seq,)))
        insert_many(unit.conn, events, rows)
        place(unit, placed)
        if turns:
            unit.conn.execute(_TURN, list(turns.values()))


def _row(seq: int, event: Incoming, lane_id: int) -> Row:
    return {
        "seq": seq,
        "lane_id": lane_id,
        "tenant": event.lane.tenant,
        "agent": event.lane.agent,
        "event_id": event.event_id,
        "kind": event.kind,
        "run_id": event.run_id,
        "accepted_at": event.accepted_at,
        "body": event.body,
    }


def _stored(unit: Unit, asked: Sequence[Sequence[Incoming]]) -> dict[Key, tuple[int, str]]:
    ids: dict[tuple[str, str], set[str]] = {}
    for incoming in asked:
        for event in incoming:
            ids.setdefault((event.lane.tenant, event.lane.agent), set()).add(event.event_id)
    known: dict[Key, tuple[int, str]] = {}
    for (tenant, agent), wanted in ids.items():
        for some in chunks(sorted(wanted)):
            for event_id, seq, body in unit.conn.execute(_STORED, {"tenant": tenant, "agent": agent, "ids": some}):
                known[tenant, agent, event_id] = (seq, body)
    return known
