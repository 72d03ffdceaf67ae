"""The ways to look for an answer: one recall, a walk over links, summaries of communities, several side by side, and by
time.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from agentmem.answers.answer import Step
from agentmem.answers.passages import FLOOR, Looked, Part, Passage, best_first, fused, scale_of, sureness
from agentmem.answers.subgraph import MAX_WALKED, Subgraph, around, names_in_sight, pictured
from agentmem.answers.traversal import Traversal
from agentmem.answers.visible_memory import LIKELY, VisibleMemory, looked_up
from agentmem.domain.entity import named
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.graph.walk import shortest
from agentmem.language.cues import READ_FOR_TIMES
from agentmem.language.names import names_of
from agentmem.language.normal import language_of
from agentmem.language.time import asked_times
from agentmem.language.tokens import query_sparse
from agentmem.ledger.projection import EMBEDDED_CHARACTERS
from agentmem.ports.ledger import Selection
from agentmem.ports.memory_index import Found, Probe, Sparse, Where
from agentmem.ports.models import Inquiry, Rankable
from agentmem.questions.form import asks_between, asks_of_the_past, is_overview
from agentmem.questions.question import asked_for, asks_why_then
from agentmem.retrieval.confidence import LOOKED_AT, THRESHOLD, confidence, nearness
from agentmem.retrieval.context_wording import WORDINGS
from agentmem.retrieval.query import Hit
from agentmem.retrieval.rerank import RankFusion
from agentmem.retrieval.term_weights import terms_said


async def vector(sight: VisibleMemory) -> Looked:
    """What is nearest to the question in meaning and words, what is over where it may answer."""
    query = sight.query
    sight = replace(sight, ended=sight.ended or asks_why_then(query.text))
    found = await sight.recall(query.text, query.k)
    step = Step("recall", query.text, tuple(hit.memory.memory_id for hit in found.hits))
    slots = asked_for(query.text)
    passages = tuple(
        Passage(hit.memory, hit.score, span=_span(sight, hit.memory) if _tells_when(sight, hit.memory, slots) else "")
        for hit in found.hits
        if hit.score > 0
    )
    part = Part(query.text, passages, found.confidence)
    return Looked((part,), found.confidence, (step,), of_another=found.of_another, among=found.among)


def _tells_when(sight: VisibleMemory, node: MemoryNode, slots: Collection[str]) -> bool:
    """Whether it is told since when it is so: it fills the slot that is asked for, another memory says otherwise, or it
    is over."""
    return node.attribute in slots or bool(node.conflicts_with) or (sight.ended and not node.is_valid(sight.moment))


RECALLED: Final = 50
"""Memories that are recalled to find texts that speak of the entities."""

_TEXTS: Final = (MemoryType.LONGTERM, MemoryType.CONVERSATION)


async def local(sight: VisibleMemory) -> Looked:
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


async def _between(sight: VisibleMemory) -> list[Passage]:
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


COMMUNITIES: Final = 10
NEAR_OVERVIEW: Final = 0.3
"""Cosine from which a community bears on the question, where the embedder knows meaning."""

LOOKS: Final = 3
"""So often communities are looked up at most, where they change while somebody asks."""

WEIGHED: Final = 1_000
"""Memories out of which the weightiest are chosen, the newest."""

ASKED: Final = 0.5
"""At least so sure of an overview that was asked for, where there is anything to tell."""

_LAYERS: Final = (MemoryType.INSIGHT, MemoryType.OBSERVATION, MemoryType.LONGTERM)


async def overview(sight: VisibleMemory) -> Looked:
    """At most ten communities, or `k` memories."""
    await sight.refresh()
    passages = await _communities(sight) if sight.whole else await _weightiest(sight)
    text = sight.query.text
    ids = tuple(one.memory.memory_id for one in passages)
    step = Step("overview", text, ids, "communities" if sight.whole else "weightiest memories")
    sure = max(sureness(text, passages), ASKED if passages and is_overview(text) else 0.0)
    # Told as one, the best of them would outweigh all others: asked for everything, each has its say.
    apart = sight.whole and is_overview(text)
    parts = tuple(Part(text, (one,)) for one in passages) if apart else (Part(text, tuple(passages)),)
    return Looked(parts, sure, (step,))


async def _communities(sight: VisibleMemory) -> list[Passage]:
    """Those near to the question; all of them, the important first, where it asks for everything. Looked up again where
    they were grouped anew in between, so that what is told is all of one time."""
    for _ in range(LOOKS - 1):
        held, missing = await _standing(sight)
        if not missing:
            return held
        await sight.refresh()
    return (await _standing(sight))[0]


async def _standing(sight: VisibleMemory) -> tuple[list[Passage], bool]:
    """The communities that the index finds and the ledger has; and whether it has others by now."""
    scope, embedder, text = sight.query.scope, sight.gather.embedder, sight.query.text
    where = Where(Scope(scope.tenant, scope.agent), types=(MemoryType.COMMUNITY,))
    row = await embedder.embed([text[:EMBEDDED_CHARACTERS]], purpose="query")
    found = await sight.index.search(where, Probe(row, Sparse(*query_sparse(text))), limit=COMMUNITIES)
    near = {key: FLOOR + cosine for key, cosine in found.content if embedder.semantic and cosine >= NEAR_OVERVIEW}
    best = max((score for _, score in found.lexical), default=1.0)
    near |= {key: max(near.get(key, 0.0), FLOOR + score / best) for key, score in found.lexical if score > 0}
    if is_overview(text):
        near = dict.fromkeys(await sight.index.select(where, ("memoryId",), limit=WEIGHED), FLOOR) | near
    known = await sight.gather.journal.ledger.get(scope.tenant, near)
    held = [node for node in known.values() if node.store_status is StoreStatus.VALID]
    order = sorted(held, key=lambda node: (-near[node.memory_id], -node.importance, node.memory_id))
    return [Passage(node, near[node.memory_id]) for node in order[:COMMUNITIES]], len(held) < len(near)


async def _weightiest(sight: VisibleMemory) -> list[Passage]:
    query = sight.query
    wanted = Selection(query.scope, _LAYERS, limit=WEIGHED, as_of=query.as_of, known_at=query.known_at)
    newest = list(sight.shown(await sight.gather.journal.ledger.select(wanted)))
    scale = scale_of(query.text, newest)
    return sorted(map(scale.passage, newest), key=_place)[: query.k]


def _place(one: Passage) -> tuple[float, int, int, int, str]:
    node = one.memory
    return -one.score, _LAYERS.index(node.memory_type), -node.importance, -node.timestamp, node.memory_id


TRAVERSAL_VOTES: Final = 2
"""How often the traversal's places count: what lies behind a bridge is in no other list. Measured on the open questions
of `docs/graph.md`: recall .88, once .82."""


async def hybrid(sight: VisibleMemory, traversal: Traversal) -> Looked:
    """What `global`, `vector` and `traverse` found, fused by rank; what none of them is sure of is left out. An
    overview that was asked for comes first."""
    query = sight.query
    ways = await asyncio.gather(overview(sight), vector(sight), traversal(sight))
    sure = [way for way in ways if way.confidence >= THRESHOLD]
    lists = [way.ranked for way in sure for _ in range(TRAVERSAL_VOTES if way is ways[-1] else 1)]
    passages = fused(lists, query.k)
    last = Step("fuse", query.text, tuple(one.memory.memory_id for one in passages), f"{len(sure)} of {len(ways)} ways")
    steps = (*(step for way in ways for step in way.steps), last)
    confidence = max(way.confidence for way in ways)
    first = ways[0].parts if ways[0] in sure and is_overview(query.text) else ()
    return Looked(
        (*first, Part(query.text, passages)), confidence, steps, tuple(line for way in ways for line in way.graph)
    )


CANDIDATES: Final = 50
SEEDING: Final = 5
"""Of what was found, so many of the best lead the walk on."""

NEAR: Final = 0.6
"""Cosine from which a semantic embedder's find counts."""


async def temporal(given: VisibleMemory) -> Looked:
    """Facts, turns and texts as they held at the time that the question names; a question for what is over sees what
    has ended, too."""
    await given.refresh()
    sight = at_its_time(given)
    text = sight.query.text
    row = await sight.gather.embedder.embed([text[:EMBEDDED_CHARACTERS]], purpose="query")
    found = await sight.index.search(sight.where(), Probe(row, Sparse(*query_sparse(text))), limit=CANDIDATES)
    channels = _channels(found, semantic=sight.gather.embedder.semantic)
    searched = Step("search", text, tuple(dict.fromkeys(key for held in channels.values() for key in held)))
    subgraph = await around(sight, text, await _seeds(sight, searched.memory_ids[:SEEDING]), hops=sight.query.depth)
    channels["walk"] = {one.memory.memory_id: one.score for one in subgraph.passages[:MAX_WALKED]}
    walked = Step("walk", text, tuple(channels["walk"]), f"{len(subgraph.walk.entities)} entities")
    memories = {**await sight.states(searched.memory_ids), **subgraph.memories}
    passages = await _fused(sight, channels, memories)
    fused = Step("fuse", text, tuple(one.memory.memory_id for one in passages), f"as of {sight.moment.isoformat()}")
    sure = _sureness(sight, found, passages)
    return Looked((Part(text, tuple(passages)),), sure, (searched, walked, fused), pictured(subgraph))


def at_its_time(sight: VisibleMemory) -> VisibleMemory:
    """The sight as of the end of the latest time that the question names, where that is over and no other was asked
    for."""
    query = sight.query
    if query.as_of is not None or query.known_at is not None:
        return sight
    now = sight.gather.now()
    ends = [each.ends for each in asked_times(query.text[:READ_FOR_TIMES], now) if each.ends and not each.recurring]
    past = [end for end in ends if end <= now]
    if past and len(past) == len(ends):
        return replace(sight, query=replace(query, as_of=max(past) - timedelta(microseconds=1)))
    return replace(sight, ended=True) if asks_of_the_past(query.text) or asks_why_then(query.text) else sight


def _channels(found: Found, *, semantic: bool) -> dict[str, Mapping[str, float]]:
    near: dict[str, float] = {}
    for key, cosine in (*found.content, *found.keys):
        if cosine >= (NEAR if semantic else 0.0):
            near[key] = max(cosine, near.get(key, 0.0))
    return {"bm25": dict(found.lexical), "cosine": near}


async def _seeds(sight: VisibleMemory, best: Sequence[str]) -> dict[str, float]:
    """Entities that the question, the last turns of its talk and the best finds name."""
    scope = sight.query.scope
    turns = await sight.gather.last_turns(scope)
    spoken = {named(scope.tenant, scope.agent, each.name) for turn in turns for each in names_of(turn.content)}
    nodes = (await sight.states(best)).values()
    linked = {entity for node in nodes for entity in node.entity_ids}
    return {**dict.fromkeys(sorted(spoken | linked), LIKELY), **await looked_up(sight, sight.query.text)}


async def _fused(
    sight: VisibleMemory, channels: Mapping[str, Mapping[str, float]], memories: Mapping[str, MemoryNode]
) -> list[Passage]:
    items = [
        Rankable(node, channels={name: held[key] for name, held in channels.items() if key in held})
        for key, node in sorted(memories.items())
    ]
    scores = await RankFusion().rerank(Inquiry(sight.query.text), items)
    order = sorted(zip(items, scores, strict=True), key=lambda pair: (-pair[1], pair[0].memory.memory_id))
    return [Passage(item.memory, score, span=_span(sight, item.memory)) for item, score in order[: sight.query.k]]


def _span(sight: VisibleMemory, node: MemoryNode) -> str:
    return held_from_to(node, sight.query.text, sight.gather.now())


def held_from_to(node: MemoryNode, question: str, now: datetime, as_of: datetime | None = None) -> str:
    """From when until when it held, in the language of the question; a turn and a piece of a document only say when.
    What ended after `as_of` had not ended then."""
    wording = WORDINGS[language_of(question)]
    if node.memory_type is MemoryType.CONVERSATION:
        return wording.span.format(wording.day(node.valid_at))
    moment = as_of or now
    over = node.invalid_at is not None and node.invalid_at <= moment
    if as_of is None or node.invalid_at is None:
        over = over or (node.store_status is not StoreStatus.VALID and node.ending is not Ending.FADED)
    return wording.span.format(wording.interval(node.valid_at, node.invalid_at, ended=over, now=moment))


def _sureness(sight: VisibleMemory, found: Found, passages: Sequence[Passage]) -> float:
    text = sight.query.text
    looked_at = [one.memory for one in passages[:LOOKED_AT]]
    slots, whom = asked_for(text), sight.query.scope.target
    filled = any(node.attribute in slots and (node.target_name in text or node.target_id == whom) for node in looked_at)
    cosines = [cosine for _, cosine in found.content if cosine > 0]
    near = nearness(cosines) if sight.gather.embedder.semantic else None
    said = terms_said(text, [one.text for one in passages[:LOOKED_AT]])
    return confidence(said, near=near, slot_filled=filled)
