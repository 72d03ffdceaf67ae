"""How near in meaning pairs of memories are, for an embedder that knows meaning; spelling alone is told by `relate`."""

from collections.abc import Iterable, Mapping

from agentmem.domain.memory import MemoryNode
from agentmem.language.normal import trigram_similarity
from agentmem.memory.relate import Relations
from agentmem.ports.embedder import Embedder

COMPARED = 64
"""Pairs of one window that are embedded; those that share most wording come first."""

Nearness = Mapping[tuple[str, str], float]
"""Cosine by (newer id, older id)."""


async def nearness(
    pairs: Iterable[tuple[MemoryNode, MemoryNode]], relations: Relations, embedder: Embedder | None
) -> Nearness | None:
    """The cosines of the pairs that words left open; None without an embedder that is semantic."""
    if embedder is None or not embedder.semantic:
        return None
    left = [(new, old) for new, old in pairs if relations.are_open(new, old)]
    left.sort(key=lambda pair: -trigram_similarity(pair[0].content, pair[1].content))
    left = left[:COMPARED]
    if not left:
        return {}
    texts = list(dict.fromkeys(node.content for pair in left for node in pair))
    rows = dict(zip(texts, await embedder.embed(texts, purpose="document"), strict=True))
    return {(new.memory_id, old.memory_id): float(rows[new.content] @ rows[old.content]) for new, old in left}
