"""Putting jobs in line, and keeping `heads` true: the first waiting job of each worker in each lane."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, select

from agentmem.adapters.journal.dialect import Row, chunks, insert_many, key
from agentmem.adapters.journal.lanes import make_lanes
from agentmem.adapters.journal.schema import done, heads, jobs
from agentmem.adapters.journal.text import checked
from agentmem.adapters.journal.unit import Unit
from agentmem.ports.work_queue import NewJob

_KNOWN = select(jobs.c.job_id).where(jobs.c.job_id.in_(bindparam("ids", expanding=True)))
_DONE = select(done.c.job_key).where(done.c.job_key.in_(bindparam("keys", expanding=True)))
_FIRST = (
    select(jobs.c.ordinal, jobs.c.job_no, jobs.c.due)
    .where(jobs.c.lane_id == bindparam("lane_id"), jobs.c.worker == bindparam("worker"), jobs.c.died.is_(None))
    .order_by(jobs.c.ordinal, jobs.c.job_no)
    .limit(1)
)
_NO_HEAD = delete(heads).where(heads.c.lane_id == bindparam("lane"), heads.c.worker == bindparam("name"))
_NEW_HEAD = """ON CONFLICT (lane_id, worker)
    DO UPDATE SET ordinal = excluded.ordinal, job_no = excluded.job_no, due = excluded.due"""
_EARLIER_HEAD = f"{_NEW_HEAD} WHERE (excluded.ordinal, excluded.job_no) < (heads.ordinal, heads.job_no)"


@dataclass(frozen=True, slots=True)
class Placed:
    """A job and the number of its lane."""

    job_id: str
    lane_id: int
    worker: str
    ordinal: int
    seqs: tuple[int, ...]
    note: str = ""


def job_key(job_id: str) -> bytes:
    """What remembers, in 16 bytes, that a job was done."""
    return key(job_id)


def queue(unit: Unit, wanted: Sequence[NewJob]) -> int:
    """Queue those jobs that never were; how many."""
    for job in wanted:
        for name in ("job_id", "worker", "note"):
            checked(getattr(job, name), f"job field {name}")
    new = {job.job_id: job for job in wanted}
    for some in chunks(list(new)):
        known = unit.conn.execute(_KNOWN, {"ids": some}).scalars()
        keys = {job_key(job_id): job_id for job_id in some}
        finished = unit.conn.execute(_DONE, {"keys": list(keys)}).scalars()
        for job_id in [*known, *(keys[bytes(one)] for one in finished)]:
            new.pop(job_id, None)
    numbers = make_lanes(unit, {job.lane for job in new.values()})
    place(
        unit,
        [Placed(job.job_id, numbers[job.lane], job.worker, job.ordinal, job.seqs, job.note) for job in new.values()],
    )
    return len(new)


def place(unit: Unit, placed: Sequence[Placed]) -> None:
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
                "note": job.note,
            }
        )
    unit.numbers.job += len(rows)
    unit.numbers.backlog += len(rows)
    unit.queued = True
    insert_many(unit.conn, jobs, rows)
    best: dict[tuple[int, str], Row] = {}
    for row in rows:
        head = {name: row[name] for name in ("lane_id", "worker", "ordinal", "job_no")} | {"due": 0}
        other = best.setdefault((row["lane_id"], row["worker"]), head)
        if head["ordinal"] < other["ordinal"]:
            best[row["lane_id"], row["worker"]] = head
    insert_many(unit.conn, heads, list(best.values()), _EARLIER_HEAD)


def refresh_head(conn: Connection, lane_id: int, worker: str) -> None:
    """Find out which job is first, after the first one went, was delayed or came back."""
    first = conn.execute(_FIRST, {"lane_id": lane_id, "worker": worker}).one_or_none()
    if first is None:
        conn.execute(_NO_HEAD, {"lane": lane_id, "name": worker})
        return
    row = {"lane_id": lane_id, "worker": worker, "ordinal": first.ordinal, "job_no": first.job_no, "due": first.due}
    insert_many(conn, heads, [row], _NEW_HEAD)


def mark_done(conn: Connection, lane_id: int, job_ids: Sequence[str]) -> None:
    """Remember that these jobs were done, so that none is queued again."""
    rows = [{"job_key": job_key(job_id), "lane_id": lane_id} for job_id in job_ids]
    insert_many(conn, done, rows, "ON CONFLICT DO NOTHING")
