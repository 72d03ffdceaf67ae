"""What programs keep: values under keys, as long-term memories that say their texts; and items of their sessions.

Items have a place, a path of labels, and a key in it. The last label of a path is whom, or what, its items are about.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, RecordType, StoreStatus, local_day
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Lane
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput

TURN = "turn"
"""In `metaData` of such a one: the id of the event that says it, where somebody says something in it."""

PLACE, UNDER, KEY, VALUE, INDEXED, UPDATED = "place", "under", "itemKey", "value", "indexed", "updatedAt"
"""In its `metaData`: its path; every beginning of the path, joined by dots; its key; the value; whether it is to be
found by its words; when it was written last."""


@dataclass(frozen=True, slots=True)
class Namespace:
    """Where the items of one path of an agent are."""

    tenant: str
    agent_id: str
    agent_name: str
    path: tuple[str, ...]

    def item_id(self, key: str) -> str:
        """The id of the item under this key; the same for ever."""
        return derived_id("item", self.tenant, self.agent_id, json.dumps(self.path), key)


def item(
    namespace: Namespace,
    key: str,
    value: Mapping[str, JsonValue],
    texts: Sequence[str],
    *,
    before: MemoryNode | None,
    timestamp: int,
    now: datetime,
) -> MemoryNode:
    """The item as it is from now on, in place of what it was `before`. Without texts it is not found by words. One that
    had ended begins anew. Raises `InvalidInput` for labels that can name nobody."""
    name = _name(namespace.path[-1])
    again = before is not None and before.store_status is StoreStatus.VALID
    meta: dict[str, JsonValue] = {
        "title": "/".join(namespace.path),
        PLACE: [*namespace.path],
        UNDER: [".".join(namespace.path[:end]) for end in range(1, len(namespace.path) + 1)],
        KEY: key,
        VALUE: dict(value),
        INDEXED: bool(texts),
        UPDATED: now.isoformat(),
    }
    return MemoryNode(
        memory_id=namespace.item_id(key),
        tenant=namespace.tenant,
        agent_id=namespace.agent_id,
        user_name=namespace.agent_name,
        target_id=entity_id(namespace.tenant, namespace.agent_id, canonical_name(name)),
        target_name=name,
        memory_type=MemoryType.LONGTERM,
        record=RecordType.ITEM,
        kind=RecordType.ITEM.value,
        content="\n".join(texts) or key or "(no text)",
        timestamp=before.timestamp if before else timestamp,
        dt=local_day(now),
        valid_at=before.valid_at if before and again else now,
        created_at=before.created_at if before and again else now,
        revision=before.revision + 1 if before else 1,
        obs_updated=before.obs_updated + 1 if before else 0,
        meta_data=meta,
    )


def session_item(
    lane: Lane, names: tuple[str, str], run_id: str, content: str, *, turn: str | None, timestamp: int, now: datetime
) -> MemoryNode:
    """One item of a session, as text. It states nothing, so it was never true: no search and no list finds it. `names`
    are those of the agent and of the person."""
    return MemoryNode(
        memory_id=str(uuid4()),
        tenant=lane.tenant,
        agent_id=lane.agent,
        user_name=names[0],
        target_id=lane.target,
        target_name=names[1],
        run_id=run_id,
        memory_type=MemoryType.LONGTERM,
        record=RecordType.SESSION_ITEM,
        kind=RecordType.SESSION_ITEM.value,
        content=content,
        store_status=StoreStatus.EXPIRED,
        ending=Ending.RECORD,
        timestamp=timestamp,
        dt=local_day(now),
        valid_at=now,
        invalid_at=now,
        created_at=now,
        expired_at=now,
        meta_data={} if turn is None else {TURN: turn},
    )


def _name(label: str) -> str:
    name = "".join(ch for ch in label if ch.isprintable()).strip()[:200].strip()
    if not name or name in ("*", "."):
        raise InvalidInput(f"namespace label {label!r} can name nobody")
    return name
