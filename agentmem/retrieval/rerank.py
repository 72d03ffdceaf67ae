"""A better order for what was found: fusion of ranks, diversity, distance and mentions, within a time limit."""

import asyncio
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import structlog
from numpy.typing import NDArray

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.errors import BackendUnavailable, BadAnswer, InvalidInput, without_content
from agentmem.language.tokens import tokens
from agentmem.ports.embedder import Matrix
from agentmem.ports.models import Inquiry, Rankable, Reranker

RERANKED: Final = 50
"""So many of the best are reranked; those behind them stay where they are."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Reranking:
    """`order`: places of the items, best first. `relevance`: what the reranker gave the first of the items as they
    were handed in, none where it failed. `fallback`: why the order is the old one, or None."""

    order: tuple[int, ...]
    relevance: tuple[float, ...] = ()
    fallback: str | None = None


async def reranked(
    reranker: Reranker, inquiry: Inquiry, items: Sequence[Rankable], *, seconds: float, first: int = RERANKED
) -> Reranking:
    """Order the `first` items, which come best first, by relevance; equal ones and all others keep their order.

    A reranker that takes longer than `seconds`, is down, or answers with something that is no ranking changes nothing.
    """
    head = items[:first]
    if not head:
        return Reranking(tuple(range(len(items))))
    try:
        async with asyncio.timeout(seconds):
            answer = await reranker.rerank(inquiry, head)
    except TimeoutError:
        return _unchanged(items, f"no answer within {seconds:g} s")
    except (BackendUnavailable, BadAnswer, OSError) as error:
        return _unchanged(items, str(error), logged=without_content(error))
    if len(answer) != len(head):
        return _unchanged(items, f"{len(answer)} relevances for {len(head)} memories")
    relevance = tuple(map(float, answer))
    if not all(map(math.isfinite, relevance)):
        return _unchanged(items, "a relevance that is no finite number")
    best_first = sorted(range(len(head)), key=lambda place: -relevance[place])
    return Reranking((*best_first, *range(len(head), len(items))), relevance)


def _unchanged(items: Sequence[Rankable], reason: str, *, logged: str | None = None) -> Reranking:
    log.warning("rerank_fell_back", reason=logged or reason, memories=len(items))
    return Reranking(tuple(range(len(items))), fallback=reason)


class RankFusion:
    """Sum over the channels of weight / (k + place), places counted from 1.

    `k` dampens what the first places are worth; a channel without a weight counts 1. What a channel did not find gets
    nothing from it. Equal scores in a channel take their places in the order given.
    """

    def __init__(self, k: float = 60.0, weights: Mapping[str, float] | None = None) -> None:
        self._k, self._weights = k, dict(weights or {})
        for name, value in {"k": k, **self._weights}.items():
            if not (math.isfinite(value) and value >= 0):
                raise InvalidInput(f"rank fusion: {name} is {value}, allowed: 0 or more")

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """See `Reranker.rerank`."""
        fused = [0.0] * len(items)
        for channel in sorted({name for item in items for name in item.channels}):
            found = [place for place, item in enumerate(items) if channel in item.channels]
            found.sort(key=lambda place: -items[place].channels[channel])
            for rank, place in enumerate(found, start=1):
                fused[place] += self._weights.get(channel, 1.0) / (self._k + rank)
        return fused


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


_Rows = NDArray[np.float64]


class MarginalRelevance:
    """Picks one memory after the other by balance · relevance - (1 - balance) · likeness to the likest one picked.

    Relevance is the cosine with the inquiry's vector or, where it has none, the score so far as a share of the best.
    A memory without a vector is unlike everything, the question included. What is answered for a memory is its value
    when it was picked; these values never rise from one pick to the next, so they give the order of the picks.
    """

    def __init__(self, balance: float = 0.5) -> None:
        if not 0 <= balance <= 1:
            raise InvalidInput(f"marginal relevance: balance is {balance}, allowed: 0 to 1")
        self._balance = balance

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """See `Reranker.rerank`. Raises `InvalidInput` where vectors have different lengths."""
        if not items:
            return []
        rows = _unit_rows([inquiry.vector, *(item.vector for item in items)])
        question, rows = rows[0], rows[1:]
        relevance = rows @ question if inquiry.vector is not None else _shares(items)
        return self._picked(relevance, rows @ rows.T)

    def _picked(self, relevance: _Rows, likeness: _Rows) -> list[float]:
        values = self._balance * relevance
        answer, nearest = np.zeros(len(values)), np.full(len(values), -np.inf)
        left = np.ones(len(values), dtype=np.bool_)
        for _ in range(len(values)):
            place = int(np.argmax(np.where(left, values, -np.inf)))
            answer[place], left[place] = values[place], False
            nearest = np.maximum(nearest, likeness[place])
            values = self._balance * relevance - (1 - self._balance) * nearest
        return answer.tolist()


def _unit_rows(vectors: Sequence[Matrix | None]) -> _Rows:
    """Rows of length 1; a missing or blank vector is a row of zeros."""
    sizes = {vector.size for vector in vectors if vector is not None}
    if len(sizes) > 1:
        raise InvalidInput(f"vectors of {' and '.join(map(str, sorted(sizes)))} numbers cannot be compared")
    rows = np.zeros((len(vectors), max(sizes, default=1)))
    for row, vector in zip(rows, vectors, strict=True):
        if vector is not None:
            row[:] = vector.reshape(-1)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)


def _shares(items: Sequence[Rankable]) -> _Rows:
    scores = np.array([item.score for item in items], dtype=np.float64)
    best = scores.max()
    return scores / best if best > 0 else scores


class EpisodeMentions:
    """The number of distinct conversation turns a memory rests on.

    An insight rests on observations; where these are among the items, their turns are counted, otherwise each counts
    as one. A turn rests on itself.
    """

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """See `Reranker.rerank`."""
        known = {item.memory.memory_id: item.memory for item in items}
        return [float(len(_turns(item.memory, known))) for item in items]


def _turns(memory: MemoryNode, known: Mapping[str, MemoryNode]) -> set[str]:
    if memory.memory_type is MemoryType.CONVERSATION:
        return {memory.memory_id}
    turns = {part.memory_id for part in memory.evidence}
    for source_id in memory.source_ids:
        source = known.get(source_id)
        spoken = source.evidence if source is not None else ()
        turns |= {part.memory_id for part in spoken} or {source_id}
    return turns


class LexicalOverlap:
    """The share of the question's distinct terms that a memory has, from 0 to 1, rare ones among the items weighing
    more: ln(1 + (n - df + 0.5) / (df + 0.5)), the inverse document frequency of BM25."""

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """See `Reranker.rerank`."""
        asked = set(tokens(inquiry.text))
        said = [asked.intersection(tokens(item.memory.content)) for item in items]
        having = Counter(term for terms in said for term in terms)
        rarity = {term: math.log(1 + (len(items) - having[term] + 0.5) / (having[term] + 0.5)) for term in asked}
        whole = math.fsum(rarity.values()) or 1.0
        return [math.fsum(rarity[term] for term in terms) / whole for terms in said]
