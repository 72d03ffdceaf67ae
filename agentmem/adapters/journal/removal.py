"""What goes with an erasure or a removed agent: events, jobs, memories, ledger, and nobody's outcome keeps their
words. Marks and cached vectors stay.

Digests of the ids that were erased are kept, and looked at before an event or a new memory is written. With an
agent goes what is being made from it; what was made from it stays, and so do its digests: what was erased must not
come back because its agent went, too. In the same transaction a mark says that bytes are left to clean up.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, case, delete, func, select, update

from agentmem.adapters.journal.dialect import Record, Row, chunks, insert_many, key
from agentmem.adapters.journal.lanes import find_lanes, in_reach, in_scope, mark_done, refresh_head
from agentmem.adapters.journal.lineages import drop, find, is_bound, keep, made_from
from agentmem.adapters.journal.schema import (
    agents,
    dependencies,
    done,
    events,
    heads,
    jobs,
    lanes,
    leases,
    ledger,
    marks,
    memories,
    tombstones,
    windows,
)
from agentmem.adapters.journal.transactions import Unit
from agentmem.adapters.journal.writable import checked, payload_body, read_payload, seqs_of
from agentmem.domain.entity import graph_lane
from agentmem.domain.ids import derived_id, ids_in
from agentmem.domain.lineage import lineage_id
from agentmem.domain.payload import CustomPayload, LinkMemories
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import InvalidInput, Unreadable
from agentmem.ports.erasure import Erased, Erasure, Owed

_BURIED = select(tombstones.c.key, tombstones.c.seq).where(tombstones.c.key.in_(bindparam("keys", expanding=True)))


def memory_key(tenant: str, memory_id: str) -> bytes:
    """What stands for an erased memory."""
    return key("memory", tenant, memory_id)


def edited_key(tenant: str, memory_id: str) -> bytes:
    """What stands for a memory that an erasure left with other words, or let be made anew; its number is the last row
    of the ledger then. Nothing is refused for it: what a backup of before says of that memory does not come back."""
    return key("edited", tenant, memory_id)


def buried(conn: Connection, keys: Iterable[bytes]) -> dict[bytes, int]:
    """Those of the keys that have a tombstone, with the number their event had."""
    found: dict[bytes, int] = {}
    for some in chunks(list(keys)):
        found.update((bytes(row[0]), row[1]) for row in conn.execute(_BURIED, {"keys": some}))
    return found


def bury(conn: Connection, tenant: str, agent: str, keys: Iterable[tuple[bytes, int]]) -> None:
    """Set tombstones of this agent."""
    owner = key(tenant, agent)
    rows: list[Row] = [{"key": each, "owner": owner, "seq": seq} for each, seq in keys]
    insert_many(conn, tombstones, rows, "ON CONFLICT (key) DO UPDATE SET seq = excluded.seq")


def unbury(conn: Connection, scope: Scope) -> None:
    """Take all tombstones of an agent away, because the agent itself is gone."""
    conn.execute(delete(tombstones).where(tombstones.c.owner == key(scope.tenant, scope.agent)))


_LAST_TURN = (
    select(func.coalesce(func.max(events.c.seq), 0))
    .where(events.c.lane_id == lanes.c.lane_id, events.c.kind == "turn_spoken")
    .scalar_subquery()
)
_FEWER = update(jobs).where(jobs.c.job_id == bindparam("id")).values(seqs=bindparam("rest"))
_OTHER_PAYLOAD = update(jobs).where(jobs.c.job_id == bindparam("id")).values(payload=bindparam("body"))
_UNSTAGE = update(jobs).values(staged=None, reason=case((jobs.c.died.is_(None), None), else_="its words were erased"))


def count_jobs(conn: Connection, whole: Sequence[Lane]) -> int:
    """How many jobs, dead ones included, these lanes have."""
    numbers = list(find_lanes(conn, whole).values())
    counted = select(func.count()).select_from(jobs)
    return sum(int(conn.execute(counted.where(jobs.c.lane_id.in_(some))).scalar_one()) for some in chunks(numbers))


def take_work_back(unit: Unit, scope: Scope, erasure: Erasure) -> int:
    """Remove the jobs of which nothing is left, and those whose payload was made of erased words, or may have been; the
    rest of their lanes is thought about anew. How many were removed."""
    conn = unit.conn
    lost, gone = set(erasure.seqs), frozenset(erasure.memory_ids)
    changed = lost | {seq for seq, _ in erasure.rewritten}
    removed = 0
    for some in chunks(sorted(_lanes(conn, scope, erasure, changed))):
        for row in conn.execute(select(jobs).where(jobs.c.lane_id.in_(some))).all():
            removed += _strip(unit, row, lost, changed) or _without(unit, row, gone)
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


def _without(unit: Unit, job: Record, gone: frozenset[str]) -> bool:
    """Take the ids of memories that went out of a job that names memories; whether none was left, so that it went."""
    if not job.payload or seqs_of(job.seqs) or gone.isdisjoint(ids_in(job.payload)):
        return False
    payload = read_payload(job.payload)
    if not isinstance(payload, LinkMemories):
        return False
    rest = tuple(memory_id for memory_id in payload.memory_ids if memory_id not in gone)
    if not rest:
        _remove(unit, job)
        return True
    fewer = payload_body(payload.revised(memory_ids=rest))
    unit.conn.execute(_OTHER_PAYLOAD, {"id": job.job_id, "body": fewer})
    return False


def _strip(unit: Unit, job: Record, lost: Collection[int], changed: Collection[int]) -> bool:
    """Whether the job had to go."""
    seqs = seqs_of(job.seqs)
    rest = [seq for seq in seqs if seq not in lost]
    made_of_them = any(seq in changed for seq in seqs) if seqs else made_of_unknown(job.payload)
    if len(rest) == len(seqs) and not (job.payload and made_of_them):
        return False
    if rest and not job.payload:
        unit.conn.execute(_FEWER, {"id": job.job_id, "rest": json.dumps(rest)})
        return False
    _remove(unit, job)
    return True


def _remove(unit: Unit, job: Record) -> None:
    unit.conn.execute(delete(jobs).where(jobs.c.job_id == job.job_id))
    mark_done(unit.conn, job.lane_id, [job.job_id])
    if job.died is None:
        unit.numbers.backlog -= 1
        refresh_head(unit.conn, job.lane_id, job.worker)


def made_of_unknown(payload: str) -> bool:
    """Whether the payload of a job without events may hold anybody's words: those of workers that are not built in, and
    what cannot be read."""
    try:
        return isinstance(read_payload(payload), CustomPayload)
    except Unreadable:
        return True


def purge(unit: Unit, scope: Scope) -> list[str]:
    """Remove everything in scope; the ids of the memories there were."""
    if scope.run is not None or scope.beside:
        raise InvalidInput("a purge removes an agent or one target, not a run: leave all else out of the scope")
    of_lanes = select(lanes.c.lane_id).where(in_scope(scope)).scalar_subquery()
    mine = in_reach(scope)
    conn = unit.conn
    ids = [str(row) for row in conn.execute(select(memories.c.memory_id).where(mine)).scalars()]
    alive = select(func.count()).select_from(jobs).where(jobs.c.lane_id.in_(of_lanes), jobs.c.died.is_(None))
    unit.numbers.backlog -= int(conn.execute(alive).scalar_one())
    highest = conn.execute(select(func.max(leases.c.fence)).where(leases.c.lane_id.in_(of_lanes))).scalar_one()
    unit.numbers.fence = max(unit.numbers.fence, highest or 0)
    of_memories = select(memories.c.memory_id).where(mine).scalar_subquery()
    conn.execute(delete(ledger).where(ledger.c.memory_id.in_(of_memories)))
    conn.execute(delete(dependencies).where(dependencies.c.memory_id.in_(of_memories)))
    conn.execute(delete(memories).where(mine))
    for table in (events, heads, jobs, done, windows, leases):
        conn.execute(delete(table).where(table.c.lane_id.in_(of_lanes)))
    conn.execute(delete(lanes).where(in_scope(scope)))
    if scope.target is None:
        conn.execute(delete(agents).where(agents.c.tenant == scope.tenant, agents.c.agent == scope.agent))
        drop(conn, scope.tenant, scope.agent)
        ids += purge_unfinished(unit, scope)
    return ids


def remove(unit: Unit, scope: Scope, now: datetime) -> list[str]:
    """Remove a whole agent; the ids of the memories there were. That it was hired, or made from one that was, stays
    known with the contract, and its id is not given again: else a file of it would come back bound by nothing."""
    lineage = find(unit.conn, lineage_id(scope.tenant, scope.agent))
    is_copy = lineage is not None and lineage.is_copy
    contract = lineage if is_copy and is_bound(unit.conn, scope.tenant, scope.agent) else None
    ids = purge(unit, scope)
    if contract is not None:
        keep(unit.conn, contract.revised(state="released", released_at=contract.released_at or now))
    return ids


def wipe(unit: Unit, scope: Scope) -> list[str]:
    """Remove everything in scope, as if it had never been; the ids of the memories there were."""
    ids = purge(unit, scope)
    if scope.target is None:
        unbury(unit.conn, scope)
    return ids


def purge_unfinished(unit: Unit, source: Scope) -> list[str]:
    """Remove the agents that are being made from this one; the ids of the memories they had."""
    begun = (copy for copy in made_from(unit.conn, source.tenant, source.agent) if copy.state == "making")
    return [memory_id for copy in begun for memory_id in purge(unit, Scope(copy.tenant, copy.agent_id))]


MARK = "forgetting/"
"""Begins the names of the marks of what is left to clean up."""
OWED: Final = "owed/"
DEBTS: Final[Mapping[str, type[Owed | Erased]]] = {OWED: Owed, MARK: Erased}
"""What erasures left to be done: what the names of their marks begin with, and what these hold."""


def mark(unit: Unit, erased: Erased) -> Erased:
    """Note that this is left to clean up."""
    row = {"name": checked(MARK + erased.run, "run"), "value": erased.model_dump_json()}
    insert_many(unit.conn, marks, [row], "ON CONFLICT DO NOTHING")
    return erased


def remove_marked(unit: Unit, scope: Scope, now: datetime) -> Erased:
    """Remove an agent that is there, or was."""
    going = _of(unit, scope, now)
    return _marked(unit, going.revised(memory_ids=tuple(sorted(remove(unit, scope, now)))))


def purge_marked(unit: Unit, scope: Scope, now: datetime) -> list[str]:
    """Remove an agent that is being made, or is given back; the ids of its memories."""
    going, ids = _of(unit, scope, now), purge(unit, scope)
    _marked(unit, going.revised(memory_ids=tuple(sorted(ids))))
    return ids


def _of(unit: Unit, scope: Scope, now: datetime) -> Erased:
    """What is there to be removed, apart from memories. Of equal moments the ledger's number tells removals apart."""
    numbered = select(events.c.event_key).join(lanes, lanes.c.lane_id == events.c.lane_id).where(in_scope(scope))
    heard = unit.conn.execute(numbered).scalars().all()
    last = select(memories.c.seq).where(in_reach(scope)).order_by(memories.c.seq.desc()).limit(1)
    head = unit.conn.execute(last).scalar() or 0
    return Erased(
        run=derived_id("remove", scope.tenant, scope.agent, now.isoformat(), head),
        tenant=scope.tenant,
        agent_id=scope.agent,
        at=now,
        events=tuple(sorted(bytes(each).hex() for each in heard)),
    )


def _marked(unit: Unit, erased: Erased) -> Erased:
    return mark(unit, erased) if erased.memory_ids or erased.events else erased
