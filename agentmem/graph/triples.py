"""Memories as triples: who or what, how related, to whom or what."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from agentmem import patterns as re
from agentmem.domain.attributes import slot_of
from agentmem.domain.entity import mentions_of, named
from agentmem.domain.memory import MemoryNode
from agentmem.graph.identity.resolution import root
from agentmem.graph.identity.summary import TOLD

_LIKING: Final = re.compile(
    r"(?P<how>loves?|likes?|enjoys?|prefers?|hates?|dislikes?|adores?|不喜欢|最喜欢|更喜欢|喜欢|讨厌|偏爱|爱)"
    r"\s*(?:to |吃|喝|看|听|玩|用|做)?\s*(?P<what>\S.*)",
    re.IGNORECASE,
)
_HOW: Final[Mapping[str, str]] = {
    "不喜欢": "dislikes",
    "最喜欢": "likes",
    "更喜欢": "prefers",
    "喜欢": "likes",
    "讨厌": "hates",
    "偏爱": "prefers",
    "爱": "loves",
}


@dataclass(frozen=True, slots=True)
class Edge:
    """What one memory says, as a triple of names and a relation in lower case; `memory` is all of it."""

    source: str
    relationship: str
    destination: str
    memory: MemoryNode


def edge_of(node: MemoryNode, entities: Mapping[str, MemoryNode]) -> Edge | None:
    """The triple in a memory, under the fullest names that `entities` know: a pair fact, else a slot of whom it is
    about and its value. None for what is denied or supposed, or has no such form."""
    if node.modality not in TOLD:
        return None
    source = _name(node.entity_ids[0] if node.entity_ids else node.target_id, node, entities)
    if node.relation is not None and len(node.entity_ids) > 1:
        return Edge(source, node.relation.lower(), _name(node.entity_ids[1], node, entities), node)
    if node.attribute is None or not node.value or not node.value.strip():
        return None
    if node.attribute == "preference" and (liking := _LIKING.fullmatch(node.value.strip())):
        return Edge(source, _liking(liking["how"].lower()), liking["what"], node)
    return Edge(source, slot_of(node.attribute).replace(" ", "_"), node.value.strip(), node)


def _liking(word: str) -> str:
    return _HOW.get(word) or (word if word.endswith("s") else f"{word}s")


def _name(entity: str, node: MemoryNode, entities: Mapping[str, MemoryNode]) -> str:
    known = entities.get(root(entities, entity))
    if known is not None and known.value:
        return known.value
    spelled = {named(node.tenant, node.agent_id, each.name): each.name for each in mentions_of(node)}
    return spelled.get(entity, node.target_name)
