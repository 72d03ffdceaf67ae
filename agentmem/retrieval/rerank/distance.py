"""Node distance: what is linked closely to the centre of the question comes first."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from agentmem.domain.memory import MemoryNode
from agentmem.language.normal import canonical_name
from agentmem.ports.reranker import Inquiry, Rankable

OUT_OF_REACH: Final = -1.0
"""The relevance of a memory that no path leads to; every hop count gives more."""


class NodeDistance:
    """1 / (1 + hops) from the nearest centre, breadth first; `OUT_OF_REACH` where no path leads.

    Memories are one hop apart when they share a key, an entity or a source, or when one is the other's source; being
    about the same person links them only where the items are about several. A centre that is a memory is 0 hops from
    itself; one that is an entity or a key is 1 hop from the memories that have it. Paths run through the items alone.
    """

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """See `Reranker.rerank`."""
        hops = distances([item.memory for item in items], inquiry.centres)
        return [1 / (1 + hop) if hop is not None else OUT_OF_REACH for hop in hops]


def distances(memories: Sequence[MemoryNode], centres: Collection[str]) -> list[int | None]:
    """Hops from the nearest centre to each memory, None where no path leads."""
    several = len({memory.target_id for memory in memories}) > 1
    links = [_links(memory, with_target=several) for memory in memories]
    sharing: defaultdict[str, list[int]] = defaultdict(list)
    for place, names in enumerate(links):
        for name in names:
            sharing[name].append(place)
    hops: dict[int, int] = {place: 0 for place, memory in enumerate(memories) if memory.memory_id in centres}
    elsewhere = set(centres).difference(memories[place].memory_id for place in hops)
    names, walked, hop = {form for name in elsewhere for form in (name, canonical_name(name))}, set[str](), 0
    names = names.union(*(links[place] for place in hops))
    while names:
        hop += 1
        reached = {place for name in names for place in sharing.get(name, ())}.difference(hops)
        hops.update(dict.fromkeys(reached, hop))
        walked |= names
        names = set[str]().union(*(links[place] for place in reached)) - walked
    return [hops.get(place) for place in range(len(memories))]


def _links(memory: MemoryNode, *, with_target: bool) -> set[str]:
    """What others may share with the memory."""
    keys = {canonical_name(key) for key in memory.key}
    own = {memory.memory_id, *memory.source_ids, *memory.entity_ids, *keys}
    return own | {memory.target_id} if with_target else own
