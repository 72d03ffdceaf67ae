"""Removing an agent, or one target of it: events, jobs, memories, ledger. Marks and cached vectors stay.

With an agent goes what is being made from it; what was made from it stays, and so do its tombstones: what was erased
must not come back because its agent went, too."""

from datetime import datetime

from sqlalchemy import delete, func, select

from agentmem.adapters.journal.changes import in_reach
from agentmem.adapters.journal.lanes import in_scope
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
    memories,
)
from agentmem.adapters.journal.tombstones import unbury
from agentmem.adapters.journal.unit import Unit
from agentmem.domain.lineage import lineage_id
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput


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
    for table in (events, heads, jobs, done, leases):
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
    bound = lineage is not None and lineage.is_copy and is_bound(unit.conn, scope.tenant, scope.agent)
    ids = purge(unit, scope)
    if lineage is not None and bound:
        keep(unit.conn, lineage.revised(state="released", released_at=lineage.released_at or now))
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
