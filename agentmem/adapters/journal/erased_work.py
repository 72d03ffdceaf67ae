"""What an erasure does to work: jobs that lost their events go, and nobody's outcome keeps words that were erased."""

import json
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, bindparam, case, delete, func, select, update

from agentmem.adapters.journal.dialect import Record, chunks
from agentmem.adapters.journal.lanes import find_lanes, in_scope
from agentmem.adapters.journal.queueing import mark_done, refresh_head
from agentmem.adapters.journal.schema import events, jobs, lanes, leases, memories
from agentmem.adapters.journal.text import seqs_of
from agentmem.adapters.journal.unit import Unit
from agentmem.domain.entity import graph_lane
from agentmem.domain.scope import Lane, Scope
from agentmem.ports.erasure import Erasure

_LAST_TURN = (
    select(func.coalesce(func.max(events.c.seq), 0))
    .where(events.c.lane_id == lanes.c.lane_id, events.c.kind == "turn_spoken")
    .scalar_subquery()
)
_FEWER = update(jobs).where(jobs.c.job_id == bindparam("id")).values(seqs=bindparam("rest"))
_UNSTAGE = update(jobs).values(staged=None, reason=case((jobs.c.died.is_(None), None), else_="its words were erased"))


def count_jobs(conn: Connection, whole: Sequence[Lane]) -> int:
    """How many jobs, dead ones included, these lanes have."""
    numbers = list(find_lanes(conn, whole).values())
    counted = select(func.count()).select_from(jobs)
    return sum(int(conn.execute(counted.where(jobs.c.lane_id.in_(some))).scalar_one()) for some in chunks(numbers))


def take_work_back(unit: Unit, scope: Scope, erasure: Erasure) -> int:
    """Remove the jobs of which nothing is left, and those whose note was made of erased words; the rest of their lanes
    is thought about anew. How many were removed."""
    conn = unit.conn
    lost = set(erasure.seqs)
    changed = lost | {seq for seq, _ in erasure.rewritten}
    removed = 0
    for some in chunks(sorted(_lanes(conn, scope, erasure, changed))):
        for row in conn.execute(select(jobs).where(jobs.c.lane_id.in_(some))).all():
            removed += _strip(unit, row, lost, changed)
        conn.execute(_UNSTAGE.where(jobs.c.lane_id.in_(some)))
        conn.execute(
            update(leases).where(leases.c.lane_id.in_(some)).values(holder=None, jobs=0, fence=leases.c.fence + 1)
        )
    return removed


def recount_turns(conn: Connection, lane_ids: Collection[int]) -> None:
    """Find out which turn is the last one of these lanes, after some of them went."""
    for some in chunks(sorted(set(lane_ids))):
        conn.execute(update(lanes).where(lanes.c.lane_id.in_(some)).values(turn_seq=_LAST_TURN))


def _lanes(conn: Connection, scope: Scope, erasure: Erasure, changed: Collection[int]) -> set[int]:
    """Every lane that loses events or memories, or has some that were edited; and that of the graph, which is made of
    all others: what was read for it may be erased by now."""
    found = {*find_lanes(conn, [graph_lane(scope.tenant, scope.agent)]).values()}
    of_events = select(events.c.lane_id).join(lanes, lanes.c.lane_id == events.c.lane_id).where(in_scope(scope))
    for some in chunks(sorted(changed)):
        found.update(conn.execute(of_events.where(events.c.seq.in_(some))).scalars())
    of_memories = select(lanes.c.lane_id).join(memories, memories.c.lane_key == lanes.c.lane_key).where(in_scope(scope))
    for some in chunks([*erasure.memory_ids, *erasure.collapsed]):
        found.update(conn.execute(of_memories.where(memories.c.memory_id.in_(some))).scalars())
    return found


def _strip(unit: Unit, job: Record, lost: Collection[int], changed: Collection[int]) -> bool:
    """Whether the job had to go."""
    seqs = seqs_of(job.seqs)
    rest = [seq for seq in seqs if seq not in lost]
    if len(rest) == len(seqs) and not (job.note and any(seq in changed for seq in seqs)):
        return False
    if rest and not job.note:
        unit.conn.execute(_FEWER, {"id": job.job_id, "rest": json.dumps(rest)})
        return False
    unit.conn.execute(delete(jobs).where(jobs.c.job_id == job.job_id))
    mark_done(unit.conn, job.lane_id, [job.job_id])
    if job.died is None:
        unit.numbers.backlog -= 1
        refresh_head(unit.conn, job.lane_id, job.worker)
    return True
