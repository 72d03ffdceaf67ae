"""The jobs that were given up, and what the index could not take in, which is kept as such: the `DeadLetters` and
`SetAsides` ports.
"""

import time
from collections.abc import Callable, Collection, Sequence

from sqlalchemy import Connection, bindparam, delete, select, update

from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.dialect import Record, Row, Statement, beside_the_index, chunks, insert_many, moment
from agentmem.adapters.journal.lanes import FINISHED, QUEUED, job_key, make_lanes, mark_done, refresh_head
from agentmem.adapters.journal.schema import events, jobs, lanes
from agentmem.adapters.journal.transactions import ReadPool, Unit
from agentmem.adapters.journal.writable import cleaned, payload_body, read_payload, seqs_of
from agentmem.domain.ids import derived_id
from agentmem.domain.payload import ProjectMemory
from agentmem.domain.scope import Lane
from agentmem.errors import Unreadable
from agentmem.ports.work_queue import PROJECTION, DeadLetter, SetAside

_MICRO = 1_000_000
_AGAIN = (
    update(jobs)
    .where(jobs.c.job_id == bindparam("id"), jobs.c.died.is_not(None))
    .values(attempts=jobs.c.attempts + 1, died_at=bindparam("when"), reason=bindparam("why"))
)
_ALL = (
    select(jobs.c.payload, jobs.c.ordinal, jobs.c.reason, lanes.c.tenant, lanes.c.agent, lanes.c.target)
    .join(lanes, lanes.c.lane_id == jobs.c.lane_id)
    .where(jobs.c.died.is_not(None), jobs.c.worker == PROJECTION)
)


class SqlSetAsides:
    """Reads beside the writer; writes through it."""

    def __init__(self, committer: Committer, reader: ReadPool, clock: Callable[[], float] = time.time) -> None:
        self._committer, self._reader, self._clock = committer, reader, clock

    async def add(self, rows: Sequence[SetAside]) -> None:
        """See `SetAsides`."""
        if rows:
            when = int(self._clock() * _MICRO)
            await self._committer.submit("set_aside", lambda unit: _add(unit, rows, when))

    async def all(self) -> list[SetAside]:
        """See `SetAsides`."""
        rows = await self._reader.rows(_ALL)
        return [
            SetAside(memory_id, row.ordinal, Lane(row.tenant, row.agent, row.target), row.reason)
            for row in rows
            if (memory_id := projected(row.payload)) is not None
        ]

    async def clear(self, rows: Collection[tuple[str, int]]) -> None:
        """See `SetAsides`."""
        ids = [_job_id(*row) for row in rows]

        def work(unit: Unit) -> None:
            for some in chunks(ids):
                unit.conn.execute(delete(jobs).where(jobs.c.job_id.in_(some), jobs.c.died.is_not(None)))

        if ids:
            await self._committer.submit("taken_in", work, numbered=False)

    async def dropped(self, rows: Collection[tuple[str, int]]) -> set[str]:
        """See `SetAsides`."""
        keys = {job_key(_job_id(*row)): row[0] for row in rows}
        statements = [(FINISHED, {"keys": some}) for some in chunks(list(keys))]
        found = [row for each in statements for row in await self._reader.rows(*each)]
        return {keys[bytes(row.job_key)] for row in found}


def projection_body(memory_id: str) -> str:
    """What a store keeps of the payload of a memory that was set aside."""
    return payload_body(ProjectMemory(memory_id=memory_id))


def projected(body: str) -> str | None:
    """The memory of such a payload, None where it cannot be read."""
    try:
        payload = read_payload(body)
    except Unreadable:
        return None
    return payload.memory_id if isinstance(payload, ProjectMemory) else None


def _add(unit: Unit, rows: Sequence[SetAside], when: int) -> None:
    wanted = {_job_id(row.memory_id, row.seq): row for row in rows}
    for some in chunks(list(wanted)):
        for job_id in unit.conn.execute(QUEUED, {"ids": some}).scalars().all():
            row = wanted.pop(job_id)
            unit.conn.execute(_AGAIN, {"id": job_id, "when": when, "why": cleaned(row.reason)})
        keys = {job_key(job_id): job_id for job_id in some}
        for known in unit.conn.execute(FINISHED, {"keys": list(keys)}).scalars().all():
            wanted.pop(keys[bytes(known)], None)
    numbers = make_lanes(unit, {row.lane for row in wanted.values()}, unmade=True)
    insert_many(unit.conn, jobs, [_row(unit, job_id, row, numbers[row.lane], when) for job_id, row in wanted.items()])


def _row(unit: Unit, job_id: str, row: SetAside, lane_id: int, when: int) -> Row:
    unit.numbers.job += 1
    return {
        "job_no": unit.numbers.job,
        "job_id": job_id,
        "lane_id": lane_id,
        "worker": PROJECTION,
        "ordinal": row.seq,
        "seqs": "[]",
        "payload": projection_body(row.memory_id),
        "attempts": 1,
        "died": unit.numbers.job,
        "died_at": when,
        "reason": cleaned(row.reason),
    }


def _job_id(memory_id: str, seq: int) -> str:
    return derived_id("set aside", memory_id, seq)


_DEAD = (
    select(
        jobs.c.died,
        jobs.c.job_id,
        jobs.c.worker,
        jobs.c.seqs,
        jobs.c.payload,
        jobs.c.attempts,
        jobs.c.reason,
        jobs.c.died_at,
        lanes.c.tenant,
        lanes.c.agent,
        lanes.c.target,
    )
    .join(lanes, lanes.c.lane_id == jobs.c.lane_id)
    .where(
        jobs.c.died.is_not(None),
        jobs.c.died < bindparam("before"),
        beside_the_index(lanes.c.tenant) == bindparam("tenant"),
    )
    .order_by(jobs.c.died.desc())
    .limit(bindparam("count"))
)
_OF_WHOM = {"agent": beside_the_index(lanes.c.agent), "target": beside_the_index(lanes.c.target)}
_NO_NUMBER = 2**63 - 1
_NAMED = (
    select(jobs.c.job_id, jobs.c.lane_id, jobs.c.worker)
    .join(lanes, lanes.c.lane_id == jobs.c.lane_id)
    .where(
        jobs.c.job_id.in_(bindparam("ids", expanding=True)),
        jobs.c.died.is_not(None),
        lanes.c.tenant == bindparam("tenant"),
    )
)
_WHOSE = _NAMED.add_columns(lanes.c.tenant, lanes.c.agent, lanes.c.target)
_REVIVE = (
    update(jobs)
    .where(jobs.c.job_id == bindparam("id"))
    .values(died=None, died_at=None, reason=None, attempts=0, due=0, crashes=0)
)
_DROP = delete(jobs).where(jobs.c.job_id == bindparam("id"))
_EVENT_IDS = select(events.c.seq, events.c.event_id).where(events.c.seq.in_(bindparam("seqs", expanding=True)))


class SqlDeadLetters:
    """Lists beside the writer; retries and drops through it."""

    def __init__(self, committer: Committer, reader: ReadPool) -> None:
        self._committer, self._reader = committer, reader

    async def dead(
        self, *, tenant: str, limit: int, before: int | None = None, agent: str | None = None, target: str | None = None
    ) -> list[DeadLetter]:
        """See `DeadLetters`."""
        whose = {name: value for name, value in (("agent", agent), ("target", target)) if value is not None}
        asked = {"tenant": tenant, "count": limit, "before": _NO_NUMBER if before is None else before, **whose}
        statement = _DEAD.where(*(_OF_WHOM[name] == bindparam(name) for name in whose))
        return await self._reader.read(lambda conn: _list(conn, statement, asked))

    async def dead_lanes(self, job_ids: Collection[str], *, tenant: str) -> dict[str, Lane]:
        """See `DeadLetters`."""
        asked = [{"ids": some, "tenant": tenant} for some in chunks(list(dict.fromkeys(job_ids)))]
        rows = [row for each in asked for row in await self._reader.rows(_WHOSE, each)]
        return {row.job_id: Lane(row.tenant, row.agent, row.target) for row in rows}

    async def retry_dead(self, job_ids: Sequence[str], *, tenant: str) -> int:
        """See `DeadLetters`."""

        def work(unit: Unit) -> int:
            found = _named(unit.conn, job_ids, tenant)
            for job_id, lane_id, worker in found:
                unit.conn.execute(_REVIVE, {"id": job_id})
                refresh_head(unit.conn, lane_id, worker)
            unit.numbers.backlog += len(found)
            unit.queued = bool(found)
            return len(found)

        return await self._committer.submit("retry", work)

    async def drop_dead(self, job_ids: Sequence[str], *, tenant: str) -> int:
        """See `DeadLetters`."""

        def work(unit: Unit) -> int:
            found = _named(unit.conn, job_ids, tenant)
            for job_id, lane_id, _ in found:
                unit.conn.execute(_DROP, {"id": job_id})
                mark_done(unit.conn, lane_id, [job_id])
            return len(found)

        return await self._committer.submit("drop", work)


def _named(conn: Connection, job_ids: Sequence[str], tenant: str) -> list[tuple[str, int, str]]:
    found: list[tuple[str, int, str]] = []
    for some in chunks(list(dict.fromkeys(job_ids))):
        found.extend((row[0], row[1], row[2]) for row in conn.execute(_NAMED, {"ids": some, "tenant": tenant}))
    return found


def _list(conn: Connection, statement: Statement, asked: Row) -> list[DeadLetter]:
    rows: Sequence[Record] = conn.execute(statement, asked).all()
    seqs = sorted({seq for row in rows for seq in seqs_of(row.seqs)})
    names: dict[int, str] = {}
    for some in chunks(seqs):
        names.update((row[0], row[1]) for row in conn.execute(_EVENT_IDS, {"seqs": some}))
    return [
        DeadLetter(
            number=row.died,
            job_id=row.job_id,
            lane=Lane(row.tenant, row.agent, row.target),
            worker=row.worker,
            event_ids=tuple(names[seq] for seq in seqs_of(row.seqs) if seq in names),
            attempts=row.attempts,
            reason=row.reason,
            died_at=moment(row.died_at),
            memory_id=projected(row.payload) if row.worker == PROJECTION else None,
        )
        for row in rows
    ]
