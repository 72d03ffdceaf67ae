"""Lanes by number, the short name under which events, jobs and leases know their (tenant, agent, target); and their
jobs in line, with `heads` kept true: the first waiting job of each worker in each lane.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, select

from agentmem.adapters.journal.dialect import Row, chunks, insert_many, key
from agentmem.adapters.journal.lineages import refuse_absent
from agentmem.adapters.journal.schema import done, heads, jobs, lanes, leases, memories, windows
from agentmem.adapters.journal.transactions import Unit
from agentmem.adapters.journal.writable import checked, payload_body
from agentmem.domain.scope import Lane, Scope
from agentmem.ports.work_queue import NewJob

_BY_KEY = select(lanes.c.lane_key, lanes.c.lane_id).where(lanes.c.lane_key.in_(bindparam("keys", expanding=True)))


def lane_key(lane: Lane) -> bytes:
    """What a lane is found by."""
    return key(lane.tenant, lane.agent, lane.target)


def lane_row(lane_id: int, lane: Lane) -> Row:
    """What names a lane."""
    names = {"tenant": lane.tenant, "agent": lane.agent, "target": lane.target}
    return {"lane_id": lane_id, "lane_key": lane_key(lane)} | names


def in_scope(scope: Scope) -> ColumnElement[bool]:
    """The condition that picks the lanes a scope sees."""
    condition = and_(lanes.c.tenant == scope.tenant, lanes.c.agent == scope.agent)
    if scope.target is None:
        return condition
    # Found by the whole name: an agent may have more lanes than the index over agents is good for.
    return lanes.c.lane_key.in_([key(scope.tenant, scope.agent, target) for target in scope.targets])


def in_reach(scope: Scope) -> ColumnElement[bool]:
    """The condition that picks the memories of an agent, or of the targets a scope names."""
    keys = [lane_key(Lane(scope.tenant, scope.agent, target)) for target in scope.targets]
    if keys:
        return memories.c.lane_key.in_(keys) if len(keys) > 1 else memories.c.lane_key == keys[0]
    return and_(memories.c.tenant == scope.tenant, memories.c.agent == scope.agent)


def find_lanes(conn: Connection, wanted: Iterable[Lane]) -> dict[Lane, int]:
    """The numbers of those lanes that exist."""
    keys = {lane_key(lane): lane for lane in wanted}
    found: dict[Lane, int] = {}
    for some in chunks(list(keys)):
        found.update((keys[bytes(found_key)], number) for found_key, number in conn.execute(_BY_KEY, {"keys": some}))
    return found


def make_lanes(unit: Unit, wanted: Collection[Lane], *, unmade: bool = False) -> dict[Lane, int]:
    """The numbers of the lanes, making those that are new. Raises `Conflict` for those of an agent that is still being
    made or was given back, which has none unless `unmade` says so."""
    found = find_lanes(unit.conn, wanted)
    new = [lane for lane in wanted if lane not in found]
    if new:
        for tenant, agent in dict.fromkeys((lane.tenant, lane.agent) for lane in new if not unmade):
            refuse_absent(unit.conn, tenant, agent)
        for lane in new:
            unit.numbers.lane += 1
            found[lane] = unit.numbers.lane
        insert_many(unit.conn, lanes, [lane_row(found[lane], lane) for lane in new])
        insert_many(unit.conn, leases, [{"lane_id": found[lane], "fence": unit.numbers.fence} for lane in new])
    return found


QUEUED = select(jobs.c.job_id).where(jobs.c.job_id.in_(bindparam("ids", expanding=True)))
"""Which of these jobs are in the queue."""

FINISHED = select(done.c.job_key).where(done.c.job_key.in_(bindparam("keys", expanding=True)))
"""Which of these jobs were done, by their keys."""

_FIRST = (
    select(jobs.c.ordinal, jobs.c.job_no, jobs.c.due, lanes.c.tenant)
    .join(lanes, lanes.c.lane_id == jobs.c.lane_id)
    .where(jobs.c.lane_id == bindparam("lane_id"), jobs.c.worker == bindparam("worker"), jobs.c.died.is_(None))
    .order_by(jobs.c.ordinal, jobs.c.job_no)
    .limit(1)
)
_LEFT = select(jobs.c.job_no).where(
    jobs.c.lane_id == heads.c.lane_id, jobs.c.worker == heads.c.worker, jobs.c.died.is_(None)
)
_NO_HEAD = delete(heads).where(
    heads.c.lane_id == bindparam("lane"), heads.c.worker == bindparam("name"), ~_LEFT.exists()
)
_NEW_HEAD = """ON CONFLICT (lane_id, worker)
    DO UPDATE SET ordinal = excluded.ordinal, job_no = excluded.job_no, due = excluded.due"""
_EARLIER_HEAD = f"{_NEW_HEAD} WHERE (excluded.ordinal, excluded.job_no) < (heads.ordinal, heads.job_no)"


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """A job, its tenant and the number of its lane."""

    job_id: str
    tenant: str
    lane_id: int
    worker: str
    ordinal: int
    seqs: tuple[int, ...]
    payload: str = ""


def job_key(job_id: str) -> bytes:
    """What remembers, in 16 bytes, that a job was done."""
    return key(job_id)


def queue(unit: Unit, wanted: Sequence[NewJob], known: Mapping[Lane, int] | None = None) -> int:
    """Queue those jobs that never were; how many. Lanes whose numbers are `known` are not looked up."""
    for job in wanted:
        for name in ("job_id", "worker"):
            checked(getattr(job, name), f"job field {name}")
    new = {job.job_id: job for job in wanted}
    for some in chunks(list(new)):
        waiting = unit.conn.execute(QUEUED, {"ids": some}).scalars()
        keys = {job_key(job_id): job_id for job_id in some}
        finished = unit.conn.execute(FINISHED, {"keys": list(keys)}).scalars()
        for job_id in [*waiting, *(keys[bytes(one)] for one in finished)]:
            new.pop(job_id, None)
    numbers = dict(known or {})
    numbers |= make_lanes(unit, {job.lane for job in new.values()} - numbers.keys())
    place(
        unit,
        [
            QueuedJob(
                job.job_id,
                job.lane.tenant,
                numbers[job.lane],
                job.worker,
                job.ordinal,
                job.seqs,
                payload_body(job.payload),
            )
            for job in new.values()
        ],
    )
    return len(new)


def remember_windows(conn: Connection, lane_id: int, cut: Sequence[NewJob]) -> None:
    """Note which job reads which events of the lane."""
    rows = [
        {"lane_id": lane_id, "last_seq": job.seqs[-1], "first_seq": job.seqs[0], "job_id": job.job_id} for job in cut
    ]
    insert_many(conn, windows, rows, "ON CONFLICT DO NOTHING")


def place(unit: Unit, placed: Sequence[QueuedJob]) -> None:
    """Queue jobs known to be new, in this order."""
    if not placed:
        return
    first, rows = unit.numbers.job + 1, list[Row]()
    for number, job in enumerate(placed, first):
        rows.append(
            {
                "job_no": number,
                "job_id": job.job_id,
                "lane_id": job.lane_id,
                "worker": job.worker,
                "ordinal": job.ordinal,
                "seqs": json.dumps(job.seqs),
                "payload": job.payload,
            }
        )
    unit.numbers.job += len(rows)
    unit.numbers.backlog += len(rows)
    unit.queued = True
    insert_many(unit.conn, jobs, rows)
    best: dict[tuple[int, str], Row] = {}
    tenants = {job.lane_id: job.tenant for job in placed}
    for row in rows:
        head = {name: row[name] for name in ("lane_id", "worker", "ordinal", "job_no")}
        head |= {"due": 0, "tenant": tenants[row["lane_id"]]}
        other = best.setdefault((row["lane_id"], row["worker"]), head)
        if head["ordinal"] < other["ordinal"]:
            best[row["lane_id"], row["worker"]] = head
    insert_many(unit.conn, heads, list(best.values()), _EARLIER_HEAD)


def refresh_head(conn: Connection, lane_id: int, worker: str) -> None:
    """Find out which job is first, after the first one went, was delayed or came back."""
    if conn.execute(_NO_HEAD, {"lane": lane_id, "name": worker}).rowcount:
        return
    first = conn.execute(_FIRST, {"lane_id": lane_id, "worker": worker}).one_or_none()
    if first is None:
        return
    row = {"lane_id": lane_id, "worker": worker, "ordinal": first.ordinal, "job_no": first.job_no, "due": first.due}
    insert_many(conn, heads, [row | {"tenant": first.tenant}], _NEW_HEAD)


def mark_done(conn: Connection, lane_id: int, job_ids: Sequence[str]) -> None:
    """Remember that these jobs were done, so that none is queued again."""
    rows = [{"job_key": job_key(job_id), "lane_id": lane_id} for job_id in job_ids]
    insert_many(conn, done, rows, "ON CONFLICT DO NOTHING")
