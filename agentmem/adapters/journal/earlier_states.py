"""Memories as the ledger had them at an earlier time, without what forgetting took out of them since; and the events
of turns, which an undo gives their words back.

No row of the ledger is changed: a state that is older than a forgetting is read as the forgetting left it. `at` is
kept in the words of its writer, offset included, so times are compared in Python: first which row of each memory
counts, read without bodies, then the bodies of those rows.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, literal_column, or_, select, update

from agentmem.adapters.journal.dialect import Record, chunks
from agentmem.adapters.journal.lanes import find_lanes
from agentmem.adapters.journal.lineages import shown
from agentmem.adapters.journal.schema import events, jobs, leases, ledger, memories
from agentmem.adapters.journal.writable import event_body, read_event, stored_node
from agentmem.domain.change import Change
from agentmem.domain.episode import OF_THE_TURN, blotted_whole, turn_id
from agentmem.domain.event import TurnSpoken
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Lane
from agentmem.errors import Unreadable

_previous = ledger.alias("previous")
_EDITS = (
    select(
        *(ledger.c.tenant, ledger.c.memory_id, ledger.c.seq, ledger.c.act, ledger.c.after),
        _previous.c.after.label("before"),
    )
    .outerjoin(_previous, _previous.c.seq == ledger.c.prev)
    .where(ledger.c.memory_id.in_(bindparam("ids", expanding=True)), ledger.c.act.in_(("forget", "undo")))
    .order_by(ledger.c.memory_id, ledger.c.seq)
)
_TURNS = select(events.c.seq, events.c.event_id, events.c.body).where(
    events.c.lane_id == bindparam("lane"),
    events.c.run_id == bindparam("run"),
    events.c.kind == literal_column("'turn_spoken'"),
)
_REWRITE = update(events).where(events.c.seq == bindparam("number")).values(body=bindparam("words"))
_FROM_ANOTHER = frozenset({"content", "key", "attribute", "value", "entity_ids", "meta_data"})
"""Fields of a memory that tell its words."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A forgetting that is in force: ledger row `seq` left `after` of `before`."""

    seq: int
    before: MemoryNode
    after: MemoryNode

    def applied(self, state: MemoryNode) -> MemoryNode | None:
        """An earlier state without what was forgotten; None where that is all, or cannot be told from the rest."""
        if self.after.is_forgotten:
            return None
        if state.content == self.before.content:
            return state.revised(**{name: getattr(self.after, name) for name in _FROM_ANOTHER})
        rests_on_less = len(self.after.evidence) < len(self.before.evidence) or (
            len(self.after.source_ids) < len(self.before.source_ids)
        )
        retold = state.memory_type in GRAPH  # whose earlier words may be made of what the later ones are not
        return None if retold or rests_on_less or self.before.content != self.after.content else state


def edits_of(conn: Connection, memory_ids: Sequence[str]) -> dict[str, list[Edit]]:
    """The forgettings in force that left something of these memories, oldest first."""
    rows: dict[str, list[Record]] = defaultdict(list)
    for some in chunks(memory_ids):
        for row in conn.execute(_EDITS, {"ids": some}):
            rows[row.memory_id].append(row)
    return {memory_id: edits for memory_id, found in rows.items() if (edits := _in_force(found))}


def redacted(state: MemoryNode, seq: int, edits: Iterable[Edit]) -> MemoryNode | None:
    """The state that row `seq` left, as later forgettings leave it; None where it is not told."""
    known: MemoryNode | None = state
    for edit in edits:
        if known is not None and seq < edit.seq:
            known = edit.applied(known)
    return known


def _in_force(rows: Iterable[Record]) -> list[Edit]:
    """An undo that restores what was before a forgetting takes that back, and what was written on top of it."""
    stack: list[Record] = []
    for row in rows:
        if row.act == "forget":
            stack.append(row)
        else:
            back = next((place for place, one in enumerate(stack) if one.before == row.after), len(stack))
            del stack[back:]
    return [edit for row in stack if (edit := _edit(row)) is not None]


def _edit(row: Record) -> Edit | None:
    before, after = (body and stored_node(body, row.tenant, row.memory_id) for body in (row.before, row.after))
    return Edit(row.seq, before, after) if before and after else None


def rewrite_turns(conn: Connection, changes: Iterable[Change]) -> None:
    """Have the events of turns say what these changes leave of their memories, where one forgets or takes that back."""
    told: dict[str, MemoryNode] = {
        change.memory_id: change.after
        for change in changes
        if change.act in ("forget", "undo") and change.after is not None and change.before is not None
        if change.after.memory_type is MemoryType.CONVERSATION
    }
    runs: dict[tuple[Lane, str], dict[str, MemoryNode]] = defaultdict(dict)
    for memory_id, node in told.items():
        if node.run_id is not None:
            runs[node.lane, node.run_id][memory_id] = node
    numbers = find_lanes(conn, {lane for lane, _ in runs})
    for (lane, run), nodes in runs.items():
        for row in conn.execute(_TURNS, {"lane": numbers.get(lane, -1), "run": run}).all():
            node = nodes.get(turn_id(lane.tenant, lane.agent, row.event_id))
            if node is not None:
                _rewrite(conn, row, node)


def _rewrite(conn: Connection, row: Record, node: MemoryNode) -> None:
    try:
        turn = read_event(row.body)
    except Unreadable:
        return
    assert isinstance(turn, TurnSpoken)
    said = {name: value for name, value in node.meta_data.items() if name not in OF_THE_TURN}
    text, meta = (blotted_whole(turn.text), {}) if node.is_forgotten else (node.content, said)
    after = turn.revised(text=text, meta=meta)
    if after != turn:
        conn.execute(_REWRITE, {"number": row.seq, "words": event_body(after)})


def go_ahead(conn: Connection, those: Collection[Lane]) -> None:
    """Let nobody write any more in these lanes what he thought before: leases end, what was staged goes."""
    numbers = [*find_lanes(conn, those).values()]
    for some in chunks(numbers):
        conn.execute(update(jobs).where(jobs.c.lane_id.in_(some)).values(staged=None))
        mine = update(leases).where(leases.c.lane_id.in_(some))
        conn.execute(mine.values(holder=None, jobs=0, fence=leases.c.fence + 1))


_ROWS = (
    select(memories.c.tenant, memories.c.type, ledger.c.memory_id, ledger.c.seq, ledger.c.at)
    .join(ledger, ledger.c.memory_id == memories.c.memory_id)
    .where(
        memories.c.memory_id.in_(bindparam("ids", expanding=True)),
        or_(memories.c.status.is_(None), memories.c.status != StoreStatus.DELETED.value),
        shown(memories),
    )
    .order_by(ledger.c.memory_id, ledger.c.seq)
)
_LEFT = select(ledger.c.memory_id, ledger.c.after, ledger.c.seq).where(
    ledger.c.seq.in_(bindparam("seqs", expanding=True)), ledger.c.after.is_not(None)
)


def load_known(conn: Connection, tenant: str, memory_ids: Sequence[str], known_at: datetime) -> dict[str, MemoryNode]:
    """The memories of the tenant as `Ledger.get` answers them for `known_at`; three statements for all ids of a chunk.
    What is forgotten by now was known at no time."""
    found: dict[str, MemoryNode] = {}
    for some in chunks(memory_ids):
        rows: Iterable[Record] = conn.execute(_ROWS, {"ids": some})
        counting = _counting([row for row in rows if row.tenant == tenant], known_at)
        edits = edits_of(conn, list(counting))
        for memory_id, body, seq in conn.execute(_LEFT, {"seqs": list(counting.values())}):
            state = stored_node(body, tenant, memory_id)
            node = state and redacted(state, seq, edits.get(memory_id, ()))
            if node is not None and _was_known(node, known_at):
                found[memory_id] = node
    return found


def _was_known(node: MemoryNode, known_at: datetime) -> bool:
    return node.memory_type is not MemoryType.CONVERSATION or node.created_at <= known_at


def _counting(rows: Iterable[Record], known_at: datetime) -> dict[str, int]:
    """The row that counts, by memory: the last one written by `known_at`, or else the first one of a turn."""
    counting: dict[str, int] = {}
    for row in rows:
        accepted_before = row.type == MemoryType.CONVERSATION and row.memory_id not in counting
        if accepted_before or datetime.fromisoformat(row.at) <= known_at:
            counting[row.memory_id] = row.seq
    return counting
