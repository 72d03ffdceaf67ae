"""From what was found to what shares a key with it, a few hops on, and to the communities that bear on the question."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from agentmem.domain.filter import AllOf, AnyOf, Compare, Filter
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.ports.memory_index import MemoryIndex, Where
from agentmem.questions.question import names_in
from agentmem.retrieval.query import MAX_HOPS, Hit, Recalled, RecallQuery

DECAY: Final = 0.5
"""What a hop leaves of a share."""

KEYS_PER_HOP: Final = 64
"""So many keys are followed in one hop, those with the largest shares; names guessed from a question come besides."""

SELECTED: Final = 1_000
"""Memories one hop reads, 20 µs each: all that are about one person, as a rule. Where more have its keys, the first by
id are seen, and a key of nearly all of them crowds out the others."""

LONGEST_KEY: Final = 200
"""Characters of a key that is followed; beyond, it is no name."""

RECENT_TURNS: Final = 4


@dataclass(frozen=True, slots=True)
class Seed:
    """Where expansion begins: a memory and its keys, or names without a memory. `share`, from 0 to 1, is what it has
    to pass on. With `derived`, memories that were made from it are one hop away too; sources have no index, so that
    costs 10 ms for every 1,000 memories in scope."""

    keys: tuple[str, ...]
    memory_id: str | None = None
    share: float = 1.0
    derived: bool = False


@dataclass(frozen=True, slots=True)
class ReachedMemory:
    """A memory found `hop` hops away; `via` is the key in canonical form, or the id of the turn it was made from."""

    memory_id: str
    hop: int
    via: str
    share: float


@dataclass(frozen=True, slots=True)
class _Frontier:
    """What the next hop goes over, keys and ids of `sources`, each with the share it passes on."""

    shares: Mapping[str, float]
    sources: AbstractSet[str] = frozenset()

    @property
    def fields(self) -> dict[str, tuple[str, ...]]:
        """What to ask the index for, by field."""
        asked = {"key": self.shares.keys() - self.sources, "sourceIds": self.sources}
        return {field: tuple(sorted(values)) for field, values in asked.items() if values}


def from_hits(hits: Sequence[Hit]) -> list[Seed]:
    """Each hit with its score as a share of the best."""
    best = max((hit.score for hit in hits), default=0.0)
    return [Seed(hit.memory.key, hit.memory.memory_id, max(hit.score, 0.0) / best if best > 0 else 1.0) for hit in hits]


def from_question(text: str) -> list[Seed]:
    """What the question may be naming."""
    return [Seed(names_in(text))]


def from_turns(turns: Sequence[MemoryNode]) -> list[Seed]:
    """The last four turns of a talk, given oldest first, with what was made from them."""
    return [Seed(turn.key, turn.memory_id, derived=True) for turn in turns[-RECENT_TURNS:]]


async def expanded(
    index: MemoryIndex, where: Where, seeds: Sequence[Seed], *, hops: int, limit: int
) -> list[ReachedMemory]:
    """At most `limit` memories that `where` lets through, nearest first, then by share; no seed, none twice.

    Raises `InvalidInput` unless `hops` is 0 to 3, and `BackendUnavailable`.
    """
    if not 0 <= hops <= MAX_HOPS:
        raise InvalidInput(f"hops is {hops}, allowed: 0 to {MAX_HOPS}")
    frontier = _beginning(seeds)
    seen, walked = {seed.memory_id for seed in seeds}, set[str]()
    reached: list[ReachedMemory] = []
    for hop in range(1, hops + 1):
        if not frontier.shares or len(reached) >= limit:
            break
        links = await _sharing(index, where, frontier)
        step = [one for one in _step(links, frontier, hop) if one.memory_id not in seen][: limit - len(reached)]
        reached += step
        seen |= {one.memory_id for one in step}
        walked |= frontier.shares.keys()
        ways = ((key, one.share) for one in step for key in links[one.memory_id] if key not in walked)
        frontier = _Frontier(_strongest(ways))
    return reached


def _beginning(seeds: Sequence[Seed]) -> _Frontier:
    guesses = ((key, seed.share) for seed in seeds if seed.memory_id is None for key in _keys(seed.keys))
    keys = ((key, seed.share) for seed in seeds if seed.memory_id is not None for key in _keys(seed.keys))
    sources = _strongest((seed.memory_id, seed.share) for seed in seeds if seed.derived and seed.memory_id is not None)
    shares = _strongest(guesses)
    for link, share in (*_strongest(keys).items(), *sources.items()):
        shares[link] = max(share, shares.get(link, 0.0))
    return _Frontier(shares, sources.keys())


def _strongest(links: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The links with the largest shares, each with its largest."""
    shares: dict[str, float] = {}
    for link, share in links:
        shares[link] = max(share, shares.get(link, 0.0))
    return dict(sorted(shares.items(), key=lambda way: (-way[1], way[0]))[:KEYS_PER_HOP])


async def _sharing(index: MemoryIndex, where: Where, frontier: _Frontier) -> dict[str, set[str]]:
    """Memories over one of the frontier's links, each with its keys and the asked ones of its sources."""
    asked = frontier.fields
    linked = AnyOf(tuple(Compare(field, "in", values) for field, values in asked.items()))
    wanted: Filter = linked if where.filter is None else AllOf((where.filter, linked))
    found = await index.select(replace(where, filter=wanted), ("key", "sourceIds"), limit=SELECTED)
    return {
        memory_id: _keys(_texts(payload.get("key"))) | (frontier.sources & set(_texts(payload.get("sourceIds"))))
        for memory_id, payload in found.items()
    }


def _keys(names: Iterable[str]) -> set[str]:
    """Canonical forms, without those that no index could be asked for."""
    canonical = {canonical_name(name) for name in names if len(name) <= LONGEST_KEY}
    return {key for key in canonical if key and key.isprintable()}


def _texts(value: JsonValue | None) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _step(links: Mapping[str, AbstractSet[str]], frontier: _Frontier, hop: int) -> list[ReachedMemory]:
    """Each memory over the link that passes most on to it, the largest shares first."""
    having = Counter(link for held in links.values() for link in held)
    passed = {link: DECAY * share / (1 + 0.001 * (having[link] - 1) ** 2) for link, share in frontier.shares.items()}
    step: list[ReachedMemory] = []
    for memory_id, held in links.items():
        via = min(held & passed.keys(), key=lambda link: (-passed[link], link), default=None)
        if via is not None:
            step.append(ReachedMemory(memory_id, hop, via, passed[via]))
    return sorted(step, key=lambda one: (-one.share, one.memory_id))


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
