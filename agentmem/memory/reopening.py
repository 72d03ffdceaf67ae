"""What memories that go had ended, as if these had not spoken."""

from collections.abc import Collection, Mapping
from typing import Final

from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.ports.ledger import Ledger

_ENDED_BY_WORD: Final = (MemoryType.OBSERVATION, MemoryType.INSIGHT)
"""Layers in which one memory ends another for what was said; pieces of documents take over from one another."""


async def reopened(ledger: Ledger, gone: Mapping[str, MemoryNode]) -> list[tuple[MemoryNode, dict[str, object]]]:
    """Those that memories which go had ended, with what they were before that: nobody says any more that they are
    over."""
    ended = {key for node in gone.values() if node.memory_type in _ENDED_BY_WORD for key in node.supersedes}
    tenant = next(iter(gone.values())).tenant if gone else ""
    found: list[tuple[MemoryNode, dict[str, object]]] = []
    for node in (await ledger.get(tenant, ended - gone.keys())).values() if ended else ():
        before = await _before(ledger, node, gone)
        if before is not None:
            fields = ("store_status", "invalid_at", "expired_at", "superseded_by")
            found.append((node, {name: getattr(before, name) for name in fields}))
    return found


async def _before(ledger: Ledger, node: MemoryNode, gone: Collection[str]) -> MemoryNode | None:
    """The memory as it was before one of these ended it; None where it was over, or something else ended it."""
    if node.superseded_by not in gone:
        return None
    for entry in reversed(await ledger.history(node.tenant, node.memory_id)):
        before = entry.change.before
        if before is None or before.superseded_by not in gone:
            return before if before is not None and before.store_status is StoreStatus.VALID else None
    return None
