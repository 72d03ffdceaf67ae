"""What is told of an entity: its names, then the weightiest of what memories say of it."""

from collections.abc import Iterable, Iterator
from typing import Final

from agentmem.domain.memory import MemoryNode, Modality, StoreStatus

SUMMARY: Final = 1_000
"""Characters of a summary."""

NAMED: Final = 200
"""Characters of the other names before it."""

SUMMARISED: Final = 20
"""Memories a summary is made of, the weightiest first."""

TOLD: Final = (Modality.STATED, Modality.INFERRED, Modality.ASSERTED_BY_AGENT)


def told_of(entity: MemoryNode, said: Iterable[MemoryNode]) -> MemoryNode:
    """The entity with what these memories say of it."""
    sources = _weightiest(said)
    return entity.revised(content=_content(entity, sources), source_ids=tuple(node.memory_id for node in sources))


def _weightiest(memories: Iterable[MemoryNode]) -> list[MemoryNode]:
    """What is held to be true now, at most twenty: the important first, then the newest."""
    held = [node for node in memories if node.store_status is StoreStatus.VALID and node.modality in TOLD]
    return sorted(held, key=lambda node: (-node.importance, -node.timestamp, node.memory_id))[:SUMMARISED]


def _content(entity: MemoryNode, sources: Iterable[MemoryNode]) -> str:
    """The name, the other names, and what is said, whole statements as far as there is room."""
    names = list(_as_far_as(NAMED, (name for name in entity.key if name != entity.value)))
    head = f"{entity.value} ({', '.join(names)})" if names else str(entity.value)
    said = list(_as_far_as(SUMMARY, dict.fromkeys(" ".join(source.content.split()) for source in sources)))
    return f"{head}: {' '.join(said)}" if said else head


def _as_far_as(room: int, texts: Iterable[str]) -> Iterator[str]:
    """Whole texts, one after the other, without those there is no room for."""
    for text in texts:
        if len(text) <= room:
            room -= len(text)
            yield text
