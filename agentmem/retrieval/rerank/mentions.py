"""Episode mentions: what was said more often comes first."""

from collections.abc import Mapping, Sequence

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.ports.reranker import Inquiry, Rankable


class EpisodeMentions:
    """The number of distinct conversation turns a memory rests on.

    An insight rests on observations; where these are among the items, their turns are counted, otherwise each counts
    as one. A turn rests on itself.
    """

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """See `Reranker.rerank`."""
        known = {item.memory.memory_id: item.memory for item in items}
        return [float(len(_turns(item.memory, known))) for item in items]


def _turns(memory: MemoryNode, known: Mapping[str, MemoryNode]) -> set[str]:
    if memory.memory_type is MemoryType.CONVERSATION:
        return {memory.memory_id}
    turns = {part.memory_id for part in memory.evidence}
    for source_id in memory.source_ids:
        source = known.get(source_id)
        spoken = source.evidence if source is not None else ()
        turns |= {part.memory_id for part in spoken} or {source_id}
    return turns
