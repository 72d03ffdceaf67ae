"""Writing a commit: compare each memory with what its change expects, then append rows and move the pointers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select

from agentmem.adapters.journal.attention import doubts, record_dependencies
from agentmem.adapters.journal.dialect import Row, chunks, insert_many
from agentmem.adapters.journal.earlier_states import go_ahead, rewrite_turns
from agentmem.adapters.journal.lanes import lane_key
from agentmem.adapters.journal.removal import buried, memory_key
from agentmem.adapters.journal.schema import ledger, memories
from agentmem.adapters.journal.transactions import Unit
from agentmem.adapters.journal.writable import checked, node_body, read_node
from agentmem.domain.change import Change
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType, StoreStatus, microseconds
from agentmem.domain.packed import kept
from agentmem.domain.staleness import attention, fades_at
from agentmem.errors import Conflict, InvalidInput, Unreadable
from agentmem.ports.ledger import Commit

_STORED = (
    select(
        *(memories.c.memory_id, memories.c.tenant, memories.c.seq, ledger.c.after),
        *(memories.c.status, memories.c.attention, memories.c.fades),
    )
    .join(ledger, ledger.c.seq == memories.c.seq)
    .where(memories.c.memory_id.in_(bindparam("ids", expanding=True)))
)
_DERIVED = (MemoryType.OBSERVATION.value, MemoryType.INSIGHT.value)
_MOVED = tuple(column.name for column in memories.c if not column.primary_key)
_MOVE = "ON CONFLICT (memory_id) DO UPDATE SET " + ", ".join(f"{name} = excluded.{name}" for name in _MOVED)


@dataclass(frozen=True, slots=True)
class _State:
    """The last row of a memory (None: it never had one), what that row left, and what its pointer says of it."""

    seq: int | None = None
    body: str | None = None
    status: str | None = None
    attention: int | None = None
    fades: int | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    """A change on its way into the ledger: the state it finds, and the body it leaves."""

    change: Change
    node: MemoryNode
    found: _State
    body: str | None


def write_commit(unit: Unit, commit: Commit) -> int:
    """Write the changes, and with them what they put in doubt; the number of the last row. Passed over are a change
    whose `after` is what is stored, and the return of a memory that was erased.

    Raises `Conflict`, having written nothing, where a `before` is not what is stored.
    """
    _check_beside(unit.conn, commit)
    rows, current = list[Row](), dict[str, Row]()
    last: dict[str, int] = {}
    steps = _steps(unit.conn, commit)
    for step in steps:
        change = step.change
        unit.numbers.ledger += 1
        seq = unit.numbers.ledger
        prev = last.get(change.memory_id, step.found.seq)
        body = step.body and kept(step.body)
        rows.append(_row(commit, change, step.node) | {"seq": seq, "prev": prev, "after": body})
        current[change.memory_id] = _pointer(step, seq)
        last[change.memory_id] = seq
    if rows:
        insert_many(unit.conn, ledger, rows)
        write_pointers(unit.conn, list(current.values()))
        record_dependencies(unit.conn, (step.change for step in steps))
        rewrite_turns(unit.conn, (step.change for step in steps))
    go_ahead(unit.conn, commit.ahead)
    return unit.numbers.ledger


def write_pointers(conn: Connection, rows: Sequence[Row]) -> None:
    """Point memories at their last rows, each named once."""
    insert_many(conn, memories, rows, _MOVE)


def _check_beside(conn: Connection, commit: Commit) -> None:
    """Raise `Conflict` where a lane that was read without its lease has gained a derived memory since."""
    for lane in commit.beside:
        newest = select(func.max(memories.c.seq)).where(
            memories.c.lane_key == lane_key(lane), memories.c.type.in_(_DERIVED)
        )
        if (conn.execute(newest).scalar() or 0) > commit.seen:
            raise Conflict(f"target {lane.target} was written to while it was read")


def preview_commit(conn: Connection, commit: Commit) -> tuple[Change, ...]:
    """The changes that `write_commit` would write now."""
    return tuple(step.change for step in _steps(conn, commit))


def _steps(conn: Connection, commit: Commit) -> list[_Step]:
    """The changes that are not written yet, then the doubts they cause."""
    states = _stored(conn, commit.tenant, commit.changes)
    erased = _erased(conn, commit, states)
    wanted = [change for change in commit.changes if change.before is not None or change.memory_id not in erased]
    steps = [step for change in wanted if (step := _step(states, commit, change)) is not None]
    caused = [] if commit.settled else doubts(conn, commit.tenant, [step.change for step in steps])
    states |= _stored(conn, commit.tenant, [change for change in caused if change.memory_id not in states])
    return [*steps, *(step for change in caused if (step := _step(states, commit, change)) is not None)]


def _step(states: dict[str, _State], commit: Commit, change: Change) -> _Step | None:
    found = states.get(change.memory_id, _State())
    node, before, after = _bodies(commit, change)
    if _same(found.body, after):
        return None
    if before is None and found.status == StoreStatus.DELETED:
        if node.memory_type not in GRAPH:
            return None
    elif not _same(found.body, before):
        raise Conflict(_conflict(change, found.body))
    step = _Step(change, node, found, after)
    states[change.memory_id] = replace(
        found, body=after, status=_status(step), attention=_attention(step), fades=_fades(step)
    )
    return step


def _same(stored: str | None, given: str | None) -> bool:
    """Whether two bodies are of equal memories; an older store may say one in other fields."""
    if stored == given or stored is None or given is None:
        return stored == given
    return node_body(read_node(stored)) == given


def _stored(conn: Connection, tenant: str, changes: Sequence[Change]) -> dict[str, _State]:
    states: dict[str, _State] = {}
    for some in chunks(sorted({change.memory_id for change in changes})):
        for memory_id, owner, *state in conn.execute(_STORED, {"ids": some}):
            if owner != tenant:
                raise Conflict(f"memory {memory_id} is not of tenant {tenant!r}")
            states[memory_id] = _State(*state)
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


def _pointer(step: _Step, seq: int) -> Row:
    node = step.node
    return {
        "memory_id": node.memory_id,
        "tenant": node.tenant,
        "agent": node.agent_id,
        "lane_key": lane_key(node.lane),
        "run": node.run_id,
        "type": node.memory_type.value,
        "status": _status(step),
        "timestamp": node.timestamp,
        "revision": node.revision,
        "seq": seq,
        "attention": _attention(step),
        "fades": _fades(step),
        "record": node.record and node.record.value,
    }


def _status(step: _Step) -> str | None:
    return None if step.body is None else step.node.store_status.value


def _attention(step: _Step) -> int | None:
    """What an undo has quieted stays quiet, unless it begins to hold again or is put in doubt."""
    wanted = None if step.body is None else attention(step.node, step.change.act)
    quiet = step.found.status == StoreStatus.VALID and step.found.attention is None
    asked_for = step.change.act in ("review", "link")
    return None if wanted is None or (quiet and not asked_for) else wanted.value


def _fades(step: _Step) -> int | None:
    due = None if step.body is None else fades_at(step.node, step.change.act)
    kept = step.found.status == StoreStatus.VALID and step.found.fades is None
    return None if due is None or kept else microseconds(due)


def _iso(at: datetime) -> str:
    if at.tzinfo is None:
        raise InvalidInput(f"commit field at {at.isoformat()} must have a UTC offset")
    return at.isoformat()


def _conflict(change: Change, stored: str | None) -> str:
    held = "nothing" if stored is None else _revision(stored)
    expected = "nothing" if change.before is None else f"revision {change.before.revision}"
    return f"memory {change.memory_id} was changed by somebody else: expected {expected}, found {held}"


def _revision(stored: str) -> str:
    try:
        return f"revision {read_node(stored).revision}"
    except Unreadable:
        return "a state that cannot be read"
