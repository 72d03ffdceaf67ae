"""Writing a commit: compare each memory with what its change expects, then append rows and move the pointers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, bindparam, select

from agentmem.adapters.journal.dialect import Row, chunks, insert_many
from agentmem.adapters.journal.lanes import lane_key
from agentmem.adapters.journal.schema import ledger, memories
from agentmem.adapters.journal.text import checked, node_body, read_node
from agentmem.adapters.journal.tombstones import buried, memory_key
from agentmem.adapters.journal.unit import Unit
from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import Conflict, InvalidInput
from agentmem.ports.ledger import Commit

_STORED = (
    select(memories.c.memory_id, memories.c.tenant, memories.c.seq, ledger.c.after)
    .join(ledger, ledger.c.seq == memories.c.seq)
    .where(memories.c.memory_id.in_(bindparam("ids", expanding=True)))
)
_MOVED = ("tenant", "agent", "lane_key", "run", "type", "status", "timestamp", "revision", "seq")
_MOVE = "ON CONFLICT (memory_id) DO UPDATE SET " + ", ".join(f"{name} = excluded.{name}" for name in _MOVED)


@dataclass(frozen=True, slots=True)
class _State:
    """The last row of a memory (None: it never had one) and what that row left."""

    seq: int | None
    body: str | None


def write_commit(unit: Unit, commit: Commit) -> int:
    """Write the changes; the number of the last row. Passed over are a change whose `after` is what is stored, and the
    return of a memory that was erased.

    Raises `Conflict`, having written nothing, where a `before` is not what is stored.
    """
    states = _stored(unit.conn, commit)
    erased = _erased(unit.conn, commit, states)
    rows, current = list[Row](), dict[str, Row]()
    for change in commit.changes:
        if change.memory_id in erased and change.before is None:
            continue
        state = states.get(change.memory_id, _State(None, None))
        node, before, after = _bodies(commit, change)
        if state.body == after:
            continue
        if state.body != before:
            raise Conflict(_conflict(change, state.body))
        unit.numbers.ledger += 1
        seq = unit.numbers.ledger
        rows.append(_row(commit, change, node) | {"seq": seq, "prev": state.seq, "after": after})
        current[change.memory_id] = _pointer(node, seq, gone=after is None)
        states[change.memory_id] = _State(seq, after)
    if rows:
        insert_many(unit.conn, ledger, rows)
        insert_many(unit.conn, memories, list(current.values()), _MOVE)
    return unit.numbers.ledger


def in_reach(scope: Scope) -> ColumnElement[bool]:
    """The condition that picks the memories of an agent, or of one target."""
    if scope.target is not None:
        return memories.c.lane_key == lane_key(Lane(scope.tenant, scope.agent, scope.target))
    return and_(memories.c.tenant == scope.tenant, memories.c.agent == scope.agent)


def _stored(conn: Connection, commit: Commit) -> dict[str, _State]:
    states: dict[str, _State] = {}
    for some in chunks(sorted({change.memory_id for change in commit.changes})):
        for memory_id, tenant, seq, body in conn.execute(_STORED, {"ids": some}):
            if tenant != commit.tenant:
                raise Conflict(f"memory {memory_id} is not of tenant {commit.tenant!r}")
            states[memory_id] = _State(seq, body)
    return states


def _erased(conn: Connection, commit: Commit, states: Mapping[str, _State]) -> set[str]:
    ids = {change.memory_id for change in commit.changes} - states.keys()
    new = {memory_key(commit.tenant, memory_id): memory_id for memory_id in ids}
    return {new[found] for found in buried(conn, new)}


def _bodies(commit: Commit, change: Change) -> tuple[MemoryNode, str | None, str | None]:
    for node in (change.before, change.after):
        if node is not None and node.tenant != commit.tenant:
            raise InvalidInput(f"memory {node.memory_id} is of tenant {node.tenant!r}, its commit {commit.tenant!r}")
    node = change.after or change.before
    assert node is not None
    before = None if change.before is None else node_body(change.before)
    return node, before, None if change.after is None else node_body(change.after)


def _row(commit: Commit, change: Change, node: MemoryNode) -> Row:
    return {
        "tenant": commit.tenant,
        "agent": node.agent_id,
        "target": node.target_id,
        "memory_id": node.memory_id,
        "run": checked(commit.run, "commit field run"),
        "cause": checked(commit.cause, "commit field cause"),
        "at": _iso(commit.at),
        "act": change.act,
        "reason": checked(change.reason, "change field reason"),
    }


def _pointer(node: MemoryNode, seq: int, *, gone: bool) -> Row:
    return {
        "memory_id": node.memory_id,
        "tenant": node.tenant,
        "agent": node.agent_id,
        "lane_key": lane_key(node.lane),
        "run": node.run_id,
        "type": node.memory_type.value,
        "status": None if gone else node.store_status.value,
        "timestamp": node.timestamp,
        "revision": node.revision,
        "seq": seq,
    }


def _iso(at: datetime) -> str:
    if at.tzinfo is None:
        raise InvalidInput(f"commit field at {at.isoformat()} must have a UTC offset")
    return at.isoformat()


def _conflict(change: Change, stored: str | None) -> str:
    held = "nothing" if stored is None else f"revision {read_node(stored).revision}"
    expected = "nothing" if change.before is None else f"revision {change.before.revision}"
    return f"memory {change.memory_id} was changed by somebody else: expected {expected}, found {held}"
