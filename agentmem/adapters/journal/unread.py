"""Turns that are not in the conversation layer yet: those whose job for its worker waits, or was given up.

The work that waits is small against all that was ever said, so the search begins with `heads` and the dead letters.
"""

from sqlalchemy import ColumnElement, Connection, bindparam, literal_column, select

from agentmem.adapters.journal.dialect import Record, beside_the_index, chunks
from agentmem.adapters.journal.lanes import in_scope
from agentmem.adapters.journal.schema import events, heads, jobs, lanes
from agentmem.domain.scope import Scope

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
    asked = {"worker": worker, "count": limit}
    mine: list[ColumnElement[bool]] = [] if scope.run is None else [events.c.run_id == scope.run]
    found: list[Record] = list(conn.execute(_DEAD.where(in_scope(scope), *mine), asked))
    waiting = conn.execute(_BEHIND_HEADS.where(in_scope(scope)), {"worker": worker}).scalars().all()
    for some in chunks(waiting):
        found.extend(conn.execute(_WAITING.where(*mine), asked | {"lanes": some}))
    return sorted(found)[-limit:]
