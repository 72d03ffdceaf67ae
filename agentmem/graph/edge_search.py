"""Memories as triples (subject, relation, object), and the search over them: what a question names, the edges around it
in both directions, ranked by the words of the triples (Mem0's graph search).
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from agentmem import patterns as re
from agentmem.domain.attributes import slot_of, words_of
from agentmem.domain.entity import mentions_of, named
from agentmem.domain.filter import AllOf, Compare, Filter
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.graph.identity.entities import TOLD, load, root
from agentmem.graph.identity.resolver import NEAREST
from agentmem.graph.walk import EntityNames
from agentmem.language.names import names_of
from agentmem.language.tokens import K1, B, query_sparse, tokens, with_characters
from agentmem.ledger.projection import Projector
from agentmem.ports.embedder import Embedder
from agentmem.ports.ledger import Ledger
from agentmem.ports.memory_index import AsOf, MemoryIndex, Probe, Sparse, Where

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
class MemoryTriple:
    """What one memory says, as a triple of names and a relation in lower case; `memory` is all of it."""

    source: str
    relationship: str
    destination: str
    memory: MemoryNode


def edge_of(node: MemoryNode, entities: Mapping[str, MemoryNode]) -> MemoryTriple | None:
    """The triple in a memory, under the fullest names that `entities` know: a pair fact, else a slot of whom it is
    about and its value. None for what is denied or supposed, or has no such form."""
    if node.modality not in TOLD:
        return None
    source = _name(node.entity_ids[0] if node.entity_ids else node.target_id, node, entities)
    if node.relation is not None and len(node.entity_ids) > 1:
        return MemoryTriple(source, node.relation.lower(), _name(node.entity_ids[1], node, entities), node)
    if node.attribute is None or not node.value or not node.value.strip():
        return None
    if node.attribute == "preference" and (liking := _LIKING.fullmatch(node.value.strip())):
        return MemoryTriple(source, _liking(liking["how"].lower()), liking["what"], node)
    return MemoryTriple(source, slot_of(node.attribute).replace(" ", "_"), node.value.strip(), node)


def _liking(word: str) -> str:
    return _HOW.get(word) or (word if word.endswith("s") else f"{word}s")


def _name(entity: str, node: MemoryNode, entities: Mapping[str, MemoryNode]) -> str:
    known = entities.get(root(entities, entity))
    if known is not None and known.value:
        return known.value
    spelled = {named(node.tenant, node.agent_id, each.name): each.name for each in mentions_of(node)}
    return spelled.get(entity, node.target_name)


NODE: Final = 0.7
"""Cosine from which an entity's name counts as named by a question."""

EDGES: Final = 100
"""Edges looked at."""

TYPES: Final = (MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.LONGTERM)


@dataclass(frozen=True, slots=True)
class EdgeSearch:
    """Looks in the index, which it brings up to date first, and reads what it finds from the ledger."""

    index: MemoryIndex
    embedder: Embedder
    projector: Projector
    ledger: Ledger
    now: Callable[[], datetime]

    async def find(
        self, scope: Scope, question: str, *, wanted: Filter | None, asker: str | None
    ) -> list[MemoryTriple]:
        """Edges that hold, the best first; at least one word of the question is in each, or it is at an entity that the
        question names. `asker` is the entity of who asks: a question that names nobody in what is wanted is asked of
        him, and he is told everything under the names that are used there: what others call or mention is neither
        told nor found. Raises `BackendUnavailable`."""
        await self.projector.catch_up()
        known = EntityNames(Where(Scope(scope.tenant, scope.agent)))
        nodes = await self._named(scope, question, known)
        where = Where(scope, AsOf(self.now()), upcoming=True, types=TYPES, filter=wanted)
        if asker is None:
            await known.learn(self.index, nodes)
            around = await self._around(where, known.all_ids(map(known.root, nodes)))
        else:
            around = await self._around(where, nodes) or await self._around(where, [asker])
        worded = await self.index.search(where, Probe(lexical=Sparse(*query_sparse(question))), limit=EDGES)
        ids = dict.fromkeys((*around, *(key for key, _ in worded.lexical)))
        naming = replace(scope, target=asker) if asker is not None else scope
        edges = await self.of(naming, (await self.ledger.get(scope.tenant, ids)).values())
        return _ranked(question, edges, around)

    async def of(self, scope: Scope, memories: Iterable[MemoryNode]) -> list[MemoryTriple]:
        """The edges that these memories are, in their order. Where the scope is one person's, under the names that are
        used in them: the fullest name may be known from somebody else alone."""
        nodes = list(memories)
        ids = {entity for node in nodes for entity in (node.target_id, *node.entity_ids[:2])}
        known = await load(self.ledger, scope.tenant, ids) if scope.target is None else {}
        entities = {key: entity for key, entity in known.items() if entity.agent_id == scope.agent}
        return [edge for node in nodes if (edge := edge_of(node, entities)) is not None]

    async def _named(self, scope: Scope, question: str, known: EntityNames) -> list[str]:
        """The entities a question names: by names that are read in it, by near ones, and by ones that stand in it."""
        names = [mention.name for mention in names_of(question)]
        matrix = await self.embedder.embed([*names, question], purpose="document")
        rows = [matrix[place : place + 1] for place in range(len(names) + 1)]
        probes = [Probe(row, Sparse(*query_sparse(text))) for row, text in zip(rows, (*names, question), strict=True)]
        where = Where(Scope(scope.tenant, scope.agent), types=(MemoryType.ENTITY,))
        found = await self.index.search_many(where, probes, limit=NEAREST)
        near = [key for each in found[:-1] for key, cosine in each.keys if cosine >= NODE]
        await known.learn(self.index, [key for key, _ in found[-1].lexical])
        plain = canonical_name(question)
        worded = [key for key, _ in found[-1].lexical]
        said = [key for key in worded if any(name in plain for name in _names(known.payloads.get(key, {})))]
        exact = [named(scope.tenant, scope.agent, name) for name in names]
        await known.learn(self.index, exact)
        return list(dict.fromkeys((*(key for key in exact if known.payloads.get(key)), *near, *said)))

    async def _around(self, where: Where, ids: Collection[str]) -> list[str]:
        """The memories that name one of these entities at either end."""
        if not ids:
            return []
        linked = Compare("entityIds", "in", tuple(sorted(ids)))
        both = linked if where.filter is None else AllOf((where.filter, linked))
        return list(await self.index.select(replace(where, filter=both), ("memoryId",), limit=EDGES))


def _names(payload: Mapping[str, JsonValue]) -> list[str]:
    held = payload.get("key")
    return [name for each in held if len(name := canonical_name(str(each))) > 1] if isinstance(held, list) else []


def _ranked(question: str, edges: Sequence[MemoryTriple], around: Collection[str]) -> list[MemoryTriple]:
    """By BM25 over the words of triples and of the memories they are; without a shared word, only what was named."""
    asked = set(with_characters(tokens(question), question))
    said = [Counter(with_characters(tokens(text), text)) for text in map(_words, edges)]
    average = sum(counts.total() for counts in said) / max(1, len(said)) or 1.0
    having = Counter(term for counts in said for term in asked & counts.keys())
    rarity = {term: math.log(1 + (len(said) - having[term] + 0.5) / (having[term] + 0.5)) for term in asked}

    def score(counts: Counter[str]) -> float:
        length = K1 * (1 - B + B * counts.total() / average)
        return math.fsum(rarity[t] * counts[t] * (K1 + 1) / (counts[t] + length) for t in asked & counts.keys())

    near = set(around)
    scored = [(score(counts), edge) for counts, edge in zip(said, edges, strict=True)]
    kept = [(points, edge) for points, edge in scored if points > 0 or edge.memory.memory_id in near]
    kept.sort(key=lambda item: (-item[0], -item[1].memory.timestamp, item[1].memory.memory_id))
    return [edge for _, edge in kept]


def _words(edge: MemoryTriple) -> str:
    relation = edge.relationship.replace("_", " ")
    triple = f"{edge.source} {relation} {edge.destination}"
    return "\n".join((triple, words_of(edge.memory.attribute), edge.memory.content))
