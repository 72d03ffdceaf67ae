"""What came in: the `EventLog` port; and what a question has to know of the journal before it is put to the index,
turns that are not in the conversation layer yet among it: those whose job for its worker waits, or was given up.

The work that waits is small against all that was ever said, so the search begins with `heads` and the dead letters.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import cache

import structlog
from sqlalchemy import ColumnElement, Connection, and_, bindparam, func, literal_column, or_, select, true

from agentmem.adapters.journal.appending import Intake, prepared
from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.dialect import Record, Row, Statement, beside_the_index, chunks, key, moment
from agentmem.adapters.journal.keeping import persona_of
from agentmem.adapters.journal.lanes import in_scope, lane_key
from agentmem.adapters.journal.schema import counters, events, heads, jobs, lanes, windows
from agentmem.adapters.journal.transactions import ReadPool
from agentmem.adapters.journal.writable import read_event, seqs_of
from agentmem.domain.event import AHEAD, Event, received
from agentmem.domain.memory import microseconds
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import InvalidInput, Unreadable, without_content
from agentmem.ports.event_log import Accepted, Progress, Sequenced, UnreadEvent
from agentmem.ports.journal import Glance
from agentmem.tracing import span, traceparent

_BEHIND_HEADS = (
    select(lanes.c.lane_id).join(heads, heads.c.lane_id == lanes.c.lane_id).where(heads.c.worker == bindparam("worker"))
)
_TURNS = (
    select(events.c.seq, events.c.body, events.c.accepted_at)
    .join(jobs, jobs.c.ordinal == events.c.seq)
    .where(events.c.kind == literal_column("'turn_spoken'"))
    .order_by(jobs.c.ordinal.desc())
    .limit(bindparam("count"))
)
_WAITING = _TURNS.where(
    jobs.c.lane_id.in_(bindparam("lanes", expanding=True)),
    jobs.c.worker == bindparam("worker"),
    jobs.c.died.is_(None),
)
_DEAD = _TURNS.join(lanes, lanes.c.lane_id == jobs.c.lane_id).where(
    beside_the_index(jobs.c.worker) == bindparam("worker"), jobs.c.died.is_not(None)
)


def unread_turns(conn: Connection, scope: Scope, worker: str, limit: int) -> list[Record]:
    """The newest such turns in scope, oldest first, as rows (seq, body, accepted_at)."""
    dead, behind, waiting = _statements(scope.target is not None, scope.run is not None)
    names = {"tenant": scope.tenant, "agent": scope.agent, "targets": scope.targets or None, "run": scope.run}
    asked = {name: value for name, value in names.items() if value is not None} | {"worker": worker, "count": limit}
    found: list[Record] = [*conn.execute(dead, asked).all()]
    with_work: Sequence[int] = conn.execute(behind, asked).scalars().all()
    for some in chunks(with_work):
        found.extend(conn.execute(waiting, asked | {"lanes": some}).all())
    return sorted(found)[-limit:]


@cache
def _statements(some_targets: bool, one_run: bool) -> tuple[Statement, Statement, Statement]:
    """Dead turns, lanes with work, turns that wait; made once, for making them takes longer than running them."""
    own = (lanes.c[name] == bindparam(name) for name in ("tenant", "agent"))
    mine = and_(*own, lanes.c.target.in_(bindparam("targets", expanding=True)) if some_targets else true())
    said: ColumnElement[bool] = events.c.run_id == bindparam("run") if one_run else true()
    return _DEAD.where(mine, said), _BEHIND_HEADS.where(mine), _WAITING.where(said)


_HEAD = select(counters.c.ledger)


def glance(conn: Connection, scope: Scope, worker: str, turns: int) -> Glance:
    """See `Journal`; `worker` is the one that makes conversation memories of turns."""
    unread = readable(unread_turns(conn, scope, worker, turns)) if turns else []
    persona = persona_of(conn, scope.tenant, scope.agent)
    return Glance(unread, persona, int(conn.execute(_HEAD).scalar_one()))


log = structlog.get_logger()

_STORED = select(events.c.seq, events.c.body, events.c.accepted_at)
_IS_TURN = events.c.kind == literal_column("'turn_spoken'")  # written out, or no partial index is used
_OF_TALKS = events.c.kind.in_(("turn_spoken", "conversation_ended"))
_OF_LANE = _STORED.join(lanes, lanes.c.lane_id == events.c.lane_id).where(lanes.c.lane_key == bindparam("lane"))
_RECEIVED = (
    select(func.count())
    .select_from(events)
    .join(lanes, lanes.c.lane_id == events.c.lane_id)
    .where(lanes.c.lane_key == bindparam("lane"))
)
_NAMED = _OF_LANE.add_columns(events.c.event_id, events.c.kind).order_by(events.c.seq)
_NEWEST = _OF_LANE.order_by(events.c.seq.desc()).limit(bindparam("count"))
_LATEST = _NEWEST.where(_OF_TALKS)
_EARLIER = _NEWEST.where(events.c.run_id == bindparam("run"), events.c.seq < bindparam("before"), _IS_TURN)
_OF_RUNS = or_(
    events.c.run_id == bindparam("run"),
    and_(events.c.run_id >= bindparam("run") + "/", events.c.run_id < bindparam("run") + "0"),  # "0" is next to "/"
)
_LAST_TURN = (
    select(func.max(events.c.seq))
    .join(lanes, lanes.c.lane_id == events.c.lane_id)
    .where(lanes.c.lane_key == bindparam("lane"), _OF_RUNS, _IS_TURN)
)
_LATEST_OF_RUNS = _NEWEST.where(_OF_TALKS, _OF_RUNS, events.c.seq >= _LAST_TURN.scalar_subquery())
_BY_KEY = _STORED.where(events.c.event_key == bindparam("key"))
_BY_SEQ = _STORED.where(events.c.seq.in_(bindparam("seqs", expanding=True)))

_TURNS_BY_SEQ = _BY_SEQ.where(_IS_TURN)
_UNCUT_TURNS = _OF_LANE.where(_IS_TURN, events.c.seq > lanes.c.cut_seq)
_NAMED_IN_JOBS = (
    select(jobs.c.seqs).join(lanes, lanes.c.lane_id == jobs.c.lane_id).where(lanes.c.lane_key == bindparam("lane"))
)
_WINDOWS = (
    select(windows.c.first_seq, windows.c.last_seq, windows.c.job_id)
    .join(lanes, lanes.c.lane_id == windows.c.lane_id)
    .where(lanes.c.lane_key == bindparam("lane"), windows.c.last_seq >= bindparam("first"))
    .order_by(windows.c.last_seq)
)


_SILENT = (
    select(lanes.c.tenant, lanes.c.agent, lanes.c.target, lanes.c.turn_at, lanes.c.turn_seq)
    .where(
        lanes.c.turn_seq > lanes.c.cut_seq,
        or_(lanes.c.turn_at <= bindparam("since"), lanes.c.turn_at > bindparam("ahead")),
    )
    .order_by(lanes.c.turn_at, lanes.c.turn_seq)
)

_WORK = (
    select(events.c.seq, events.c.kind, lanes.c.lane_id, lanes.c.cut_seq, lanes.c.tenant, lanes.c.agent, lanes.c.target)
    .join(lanes, lanes.c.lane_id == events.c.lane_id)
    .where(events.c.event_key == bindparam("key"), lanes.c.tenant == bindparam("tenant"))
)
_JOBS_OF = select(jobs.c.seqs, jobs.c.died, jobs.c.reason).where(jobs.c.lane_id == bindparam("lane"))


def _progress(conn: Connection, tenant: str, event_key: bytes) -> Progress | None:
    row = conn.execute(_WORK, {"key": event_key, "tenant": tenant}).one_or_none()
    if row is None:
        return None
    mine = [job for job in conn.execute(_JOBS_OF, {"lane": row.lane_id}) if row.seq in seqs_of(job.seqs)]
    uncut = row.kind == "turn_spoken" and row.seq > row.cut_seq
    waits = uncut or any(job.died is None for job in mine)
    parked = next((job.reason or "" for job in mine if job.died is not None), None)
    return Progress(row.seq, Lane(row.tenant, row.agent, row.target), waits, parked)


def sequenced(row: Record) -> Sequenced:
    """The event of a row (seq, body, accepted_at). Raises `Unreadable`."""
    try:
        return Sequenced(row[0], read_event(row[1]), moment(row[2]))
    except OverflowError as error:
        raise Unreadable("accepted at no time there is") from error


def readable(rows: Iterable[Record]) -> list[Sequenced]:
    """The events of those rows that can be read, and a word in the log for the others."""
    found: list[Sequenced] = []
    for row in rows:
        try:
            found.append(sequenced(row))
        except Unreadable as error:
            log.warning("event_unreadable", seq=row[0], reason=without_content(error))
    return found


def load_events(conn: Connection, seqs: Sequence[int]) -> dict[int, Record]:
    """Rows for `sequenced`, by number; those that were purged are missing."""
    return {row[0]: row for row in conn.execute(_BY_SEQ, {"seqs": seqs})} if seqs else {}


def _unread(conn: Connection, lane: Lane) -> list[Sequenced]:
    named = {"lane": lane_key(lane)}
    # uncut turns first: one that is cut between two reads of READ COMMITTED is in its job by then
    rows: list[Record] = [*conn.execute(_UNCUT_TURNS, named).all()]
    waiting: set[int] = {seq for text in conn.execute(_NAMED_IN_JOBS, named).scalars() for seq in seqs_of(text)}
    for some in chunks(sorted(waiting - {row.seq for row in rows})):
        rows += conn.execute(_TURNS_BY_SEQ, {"seqs": some}).all()
    return readable(sorted(rows))


def _traced(event: Event) -> Event:
    now = traceparent()
    return event if event.traceparent == now else event.revised(traceparent=now)


class SqlEventLog:
    """Reads beside the writer; writes through it."""

    def __init__(self, committer: Committer, reader: ReadPool, intake: Intake) -> None:
        self._committer, self._reader = committer, reader
        self._intake = intake

    async def append(self, events: Sequence[Event], *, now: datetime) -> list[Accepted]:
        """See `EventLog`."""
        if not events:
            return []
        if now.tzinfo is None:
            raise InvalidInput(f"now {now.isoformat()} must have a UTC offset")
        accepted_at = microseconds(now)
        with span("events.accept", "PRODUCER", events=len(events)) as accepting:
            incoming = [prepared(_traced(received(event, now)), accepted_at) for event in events]
            accepted = await self._committer.submit_together("append", self._intake.append, incoming)
            accepting.tell(first=accepted[0].seq, last=accepted[-1].seq)
            return accepted

    async def earlier_turns(self, lane: Lane, *, before: int, run_id: str, limit: int) -> list[Sequenced]:
        """See `EventLog`."""
        asked = {"lane": lane_key(lane), "run": run_id, "before": before, "count": limit}
        return (await self._read_briefly(_EARLIER, asked))[::-1]

    async def find(self, tenant: str, agent: str, event_id: str) -> Sequenced | None:
        """See `EventLog`."""
        found = await self._read_briefly(_BY_KEY, {"key": key(tenant, agent, event_id)})
        return found[0] if found else None

    async def progress(self, tenant: str, event_key: bytes) -> Progress | None:
        """See `EventLog`."""
        return await self._reader.read(lambda conn: _progress(conn, tenant, event_key))

    async def latest(self, lane: Lane, *, limit: int) -> list[Sequenced]:
        """See `EventLog`."""
        return (await self._read_briefly(_LATEST, {"lane": lane_key(lane), "count": limit}))[::-1]

    async def latest_of_run(self, lane: Lane, run_id: str) -> Sequenced | None:
        """See `EventLog`."""
        found = await self._read_briefly(_LATEST_OF_RUNS, {"lane": lane_key(lane), "run": run_id, "count": 1})
        return found[0] if found else None

    async def uncut(self, lane: Lane, *, through: int) -> list[Sequenced]:
        """See `EventLog`."""
        statement = _OF_LANE.where(_OF_TALKS, events.c.seq > lanes.c.cut_seq, events.c.seq <= through)
        return await self._read(statement.order_by(events.c.seq), {"lane": lane_key(lane)})

    async def windows_of(self, lane: Lane, seqs: Collection[int]) -> list[str]:
        """See `EventLog`."""
        if not seqs:
            return []
        rows = await self._reader.rows(_WINDOWS, {"lane": lane_key(lane), "first": min(seqs)})
        return [row.job_id for row in rows if any(row.first_seq <= seq <= row.last_seq for seq in seqs)]

    async def unread(self, lane: Lane) -> list[Sequenced]:
        """See `EventLog`."""
        return await self._reader.read(lambda conn: _unread(conn, lane))

    async def silent_lanes(self, *, since: datetime) -> list[tuple[Lane, datetime, int]]:
        """See `EventLog`."""
        rows = await self._reader.rows(_SILENT, {"since": microseconds(since), "ahead": microseconds(since + AHEAD)})
        return [(Lane(row[0], row[1], row[2]), moment(row[3]), row[4]) for row in rows]

    async def of_lane(self, lane: Lane, *, after: int, limit: int) -> list[Sequenced]:
        """See `EventLog`. Again behind the last row, where none of a page can be read."""
        while True:
            statement = _OF_LANE.where(events.c.seq > after).order_by(events.c.seq).limit(limit)
            rows = await self._reader.rows(statement, {"lane": lane_key(lane)})
            found = readable(rows)
            if found or len(rows) < limit:
                return found
            after = rows[-1][0]

    async def received(self, lane: Lane) -> int:
        """See `EventLog`."""
        rows = await self._reader.rows(_RECEIVED, {"lane": lane_key(lane)})
        return int(rows[0][0])

    async def unreadable(self, lane: Lane) -> list[UnreadEvent]:
        """See `EventLog`."""
        rows = await self._reader.rows(_NAMED, {"lane": lane_key(lane)})
        return [UnreadEvent(row.seq, row.event_id, row.kind) for row in rows if not readable([row[:3]])]

    async def lanes(self, scope: Scope) -> list[Lane]:
        """See `EventLog`."""
        statement = select(lanes.c.tenant, lanes.c.agent, lanes.c.target).where(in_scope(scope))
        received = select(events.c.seq).where(events.c.lane_id == lanes.c.lane_id).exists()
        return [Lane(*row) for row in await self._reader.rows(statement.where(received).order_by(lanes.c.lane_id))]

    async def _read(self, statement: Statement, asked: Row | None = None) -> list[Sequenced]:
        return readable(await self._reader.rows(statement, asked))

    async def _read_briefly(self, statement: Statement, asked: Row) -> list[Sequenced]:
        return readable(await self._reader.brief(lambda conn: conn.execute(statement, asked).all()))
