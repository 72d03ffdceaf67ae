"""What the index could not take in, kept as dead letters: the `SetAsides` port."""

import time
from collections.abc import Callable, Collection, Sequence

from sqlalchemy import bindparam, delete, select, update

from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.dialect import Row, chunks, insert_many
from agentmem.adapters.journal.lanes import make_lanes
from agentmem.adapters.journal.queueing import job_key
from agentmem.adapters.journal.reader import Reader
from agentmem.adapters.journal.schema import done, jobs, lanes
from agentmem.adapters.journal.text import cleaned
from agentmem.adapters.journal.unit import Unit
from agentmem.domain.ids import derived_id
from agentmem.domain.scope import Lane
from agentmem.ports.set_aside import PROJECTION, SetAside

_MICRO = 1_000_000
_KNOWN = select(jobs.c.job_id).where(jobs.c.job_id.in_(bindparam("ids", expanding=True)))
_DROPPED = select(done.c.job_key).where(done.c.job_key.in_(bindparam("keys", expanding=True)))
_AGAIN = (
    update(jobs)
    .where(jobs.c.job_id == bindparam("id"), jobs.c.died.is_not(None))
    .values(attempts=jobs.c.attempts + 1, died_at=bindparam("when"), reason=bindparam("why"))
)
_ALL = (
    select(jobs.c.note, jobs.c.ordinal, jobs.c.reason, lanes.c.tenant, lanes.c.agent, lanes.c.target)
    .join(lanes, lanes.c.lane_id == jobs.c.lane_id)
    .where(jobs.c.died.is_not(None), jobs.c.worker == PROJECTION)
)


class SqlSetAsides:
    """Reads beside the writer; writes through it."""

    def __init__(self, committer: Committer, reader: Reader, clock: Callable[[], float] = time.time) -> None:
        self._committer, self._reader, self._clock = committer, reader, clock

    async def add(self, rows: Sequence[SetAside]) -> None:
        """See `SetAsides`."""
        if rows:
            when = int(self._clock() * _MICRO)
            await self._committer.submit("set_aside", lambda unit: _add(unit, rows, when))

    async def all(self) -> list[SetAside]:
        """See `SetAsides`."""
        rows = await self._reader.rows(_ALL)
        return [SetAside(row.note, row.ordinal, Lane(row.tenant, row.agent, row.target), row.reason) for row in rows]

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
        statements = [(_DROPPED, {"keys": some}) for some in chunks(list(keys))]
        found = [row for each in statements for row in await self._reader.rows(*each)]
        return {keys[bytes(row.job_key)] for row in found}


def _add(unit: Unit, rows: Sequence[SetAside], when: int) -> None:
    wanted = {_job_id(row.memory_id, row.seq): row for row in rows}
    for some in chunks(list(wanted)):
        for job_id in unit.conn.execute(_KNOWN, {"ids": some}).scalars().all():
            row = wanted.pop(job_id)
            unit.conn.execute(_AGAIN, {"id": job_id, "when": when, "why": cleaned(row.reason)})
        keys = {job_key(job_id): job_id for job_id in some}
        for known in unit.conn.execute(_DROPPED, {"keys": list(keys)}).scalars().all():
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
        "note": row.memory_id,
        "attempts": 1,
        "died": unit.numbers.job,
        "died_at": when,
        "reason": cleaned(row.reason),
    }


def _job_id(memory_id: str, seq: int) -> str:
    return derived_id("set aside", memory_id, seq)
