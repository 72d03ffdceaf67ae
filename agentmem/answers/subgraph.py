"""What a walk found, as passages and as a picture: what is said of each entity, and what links them.

All of it is made of memories that the question may see. What is stored as an entity's summary speaks of everybody and
is not used.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agentmem.answers.passages import Passage, Scale, scale_of
from agentmem.answers.sight import Sight
from agentmem.answers.split import is_nested
from agentmem.domain.entity import mentions_of, named
from agentmem.domain.memory import MemoryNode
from agentmem.graph.walk import Link, Walk

WALKED: Final = 200
"""Memories that one walk leads over."""

PICTURED: Final = 40
"""Lines of a picture."""

_RESERVED: Final = str.maketrans("():[]>\n", "_______")


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A walk with the memories it went over. `passages` are best first; `led` are those of its last step that led to
    each entity."""

    walk: Walk
    memories: Mapping[str, MemoryNode]
    passages: tuple[Passage, ...]
    led: Mapping[str, Passage]

    def next_to(self, visited: Iterable[str]) -> dict[str, float]:
        """The entities that were reached and not visited, with the largest share that led to each."""
        shares: dict[str, float] = {}
        for link in self.walk.links:
            if link.memory_id in self.memories:
                for entity in link.entities:
                    shares[entity] = max(link.share, shares.get(entity, 0.0))
        return {entity: share for entity, share in shares.items() if entity not in set(visited)}


async def around(
    sight: Sight,
    question: str,
    seeds: Mapping[str, float],
    *,
    hops: int,
    before: int = 0,
    led: Mapping[str, Passage] | None = None,
) -> Subgraph:
    """The memories up to `hops` steps from the seeds, weighed against the question. A walk in single steps says how
    many came `before`, and which passage `led` to each seed."""
    found = await sight.walk(seeds, hops=hops, limit=WALKED) if seeds else Walk()
    memories = await sight.states([link.memory_id for link in found.links])
    scale, nested = scale_of(question, memories.values()), is_nested(question)
    passages: list[Passage] = []
    ways = dict(led or {})
    for hop in range(1, hops + 1):
        links = [link for link in found.links if link.hop == hop and link.memory_id in memories]
        step = [
            (link, _passage(memories[link.memory_id], scale, before + hop, ways.get(link.via), nested=nested))
            for link in links
        ]
        step.sort(key=lambda item: (-item[1].score, item[0].memory_id))
        passages += (passage for _, passage in step)
        ways = _leading(step)
    passages.sort(key=lambda one: (-one.score, one.hop, one.memory.memory_id))
    return Subgraph(found, memories, tuple(passages), ways)


def _passage(node: MemoryNode, scale: Scale, hop: int, behind: Passage | None, *, nested: bool) -> Passage:
    """The memory as the end of its way. Where something of something is asked, a slot of who is named is no answer."""
    said = scale.said(node) | (behind.said & scale.asked if behind else frozenset())
    filled = node.attribute in scale.slots and (hop > 1 or not nested)
    led = behind.memory.memory_id if behind else None
    return Passage(node, scale.worth(said, hop, filled=filled), hop, led, said)


def _leading(step: Iterable[tuple[Link, Passage]]) -> dict[str, Passage]:
    """The first passage that names each entity."""
    led: dict[str, Passage] = {}
    for link, passage in step:
        for entity in link.entities:
            led.setdefault(entity, passage)
    return led


def pictured(subgraph: Subgraph) -> tuple[str, ...]:
    """`(name:description)` for each entity, the nearest first, then `(a)-[RELATION:description]->(b)` for each link."""
    names = names_in_sight(subgraph.memories.values())
    links = [link for link in subgraph.walk.links if link.memory_id in subgraph.memories]
    told: dict[str, str] = {}
    for passage in subgraph.passages:
        for entity in passage.memory.entity_ids[:1]:
            told.setdefault(entity, passage.memory.content)
    near = [entity for entity in subgraph.walk.entities if entity in names]
    heads = [f"({_flat(names[entity])}:{_flat(told[entity])})" for entity in near if entity in told]
    edges = [line for link in links if (line := _edge(link, subgraph.memories[link.memory_id], names))]
    return tuple(dict.fromkeys((*heads, *edges)))[:PICTURED]


def names_in_sight(memories: Iterable[MemoryNode]) -> dict[str, str]:
    """The names under which these memories speak of their entities."""
    names: dict[str, str] = {}
    for node in memories:
        if node.entity_ids:
            names.setdefault(node.entity_ids[0], node.target_name)
        for mention in mentions_of(node):
            names.setdefault(named(node.tenant, node.agent_id, mention.name), mention.name)
    return names


def _edge(link: Link, node: MemoryNode, names: Mapping[str, str]) -> str:
    ends: Sequence[str] = [names[entity] for entity in node.entity_ids[:2] if entity in names]
    if len(ends) < 2:
        return ""
    relation = link.relation or "MENTIONED_WITH"
    return f"({_flat(ends[0])})-[{relation}:{_flat(node.content)}]->({_flat(ends[1])})"


def _flat(text: str) -> str:
    """Without the characters that the picture is drawn with."""
    return " ".join(text.translate(_RESERVED).split())
