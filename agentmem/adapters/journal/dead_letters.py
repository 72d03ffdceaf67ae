"""The jobs that were given up: the `DeadLetters` port."""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, delete, select, update

from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.dialect import beside_the_index, chunks, moment
from agentmem.adapters.journal.queueing import mark_done, refresh_head
from agentmem.adapters.journal.reader import Reader
from agentmem.adapters.journal.schema import events, jobs, lanes
from agentmem.adapters.journal.text import seqs_of
from agentmem.adapters.journal.unit import Unit
from agentmem.domain.scope import Lane
from agentmem.ports.set_aside import PROJECTION
from agentmem.ports.work_queue import DeadLetter

_DEAD = (
    select(
        jobs.c.job_id,
        jobs.c.worker,
        jobs.c.seqs,
        jobs.c.note,
        jobs.c.attempts,
        jobs.c.reason,
        jobs.c.died_at,
        lanes.c.tenant,
        lanes.c.agent,
        lanes.c.target,
    )
    .join(lanes, lanes.c.lane_id == jobs.c.lane_id)
    .where(jobs.c.died.is_not(None), beside_the_index(lanes.c.tenant) == bindparam("tenant"))
    .order_by(jobs.c.died.desc())
    .limit(bindparam("count"))
)
_NAMED = (
    select(jobs.c.job_id, jobs.c.lane_id, jobs.c.worker)
    .join(lanes, lanes.c.lane_id == jobs.c.lane_id)
    .where(
        jobs.c.job_id.in_(bindparam("ids", expanding=True)),
        jobs.c.died.is_not(None),
        lanes.c.tenant == bindparam("tenant"),
    )
)
_REVIVE = (
    update(jobs)
    .where(jobs.c.job_id == bindparam("id"))
    .values(died=None, died_at=None, reason=None, attempts=0, due=0, crashes=0)
)
_DROP = delete(jobs).where(jobs.c.job_id == bindparam("id"))
_EVENT_IDS = select(events.c.seq, events.c.event_id).where(events.c.seq.in_(bindparam("seqs", expanding=True)))


class SqlDeadLetters:
    """Lists beside the writer; retries and drops through it."""

    def __init__(self, committer: Committer, reader: Reader) -> None:
        self._committer, self._reader = committer, reader

    async def dead(self, *, tenant: str, limit: int) -> list[DeadLetter]:
        """See `DeadLetters`."""
        return await self._reader.read(lambda conn: _list(conn, tenant, limit))

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


def _list(conn: Connection, tenant: str, limit: int) -> list[DeadLetter]:
    rows = conn.execute(_DEAD, {"tenant": tenant, "count": limit}).all()
    seqs = sorted({seq for row in rows for seq in seqs_of(row.seqs)})
    names: dict[int, str] = {}
    for some in chunks(seqs):
        names.update((row[0], row[1]) for row in conn.execute(_EVENT_IDS, {"seqs": some}))
    return [
        DeadLetter(
            job_id=row.job_id,
            lane=Lane(row.tenant, row.agent, row.target),
            worker=row.worker,
            event_ids=tuple(names[seq] for seq in seqs_of(row.seqs) if seq in names),
            attempts=row.attempts,
            reason=row.reason,
            died_at=moment(row.died_at),
            memory_id=row.note if row.worker == PROJECTION else None,
        )
        for row in rows
    ]
