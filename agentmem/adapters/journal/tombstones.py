"""What was erased and must not come back: digests of ids, looked at before an event or a new memory is written."""

from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, delete, select

from agentmem.adapters.journal.dialect import Row, chunks, insert_many, key
from agentmem.adapters.journal.schema import tombstones
from agentmem.domain.scope import Scope

_BURIED = select(tombstones.c.key, tombstones.c.seq).where(tombstones.c.key.in_(bindparam("keys", expanding=True)))


def memory_key(tenant: str, memory_id: str) -> bytes:
    """What stands for an erased memory."""
    return key("memory", tenant, memory_id)


def buried(conn: Connection, keys: Iterable[bytes]) -> dict[bytes, int]:
    """Those of the keys that have a tombstone, with the number their event had."""
    found: dict[bytes, int] = {}
    for some in chunks(list(keys)):
        found.update((bytes(row[0]), row[1]) for row in conn.execute(_BURIED, {"keys": some}))
    return found


def bury(conn: Connection, tenant: str, agent: str, keys: Iterable[tuple[bytes, int]]) -> None:
    """Set tombstones of this agent."""
    owner = key(tenant, agent)
    rows: list[Row] = [{"key": each, "owner": owner, "seq": seq} for each, seq in keys]
    insert_many(conn, tombstones, rows, "ON CONFLICT DO NOTHING")


def unbury(conn: Connection, scope: Scope) -> None:
    """Take all tombstones of an agent away, because the agent itself is gone."""
    conn.execute(delete(tombstones).where(tombstones.c.owner == key(scope.tenant, scope.agent)))
