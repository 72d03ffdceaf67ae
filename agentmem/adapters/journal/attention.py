"""Which memories want to be looked at: those that rest on one which ends or changes, followed through the table of
dependencies inside the transaction that writes the cause; and what reflection finds along partial indexes, which
hold what is new, not what is stored.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, and_, bindparam, func, select

from agentmem.adapters.journal.dialect import Record, Row, Statement, chunks, insert_many
from agentmem.adapters.journal.lanes import in_reach, in_scope, lane_key
from agentmem.adapters.journal.lineages import shown
from agentmem.adapters.journal.schema import dependencies, lanes, ledger, memories
from agentmem.adapters.journal.writable import stored_node
from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode, MemoryType, microseconds
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.staleness import DERIVED_ANEW, Attention, doubted, rests_on, undermines
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import News

_RESTING = (
    select(dependencies.c.source_id, dependencies.c.memory_id)
    .where(dependencies.c.source_id.in_(bindparam("ids", expanding=True)))
    .order_by(dependencies.c.source_id, dependencies.c.memory_id)
)
_BODIES = (
    select(memories.c.memory_id, memories.c.tenant, ledger.c.after)
    .join(ledger, ledger.c.seq == memories.c.seq)
    .where(memories.c.memory_id.in_(bindparam("ids", expanding=True)), memories.c.status.is_not(None))
)


def doubts(conn: Connection, tenant: str, changes: Sequence[Change]) -> list[Change]:
    """The changes that put in doubt what rests on memories these changes end or change, at any remove, each once."""
    roots = list(dict.fromkeys(change.memory_id for change in changes if undermines(change)))
    if not roots:
        return []
    spared = {change.memory_id for change in changes if change.act in DERIVED_ANEW}
    removed = {change.memory_id for change in changes if change.after is None}
    reach = _Reach(conn, tenant, {change.memory_id: change.after or change.before for change in changes}, spared)
    reach.explore(roots)
    found: list[Change] = []
    for memory_id, causes in reach.causes(roots).items():
        before = reach.nodes[memory_id]
        after = None if before is None or memory_id in removed else doubted(before, causes)
        if after is not None:
            found.append(
                Change(act="review", before=before, after=after, reason="what it is based on ended or changed")
            )
    return found


def record_dependencies(conn: Connection, changes: Iterable[Change]) -> None:
    """Write down what the new states rest on. Rows of earlier states stay: whoever follows one looks at the state."""
    rows: list[Row] = []
    for change in changes:
        if change.after is not None:
            known = frozenset[str]() if change.before is None else rests_on(change.before)
            new = sorted(rests_on(change.after) - known)
            rows += [{"source_id": source, "memory_id": change.memory_id} for source in new]
    insert_many(conn, dependencies, rows, "ON CONFLICT DO NOTHING")


@dataclass(slots=True)
class _Reach:
    """What rests on the roots. `nodes` begins with what the commit itself leaves, and with what a removed memory was,
    so that the way leads through it; what the commit derives anew is `spared`."""

    conn: Connection
    tenant: str
    nodes: dict[str, MemoryNode | None]
    spared: set[str]
    above: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def explore(self, roots: Iterable[str]) -> None:
        """Follow the dependencies level by level; each memory is looked at once, so a cycle ends."""
        written = _resting(self.nodes)
        seen = set(roots)
        level = sorted(seen)
        while level:
            pairs = [*self._stored(level), *((source, each) for source in level for each in written.get(source, ()))]
            self._load({memory_id for _, memory_id in pairs} - self.nodes.keys())
            following: set[str] = set()
            for source, memory_id in dict.fromkeys(pairs):
                if self._rests(memory_id, source):
                    self.above.setdefault(source, []).append(memory_id)
                    following.add(memory_id)
            level = sorted(following - seen)
            seen |= following

    def causes(self, roots: Iterable[str]) -> dict[str, list[str]]:
        """For each memory reached, the roots it was reached from."""
        found: dict[str, list[str]] = {}
        for root in roots:
            seen, rest = {root}, [root]
            while rest:
                for memory_id in self.above.get(rest.pop(), ()):
                    if memory_id not in seen:
                        seen.add(memory_id)
                        rest.append(memory_id)
                        found.setdefault(memory_id, []).append(root)
        return found

    def _rests(self, memory_id: str, source: str) -> bool:
        node = self.nodes.get(memory_id)
        return node is not None and memory_id not in self.spared and source in rests_on(node)

    def _stored(self, level: Sequence[str]) -> Iterator[tuple[str, str]]:
        for some in chunks(level):
            yield from ((row[0], row[1]) for row in self.conn.execute(_RESTING, {"ids": some}))

    def _load(self, unknown: Iterable[str]) -> None:
        for some in chunks(sorted(unknown)):
            for memory_id, owner, body in self.conn.execute(_BODIES, {"ids": some}):
                if owner == self.tenant:
                    self.nodes[memory_id] = stored_node(body, owner, memory_id)


def _resting(nodes: Mapping[str, MemoryNode | None]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for memory_id, node in nodes.items():
        for source in rests_on(node) if node is not None else ():
            found.setdefault(source, []).append(memory_id)
    return found


_BODY = select(ledger.c.tenant, ledger.c.memory_id, ledger.c.after).join(memories, memories.c.seq == ledger.c.seq)
_URGENT = and_(memories.c.attention.is_not(None), memories.c.attention < Attention.OPEN.value)
_OF_LANE = and_(*(memories.c[name] == bindparam(name) for name in ("tenant", "agent", "lane_key")))
_NEWS = (
    _BODY.where(_OF_LANE, memories.c.attention.is_not(None), memories.c.attention == bindparam("why"))
    .order_by(memories.c.timestamp.desc(), memories.c.memory_id)
    .limit(bindparam("count"))
)
_DUE = and_(memories.c.fades.is_not(None), memories.c.fades <= bindparam("now"))
_LONGEST_DUE = (
    _BODY.where(memories.c.lane_key == bindparam("lane_key"), _DUE)
    .order_by(memories.c.fades, memories.c.memory_id)
    .limit(bindparam("count"))
)
_FADING = _LONGEST_DUE.where(memories.c.type != MemoryType.INSIGHT.value)
_PROVING = _LONGEST_DUE.where(memories.c.type == MemoryType.INSIGHT.value)


def news(conn: Connection, scope: Scope, limit: int) -> News:
    """See `Ledger.news`."""

    def found(why: Attention) -> tuple[MemoryNode, ...]:
        return tuple(_nodes(conn, _NEWS, _lane_of(scope) | {"why": why.value, "count": limit}))

    return News(found(Attention.NEW), found(Attention.DOUBT), found(Attention.OPEN))


def lanes_with_news(conn: Connection, scope: Scope) -> list[Lane]:
    """See `Ledger.lanes_with_news`."""
    mine, asked = (in_reach(scope), Row()) if scope.target is None else (_OF_LANE, _lane_of(scope))
    newest = select(func.max(memories.c.seq)).where(mine, _URGENT, shown(memories)).group_by(memories.c.lane_key)
    found = select(ledger.c.tenant, ledger.c.agent, ledger.c.target).where(ledger.c.seq.in_(newest))
    return [Lane(*row) for row in conn.execute(found.order_by(ledger.c.seq.desc()), asked)]


def lanes_due(conn: Connection, scope: Scope, now: datetime) -> list[Lane]:
    """See `Ledger.lanes_due`."""
    mine = memories.c.lane_key == lanes.c.lane_key
    due = select(memories.c.memory_id).where(mine, _DUE, shown(memories)).exists()
    found = select(lanes.c.tenant, lanes.c.agent, lanes.c.target).where(in_scope(scope), due)
    return [Lane(*row) for row in conn.execute(found.order_by(lanes.c.lane_id), {"now": microseconds(now)})]


def fading(conn: Connection, scope: Scope, now: datetime, limit: int) -> list[MemoryNode]:
    """See `Ledger.fading`."""
    return _nodes(conn, _FADING, _lane_of(scope) | {"now": microseconds(now), "count": limit})


def proving(conn: Connection, scope: Scope, now: datetime, limit: int) -> list[MemoryNode]:
    """See `Ledger.proving`."""
    return _nodes(conn, _PROVING, _lane_of(scope) | {"now": microseconds(now), "count": limit})


def _lane_of(scope: Scope) -> Row:
    if scope.target is None or scope.beside:
        raise InvalidInput("news and what fades are those of one target: name it in the scope, and no other")
    lane = Lane(scope.tenant, scope.agent, scope.target)
    return {"tenant": lane.tenant, "agent": lane.agent, "lane_key": lane_key(lane)}


def _nodes(conn: Connection, bodies: Statement, asked: Row) -> list[MemoryNode]:
    rows: Iterable[Record] = conn.execute(bodies, asked).all()
    found = (stored_node(row.after, row.tenant, row.memory_id) for row in rows if row.after is not None)
    return [node for node in found if node is not None]
