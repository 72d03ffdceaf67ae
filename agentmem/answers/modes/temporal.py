"""What held when: cosine, BM25 and a walk fused by rank, told with the time each thing held (Zep)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from agentmem.answers.lookup import LIKELY, looked_up
from agentmem.answers.passages import Looked, Part, Passage
from agentmem.answers.question import Step
from agentmem.answers.shape import asks_of_the_past
from agentmem.answers.sight import Sight
from agentmem.answers.subgraph import WALKED, around, pictured
from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.language.asked_times import asked_times
from agentmem.language.cues import READ_FOR_TIMES
from agentmem.language.names import names_of
from agentmem.language.normal import language_of
from agentmem.language.tokens import query_sparse, tokens
from agentmem.ledger.projection import EMBEDDED_CHARACTERS
from agentmem.ports.memory_index import Found, Probe, Sparse
from agentmem.ports.reranker import Inquiry, Rankable
from agentmem.retrieval.asked import asked_for
from agentmem.retrieval.confidence import LOOKED_AT, confidence, nearness
from agentmem.retrieval.rerank.fusion import RankFusion
from agentmem.retrieval.wording import WORDINGS

CANDIDATES: Final = 50
SEEDING: Final = 5
"""Of what was found, so many of the best lead the walk on."""

NEAR: Final = 0.6
"""Cosine from which a semantic embedder's find counts."""


async def temporal(given: Sight) -> Looked:
    """Facts, turns and texts as they held at the time that the question names; a question for what is over sees what
    has ended, too."""
    await given.refresh()
    sight = _at_its_time(given)
    text = sight.query.text
    row = await sight.gather.embedder.embed([text[:EMBEDDED_CHARACTERS]], purpose="query")
    found = await sight.index.search(sight.where(), Probe(row, Sparse(*query_sparse(text))), limit=CANDIDATES)
    channels = _channels(found, semantic=sight.gather.embedder.semantic)
    searched = Step("search", text, tuple(dict.fromkeys(key for held in channels.values() for key in held)))
    subgraph = await around(sight, text, await _seeds(sight, searched.memory_ids[:SEEDING]), hops=sight.query.depth)
    channels["walk"] = {one.memory.memory_id: one.score for one in subgraph.passages[:WALKED]}
    walked = Step("walk", text, tuple(channels["walk"]), f"{len(subgraph.walk.entities)} entities")
    memories = {**await sight.states(searched.memory_ids), **subgraph.memories}
    passages = await _fused(sight, channels, memories)
    fused = Step("fuse", text, tuple(one.memory.memory_id for one in passages), f"as of {sight.moment.isoformat()}")
    sure = _sureness(sight, found, passages)
    return Looked((Part(text, tuple(passages)),), sure, (searched, walked, fused), pictured(subgraph))


def _at_its_time(sight: Sight) -> Sight:
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
    return replace(sight, ended=True) if asks_of_the_past(query.text) else sight


def _channels(found: Found, *, semantic: bool) -> dict[str, Mapping[str, float]]:
    near: dict[str, float] = {}
    for key, cosine in (*found.content, *found.keys):
        if cosine >= (NEAR if semantic else 0.0):
            near[key] = max(cosine, near.get(key, 0.0))
    return {"bm25": dict(found.lexical), "cosine": near}


async def _seeds(sight: Sight, best: Sequence[str]) -> dict[str, float]:
    """Entities that the question, the last turns of its talk and the best finds name."""
    scope = sight.query.scope
    turns = await sight.gather.last_turns(scope)
    spoken = {named(scope.tenant, scope.agent, each.name) for turn in turns for each in names_of(turn.content)}
    nodes = (await sight.states(best)).values()
    linked = {entity for node in nodes for entity in node.entity_ids}
    return {**dict.fromkeys(sorted(spoken | linked), LIKELY), **await looked_up(sight, sight.query.text)}


async def _fused(
    sight: Sight, channels: Mapping[str, Mapping[str, float]], memories: Mapping[str, MemoryNode]
) -> list[Passage]:
    items = [
        Rankable(node, channels={name: held[key] for name, held in channels.items() if key in held})
        for key, node in sorted(memories.items())
    ]
    scores = await RankFusion().rerank(Inquiry(sight.query.text), items)
    order = sorted(zip(items, scores, strict=True), key=lambda pair: (-pair[1], pair[0].memory.memory_id))
    return [Passage(item.memory, score, span=_span(sight, item.memory)) for item, score in order[: sight.query.k]]


def _span(sight: Sight, node: MemoryNode) -> str:
    """From when until when it held; a turn and a piece of a document only say when."""
    wording = WORDINGS[language_of(sight.query.text)]
    if node.memory_type is MemoryType.CONVERSATION:
        return wording.span.format(wording.day(node.valid_at))
    now = sight.gather.now()
    over = node.store_status is not StoreStatus.VALID or (node.invalid_at is not None and node.invalid_at <= now)
    return wording.span.format(wording.interval(node.valid_at, node.invalid_at, ended=over, now=now))


def _sureness(sight: Sight, found: Found, passages: Sequence[Passage]) -> float:
    text = sight.query.text
    looked_at = [one.memory for one in passages[:LOOKED_AT]]
    said = [frozenset(tokens(one.text)) for one in passages[:LOOKED_AT]]
    filled = any(node.attribute in asked_for(text) and node.target_name in text for node in looked_at)
    cosines = [cosine for _, cosine in found.content if cosine > 0]
    near = nearness(cosines) if sight.gather.embedder.semantic else None
    best = max((score for _, score in found.lexical), default=0.0)
    return confidence(frozenset(tokens(text)), said, best, near=near, slot_filled=filled)
