"""Communities that bear on a question: what a context says of the whole, only where the whole may be seen."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.retrieval.query import Recalled, RecallQuery

MOST: Final = 3
"""Communities in a context."""


async def communities(recall: Callable[[RecallQuery], Awaitable[Recalled]], query: RecallQuery) -> list[MemoryNode]:
    """The nearest ones. None for a question about one person, about the past, or about some kinds of memory only: a
    summary tells of everybody, of today and of all there is."""
    narrow = query.scope.target or query.scope.run or query.as_of or query.known_at or query.types or query.filter
    if narrow:
        return []
    found = await recall(replace(query, types=(MemoryType.COMMUNITY,), k=MOST, hops=0, rerank=False))
    return [] if found.abstained else [hit.memory for hit in found.hits]
