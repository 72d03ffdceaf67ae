"""Memories as the ledger had them at an earlier time.

`at` is kept in the words of its writer, offset included, so times are compared in Python: first which row of each
memory counts, read without bodies, then the bodies of those rows.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, or_, select

from agentmem.adapters.journal.dialect import Record, chunks
from agentmem.adapters.journal.lineages import shown
from agentmem.adapters.journal.redacting import edits_of, redacted
from agentmem.adapters.journal.schema import ledger, memories
from agentmem.adapters.journal.text import stored_node
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus

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
