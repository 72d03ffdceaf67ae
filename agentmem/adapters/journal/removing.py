"""Removing whole agents: the rows, and in the same transaction a mark that bytes of them are left to clean up."""

from datetime import datetime

from sqlalchemy import select

from agentmem.adapters.journal.changes import in_reach
from agentmem.adapters.journal.dialect import insert_many
from agentmem.adapters.journal.lanes import in_scope
from agentmem.adapters.journal.purge import purge, remove
from agentmem.adapters.journal.schema import events, lanes, marks, memories
from agentmem.adapters.journal.text import checked
from agentmem.adapters.journal.unit import Unit
from agentmem.domain.ids import derived_id
from agentmem.domain.scope import Scope
from agentmem.ports.erasure import Erased

MARK = "forgetting/"
"""Begins the names of the marks of what is left to clean up."""


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
