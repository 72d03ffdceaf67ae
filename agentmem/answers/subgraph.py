"""What a walk found, as passages and as a picture: what is said of each entity, and what links them.

All of it is made of memories that the question may see. What is stored as an entity's summary speaks of everybody and
is not used.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agentmem.answers.passages import Passage, Scale, scale_of
from agentmem.answers.visible_memory import VisibleMemory
from agentmem.domain.entity import mentions_of, named
from agentmem.domain.memory import MemoryNode
from agentmem.graph.identity.entities import TOLD
from agentmem.graph.walk import Link, Walk
from agentmem.language.lengths import shortened
from agentmem.questions.form import is_nested

MAX_WALKED: Final = 200
"""Memories that one walk leads over."""

PICTURED: Final = 40
"""Lines of a picture."""

MAX_CHARS: Final = 200
"""Characters of what is said of an entity or along an edge: a piece of a document is not shown whole."""

_RESERVED: Final = str.maketrans("()[]>", "（）［］＞")
"""The characters a picture is drawn with, and what stands for them in a text."""


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
    sight: VisibleMemory,
    question: str,
    seeds: Mapping[str, float],
    *,
    hops: int,
    before: int = 0,
    led: Mapping[str, Passage] | None = None,
) -> Subgraph:
    """The memories up to `hops` steps from the seeds, weighed against the question. A walk in single steps says how
    many came `before`, and which passage `led` to each seed."""
    found = await sight.walk(seeds, hops=hops, limit=MAX_WALKED) if seeds else Walk()
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
    said = scale.said(node)
    if behind is not None:
        said |= behind.said & scale.asked
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
    """`(name:description)` for each entity, the nearest first, then `(a)-[RELATION:description]->(b)` for each link; of
    what is held to be true, for an edge says nothing of denials and guesses."""
    held = {key: node for key, node in subgraph.memories.items() if node.modality in TOLD}
    names = names_in_sight(held.values())
    links = [link for link in subgraph.walk.links if link.memory_id in held]
    told: dict[str, str] = {}
    for passage in subgraph.passages:
        for entity in passage.memory.entity_ids[:1] if passage.memory.memory_id in held else ():
            told.setdefault(entity, passage.memory.content)
    near = [entity for entity in subgraph.walk.entities if entity in names]
    heads = [f"({_name(names[entity])}:{_flat(told[entity])})" for entity in near if entity in told]
    edges = [line for link in links if (line := _edge(link, held[link.memory_id], names))]
    return tuple(dict.fromkeys((*heads, *edges)))[:PICTURED]


def besides(graph: Iterable[str], passages: Iterable[Passage]) -> tuple[str, ...]:
    """The lines of a picture that say more than these passages: another text, or a relation that has a name."""
    told = {_flat(one.memory.content) for one in passages}
    plain = {f":{text})" for text in told} | {f"-[MENTIONED_WITH:{text}]->" for text in told}
    return tuple(line for line in graph if not any(part in line for part in plain))


def names_in_sight(memories: Iterable[MemoryNode]) -> dict[str, str]:
    """The names under which these memories speak of their entities."""
    names: dict[str, str] = {}
    for node in memories:
        if node.target_id in node.entity_ids:
            names.setdefault(node.target_id, node.target_name)
        for mention in mentions_of(node):
            names.setdefault(named(node.tenant, node.agent_id, mention.name), mention.name)
    return names


def _edge(link: Link, node: MemoryNode, names: Mapping[str, str]) -> str:
    ends: Sequence[str] = [names[entity] for entity in node.entity_ids[:2] if entity in names]
    if len(ends) < 2:
        return ""
    relation = link.relation or "MENTIONED_WITH"
    return f"({_name(ends[0])})-[{relation}:{_flat(node.content)}]->({_name(ends[1])})"


def _name(text: str) -> str:
    return _flat(text).replace(":", "：")


def _flat(text: str) -> str:
    """On one line, without the characters that the picture is drawn with."""
    return shortened(" ".join(text.translate(_RESERVED).split()), lambda part: len(part) <= MAX_CHARS)
