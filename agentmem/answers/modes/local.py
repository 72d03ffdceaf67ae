"""From the entities that the question names over what links them, and to the texts that speak of them (DB-GPT)."""

from collections.abc import Collection
from typing import Final

from agentmem.answers.lookup import looked_up
from agentmem.answers.passages import FLOOR, Looked, Part, Passage, best_first, scale_of, sureness
from agentmem.answers.question import Step
from agentmem.answers.sight import Sight
from agentmem.answers.split import asks_between
from agentmem.answers.subgraph import Subgraph, around, names_in_sight, pictured
from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.graph.path import shortest
from agentmem.language.names import names_of
from agentmem.retrieval.query import Hit

RECALLED: Final = 50
"""Memories that are recalled to find texts that speak of the entities."""

_TEXTS: Final = (MemoryType.LONGTERM, MemoryType.CONVERSATION)


async def local(sight: Sight) -> Looked:
    """Facts of the subgraph, those first that say most of the question, and pieces of texts that name its entities.
    Nothing where the question names nobody who is known."""
    query = sight.query
    await sight.refresh()
    seeds = await looked_up(sight, query.text)
    facts = await around(sight, query.text, seeds, hops=query.depth)
    walked = Step("walk", query.text, _ids(facts.passages), f"{len(facts.walk.entities)} entities")
    if not facts.passages:
        return Looked((), 0.0, (walked,))
    found = await sight.recall(query.text, RECALLED)
    texts = _naming(query.text, facts, found.hits)
    recalled = Step("recall", query.text, _ids(texts))
    passages = best_first((*await _between(sight), *facts.passages, *texts), query.k)
    sure = sureness(query.text, passages)
    if {hit.memory.memory_id for hit in found.hits} & set(_ids(passages)):
        sure = max(sure, found.confidence)
    return Looked((Part(query.text, passages),), sure, (walked, recalled), pictured(facts))


async def _between(sight: Sight) -> list[Passage]:
    """What leads from the first name to the second, where the question asks for that."""
    query = sight.query
    ends = [named(query.scope.tenant, query.scope.agent, each.name) for each in names_of(query.text)]
    if len(ends) < 2 or not asks_between(query.text):
        return []
    way = await shortest(sight.index, sight.where(), ends[0], ends[1], most=2 * query.depth)
    ids = way.memory_ids if way else ()
    memories = await sight.states(ids)
    if len(memories) < len(ids):
        return []
    return [
        Passage(memories[key], FLOOR + 1, hop, behind)
        for hop, (key, behind) in enumerate(zip(ids, (None, *ids), strict=False), start=1)
    ]


def _naming(question: str, facts: Subgraph, hits: tuple[Hit, ...]) -> list[Passage]:
    """What was recalled of documents and talks and names one of the entities."""
    names = {canonical_name(name) for name in names_in_sight(facts.memories.values()).values()}
    texts = [hit.memory for hit in hits if hit.score > 0 and hit.memory.memory_type in _TEXTS]
    new = [node for node in texts if node.memory_id not in facts.memories and _names(node.content, names)]
    scale = scale_of(question, [*facts.memories.values(), *new])
    return [scale.passage(node) for node in new]


def _names(text: str, names: Collection[str]) -> bool:
    plain = canonical_name(text)
    return any(name in plain for name in names)


def _ids(passages: tuple[Passage, ...] | list[Passage]) -> tuple[str, ...]:
    return tuple(one.memory.memory_id for one in passages)
