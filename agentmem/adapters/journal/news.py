"""What reflection should look at, found along partial indexes: what they hold is what is new, not what is stored."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, select

from agentmem.adapters.journal.changes import in_reach
from agentmem.adapters.journal.dialect import Record, Statement
from agentmem.adapters.journal.lanes import in_scope, lane_key
from agentmem.adapters.journal.lineages import shown
from agentmem.adapters.journal.schema import lanes, ledger, memories
from agentmem.adapters.journal.text import stored_node
from agentmem.domain.memory import MemoryNode, MemoryType, microseconds
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.staleness import Attention
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import News

_BODY = select(ledger.c.tenant, ledger.c.memory_id, ledger.c.after).join(memories, memories.c.seq == ledger.c.seq)
_URGENT = and_(memories.c.attention.is_not(None), memories.c.attention < Attention.OPEN.value)


def news(conn: Connection, scope: Scope, limit: int) -> News:
    """See `Ledger.news`."""
    lane = _of_lane(scope)

    def found(why: Attention) -> tuple[MemoryNode, ...]:
        wanted = and_(lane, memories.c.attention.is_not(None), memories.c.attention == why.value)
        newest = (memories.c.timestamp.desc(), memories.c.memory_id)
        return tuple(_nodes(conn, _BODY.where(wanted).order_by(*newest).limit(limit)))

    return News(found(Attention.NEW), found(Attention.DOUBT), found(Attention.OPEN))


def lanes_with_news(conn: Connection, scope: Scope) -> list[Lane]:
    """See `Ledger.lanes_with_news`."""
    mine = in_reach(scope) if scope.target is None else _of_lane(scope)
    newest = select(func.max(memories.c.seq)).where(mine, _URGENT, shown(memories)).group_by(memories.c.lane_key)
    found = select(ledger.c.tenant, ledger.c.agent, ledger.c.target).where(ledger.c.seq.in_(newest))
    return [Lane(*row) for row in conn.execute(found.order_by(ledger.c.seq.desc()))]


def lanes_due(conn: Connection, scope: Scope, now: datetime) -> list[Lane]:
    """See `Ledger.lanes_due`."""
    mine = memories.c.lane_key == lanes.c.lane_key
    due = select(memories.c.memory_id).where(mine, _due(now), shown(memories)).exists()
    found = select(lanes.c.tenant, lanes.c.agent, lanes.c.target).where(in_scope(scope), due)
    return [Lane(*row) for row in conn.execute(found.order_by(lanes.c.lane_id))]


def fading(conn: Connection, scope: Scope, now: datetime, limit: int) -> list[MemoryNode]:
    """See `Ledger.fading`."""
    return _longest_due(conn, scope, and_(_due(now), memories.c.type != MemoryType.INSIGHT.value), limit)


def proving(conn: Connection, scope: Scope, now: datetime, limit: int) -> list[MemoryNode]:
    """See `Ledger.proving`."""
    return _longest_due(conn, scope, and_(_due(now), memories.c.type == MemoryType.INSIGHT.value), limit)


def _due(now: datetime) -> ColumnElement[bool]:
    return and_(memories.c.fades.is_not(None), memories.c.fades <= microseconds(now))


def _longest_due(conn: Connection, scope: Scope, due: ColumnElement[bool], limit: int) -> list[MemoryNode]:
    key = lane_key(Lane(scope.tenant, scope.agent, _target(scope)))
    order = (memories.c.fades, memories.c.memory_id)
    return _nodes(conn, _BODY.where(memories.c.lane_key == key, due).order_by(*order).limit(limit))


def _of_lane(scope: Scope) -> ColumnElement[bool]:
    lane = Lane(scope.tenant, scope.agent, _target(scope))
    return and_(memories.c.tenant == lane.tenant, memories.c.agent == lane.agent, memories.c.lane_key == lane_key(lane))


def _target(scope: Scope) -> str:
    if scope.target is None or scope.beside:
        raise InvalidInput("news and what fades are those of one target: name it in the scope, and no other")
    return scope.target


def _nodes(conn: Connection, bodies: Statement) -> list[MemoryNode]:
    rows: Iterable[Record] = conn.execute(bodies).all()
    found = (stored_node(row.after, row.tenant, row.memory_id) for row in rows if row.after is not None)
    return [node for node in found if node is not None]
