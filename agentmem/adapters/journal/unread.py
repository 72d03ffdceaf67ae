"""Turns that are not in the conversation layer yet: those whose job for its worker waits, or was given up.

The work that waits is small against all that was ever said, so the search begins with `heads` and the dead letters.
"""

from collections.abc import Sequence
from functools import cache

from sqlalchemy import ColumnElement, Connection, and_, bindparam, literal_column, select, true

from agentmem.adapters.journal.dialect import Record, Statement, beside_the_index, chunks
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
    dead, behind, waiting = _statements(scope.target is not None, scope.run is not None)
    names = {"tenant": scope.tenant, "agent": scope.agent, "targets": scope.targets or None, "run": scope.run}
    asked = {name: value for name, value in names.items() if value is not None} | {"worker": worker, "count": limit}
    found: list[Record] = [*conn.execute(dead, asked).all()]
    with_work: Sequence[int] = conn.execute(behind, asked).scalars().all()
    for some in chunks(with_work):
        found.extend(conn.execute(waiting, asked | {"lanes": some}).all())
    return sorted(found)[-limit:]


@cache
def _statements(some_targets: bool, one_run: bool) -> tuple[Statement, Statement, Statement]:
    """Dead turns, lanes with work, turns that wait; made once, for making them takes longer than running them."""
    own = (lanes.c[name] == bindparam(name) for name in ("tenant", "agent"))
    mine = and_(*own, lanes.c.target.in_(bindparam("targets", expanding=True)) if some_targets else true())
    said: ColumnElement[bool] = events.c.run_id == bindparam("run") if one_run else true()
    return _DEAD.where(mine, said), _BEHIND_HEADS.where(mine), _WAITING.where(said)
