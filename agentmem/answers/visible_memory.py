"""What one question may see, under its scope and its times, and which entities it names there."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from agentmem import patterns as re
from agentmem.answers.answer import AskQuery
from agentmem.domain.entity import named, without_hearsay
from agentmem.domain.filter import AllOf, AnyOf, Compare, Filter, holds
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.graph.walk import EntityNames, Walk, walk
from agentmem.language.names import names_of
from agentmem.language.tokens import query_sparse
from agentmem.ledger.projection import EMBEDDED_CHARACTERS
from agentmem.ports.ledger import Selection
from agentmem.ports.memory_index import MemoryIndex, Probe, Sparse, Where
from agentmem.questions.question import names_in
from agentmem.retrieval.gathering import Gatherer
from agentmem.retrieval.query import Recalled, RecallQuery

LINKED: Final = 64
"""Memories of several entities that one step looks at: the nearest to the question, and as many besides."""

SAYING: Final = 12
"""Memories that say one name."""

MADE: Final = 1_000
"""Memories that were made of the turns of one answer."""

Recaller = Callable[[RecallQuery], Awaitable[Recalled]]


@dataclass(frozen=True, slots=True)
class Reached:
    """Memories, and by entity all the ids under which memories name it."""

    memories: tuple[MemoryNode, ...] = ()
    same: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])


@dataclass(frozen=True, slots=True)
class VisibleMemory:
    """The eyes of one question. With `ended`, what is over is seen too, as long as it was once true; with `facts`,
    walks lead over the facts of documents as well. A question that is answered goes without: it is shown the pieces,
    and the same sentence once more takes the place of another (measured: 1 to 4 points of support lost)."""

    gather: Gatherer
    recaller: Recaller
    query: AskQuery
    ended: bool = False
    facts: bool = False

    @property
    def index(self) -> MemoryIndex:
        """What searches and walks go over."""
        return self.gather.index

    @property
    def whole(self) -> bool:
        """Whether the question sees everything the agent holds to be true now: only then may a stored summary be
        shown, which speaks of everybody, and of today."""
        return self.query.scope.target is None and self.query.as_of is None and self.query.known_at is None

    @property
    def moment(self) -> datetime:
        """The time the question is about."""
        return self.query.as_of or self.query.known_at or self.gather.now()

    async def recall(self, text: str, k: int) -> Recalled:
        """The `k` best memories for a text, without those that had ended: an answer tells them only where it is asked
        of what is over. Raises `BackendUnavailable`."""
        found = await self.recaller(self._query(text, k))
        return replace(found, hits=tuple(hit for hit in found.hits if self.ended or self._is_shown(hit.memory)))

    async def reached(self, names: Mapping[str, str], text: str) -> Reached:
        """What entities, given with their names, lead to: memories linked to them or told by them, the nearest to the
        text, and memories that say the names. Raises `BackendUnavailable`."""
        where, known = self.where(), EntityNames(self.where())
        await known.learn(self.index, names)
        same = {entity: frozenset((entity, *known.all_ids((known.root(entity),)))) for entity in names}
        ids = tuple(sorted({each for held in same.values() for each in held}))
        linked: Filter = AnyOf((Compare("targetId", "in", ids), Compare("entityIds", "in", ids)))
        beside = replace(where, filter=linked if where.filter is None else AllOf((where.filter, linked)))
        near, said = await asyncio.gather(
            self.index.search(beside, _probe(text), limit=LINKED),
            self.index.search_many(where, [_probe(name) for name in names.values()], limit=SAYING),
        )
        others = await self.index.select(beside, ("memoryId",), limit=LINKED)
        found = [key for each in (near, *said) for key, _ in each.lexical]
        return Reached(tuple((await self.states([*found, *others])).values()), same)

    def where(self, types: tuple[MemoryType, ...] = ()) -> Where:
        """The same for the index."""
        asked = self.gather.where(replace(self._query(self.query.text, 1), types=types))
        seen = replace(asked, facts=self.facts and not types)
        return replace(seen, current=False, as_of=None) if self.ended else seen

    async def refresh(self) -> None:
        """Wait until the index knows what was written before the question. Raises `BackendUnavailable`."""
        seen = await self.gather.journal.glance(self.query.scope, turns=0)
        await self.gather.projector.reach(seen.head)

    async def states(self, ids: Sequence[str]) -> dict[str, MemoryNode]:
        """The memories of these ids that may be seen, as they were known then, in the order asked for."""
        query = self.query
        known = await self.gather.journal.ledger.get(query.scope.tenant, ids, known_at=query.known_at)
        there = (known[key] for key in dict.fromkeys(ids) if key in known)
        return {node.memory_id: node for node in self.shown(there)}

    async def over_in(self, turns: Sequence[str]) -> dict[str, tuple[tuple[int, int], ...]]:
        """By turn the stretches of it of which something was made that no longer holds; nothing where what is over is
        seen. What was over when it was told says so itself. Raises `BackendUnavailable`."""
        if self.ended or not turns:
            return {}
        journal, tenant = self.gather.journal, self.query.scope.tenant
        pairs = await journal.inspection.resting_on(tenant, turns, limit=MADE)
        made = list(dict.fromkeys(key for _, key in pairs))
        known = await journal.ledger.get(tenant, made, known_at=self.query.known_at)
        over: dict[str, tuple[tuple[int, int], ...]] = {}
        for node in known.values():
            until = node.invalid_at or self.moment
            observed = node.memory_type is MemoryType.OBSERVATION
            if observed and node.ending in (Ending.ENDED, Ending.SUPERSEDED) and until <= self.moment:
                for part in node.evidence:
                    over[part.memory_id] = (*over.get(part.memory_id, ()), (part.start, part.end))
        return over

    async def replaced_by(self, memories: Iterable[MemoryNode]) -> dict[str, MemoryNode]:
        """What these have ended, by id, as it was known then; nothing where what is over is seen. Raises
        `BackendUnavailable`."""
        if self.ended:
            return {}
        ids = list(dict.fromkeys(key for node in memories for key in node.supersedes))
        ledger, tenant = self.gather.journal.ledger, self.query.scope.tenant
        known = await ledger.get(tenant, ids, known_at=self.query.known_at) if ids else {}
        return {key: node for key, node in known.items() if node.ending is Ending.SUPERSEDED}

    async def last_turns(self, most: int) -> list[MemoryNode]:
        """The last turns in scope that may be seen."""
        query = self.query
        wanted = Selection(
            query.scope, (MemoryType.CONVERSATION,), limit=most, as_of=query.as_of, known_at=query.known_at
        )
        return list(self.shown(await self.gather.journal.ledger.select(wanted)))

    async def walk(self, seeds: Mapping[str, float], *, hops: int, limit: int) -> Walk:
        """A walk over what may be seen."""
        return await walk(self.index, self.where(), seeds, hops=hops, limit=limit)

    def _query(self, text: str, k: int) -> RecallQuery:
        return RecallQuery(self.query.scope, text, k, self.query.as_of, self.query.known_at, filter=self._own)

    @property
    def _own(self) -> Filter | None:
        target = self.query.scope.target
        return without_hearsay(target) if target is not None else None

    def _is_shown(self, node: MemoryNode) -> bool:
        return node.is_shown(self.gather.now(), as_of=self.query.as_of, known_at=self.query.known_at)

    def shown(self, nodes: Iterable[MemoryNode]) -> Iterator[MemoryNode]:
        """Those of the memories that may be seen."""
        own, query, now = self._own, self._query(self.query.text, 1), self.gather.now()
        for node in nodes:
            seen = self._was_true(node) if self.ended else self.gather.answers(node, query, now)
            if seen and (own is None or holds(own, node)):
                yield node

    def _was_true(self, node: MemoryNode) -> bool:
        once_true = node.invalid_at is None or node.invalid_at > node.valid_at
        return once_true and node.store_status is not StoreStatus.DELETED and node.within(self.query.scope)


def _probe(text: str) -> Probe:
    return Probe(None, Sparse(*query_sparse(text)))


NEAR: Final = 0.6
"""Cosine from which a semantic embedder's entity is what was meant."""

NEAREST: Final = 3
LIKELY: Final = 0.5
"""The share of an entity that was found by what is said of it, and of the person whom a scope is about."""

_SEPARATED: Final = re.compile(r"[，,；;、|/\n]+")


def keywords(text: str) -> tuple[str, ...]:
    """Names that a text may hold, between Chinese or Latin separators."""
    parts = [part.strip() for part in _SEPARATED.split(text) if part.strip()]
    found = [mention.name for part in parts for mention in names_of(part)]
    return tuple(dict.fromkeys((*found, *(name for part in parts for name in names_in(part)))))


async def looked_up(sight: VisibleMemory, text: str) -> dict[str, float]:
    """Entities by id with a share from 0 to 1 each; none where nothing fits.

    Within one person's scope entities are found by name alone: what is said of them may have been said by others.
    """
    scope = sight.query.scope
    ids = list(dict.fromkeys(named(scope.tenant, scope.agent, name) for name in keywords(text)))
    known = await sight.index.fetch(ids, ("memoryId",)) if ids else {}
    found = dict.fromkeys(known, 1.0)
    if not found and sight.whole:
        found = await _described(sight, text)
    return {**dict.fromkeys(scope.targets, LIKELY), **found}


async def _described(sight: VisibleMemory, text: str) -> Mapping[str, float]:
    """The entities whose summary says what the text says."""
    scope, embedder = sight.query.scope, sight.gather.embedder
    row = await embedder.embed([text[:EMBEDDED_CHARACTERS]], purpose="query")
    where = Where(Scope(scope.tenant, scope.agent), types=(MemoryType.ENTITY,))
    found = await sight.index.search(where, Probe(row, Sparse(*query_sparse(text, ()))), limit=NEAREST)
    near = [key for key, cosine in found.content if cosine >= NEAR] if embedder.semantic else []
    return dict.fromkeys((*near, *(key for key, _ in found.lexical)), LIKELY)
