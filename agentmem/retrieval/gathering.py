"""What a question finds, before it is put in order: one embedding, one search of all channels, one fetch of what
ranking reads, one look beside the best turns; and what was just said and is in no index yet."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from agentmem.domain.filter import AllOf, holds
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.language.tokens import query_sparse, tokens
from agentmem.ledger.projection import Projector
from agentmem.ports.embedder import Embedder, Matrix
from agentmem.ports.journal import Journal
from agentmem.ports.memory_index import AsOf, MemoryIndex, Probe, Sparse, Where
from agentmem.retrieval.overlay import OVERLAID_TURNS, cosines, overlaid, unread_episodes
from agentmem.retrieval.pool import FIELDS, Candidate, Pool, Stage, candidates_of
from agentmem.retrieval.profiles import Profile, profile
from agentmem.retrieval.query import RecallQuery
from agentmem.retrieval.question import Question, read_question

FOUND = 50
"""Candidates per channel, or as many as hits are asked for."""

LOOKED_BESIDE, REACH = 20, 2
"""Of so many of the best turns, or as many as hits are asked for up to 40, the turns around become candidates: so far
before and behind."""

SHORT = 16
"""Words up to which the n-grams of a question tell as much as they can: those of a longer one are mostly those of
ordinary words, and the vectors of spelling count the less."""

VOICES = 24
"""Turns looked at to learn who speaks in a scope."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A question with its candidates, ready to be ranked; `where` is what the index was asked under."""

    pool: Pool
    profile: Profile
    where: Where
    unread: dict[str, MemoryNode]
    row: Matrix | None


@dataclass(frozen=True, slots=True)
class Gatherer:
    """Asks the index, overlaid with what it does not have yet."""

    journal: Journal
    index: MemoryIndex
    embedder: Embedder
    projector: Projector
    now: Callable[[], datetime]
    _speakers: dict[Scope, tuple[int, frozenset[str]]] = field(
        default_factory=dict[Scope, tuple[int, frozenset[str]]], init=False
    )

    async def __call__(self, query: RecallQuery) -> Gathered:
        """Everything that ranking needs, as columns. Raises `BackendUnavailable`."""
        # Before catching up: a turn that is read in between is then seen twice, not missed.
        unread, chosen = await asyncio.gather(self._unread(query), self._profile(query))
        await self.projector.catch_up()
        where = self._where(query)
        question = read_question(query.text, query.as_of or self.now(), await self._voices(query.scope))
        row = await self.embedder.embed([question.sought], purpose="query") if chosen.uses_vectors else None
        found = await self._found(where, question, row, query.k)
        found += await self._just_said(unread, question, row, found)
        pool = self._pool(question, found, chosen)
        if chosen.neighbours:
            pool = await self._with_neighbours(pool, where, chosen, query.k)
        return Gathered(pool, chosen, where, {node.memory_id: node for node in unread}, row)

    def answers(self, node: MemoryNode, query: RecallQuery) -> bool:
        """Whether the query may be answered with this state of a memory."""
        # The index has checked the filter on what memories are now, the only state it knows.
        fits = query.known_at is None or query.filter is None or holds(query.filter, node)
        shown = node.is_shown(self.now(), as_of=query.as_of, known_at=query.known_at)
        return shown and fits and node.within(query.scope)

    async def _profile(self, query: RecallQuery) -> Profile:
        name = query.profile
        if name is None:
            persona = await self.journal.registry.agent(query.scope.tenant, query.scope.agent)
            name = persona.memory.recall.profile if persona else "memories"
        chosen = profile(name, semantic=self.embedder.semantic)
        return chosen if query.fusion is None else replace(chosen, fusion=query.fusion)

    def _where(self, query: RecallQuery) -> Where:
        """With `known_at` a wide one: the index holds what memories have become, the ledger what they were."""
        moment = query.as_of or query.known_at or self.now()
        past = query.as_of is not None or query.known_at is not None
        upcoming = query.as_of is None or query.known_at is not None
        as_of = AsOf(moment, query.known_at)
        return Where(query.scope, as_of, current=not past, upcoming=upcoming, types=query.types, filter=query.filter)

    async def _unread(self, query: RecallQuery) -> list[MemoryNode]:
        if query.types and MemoryType.CONVERSATION not in query.types:
            return []
        nodes = unread_episodes(await self.journal.events.unread_turns(query.scope, limit=OVERLAID_TURNS))
        wanted = query.filter or AllOf(())
        return [node for node in nodes if self.answers(node, query) and holds(wanted, node)]

    async def _voices(self, scope: Scope) -> frozenset[str]:
        """Who speaks about this target; known until something is written. Over all targets, nobody is left out."""
        if scope.target is None:
            return frozenset()
        position, names = self._speakers.get(scope, (-1, frozenset[str]()))
        if position != self.projector.position:
            where = Where(scope, current=False, types=(MemoryType.CONVERSATION,))
            turns = (await self.index.select(where, fields=("speaker",), limit=VOICES)).values()
            names = frozenset(str(turn["speaker"]) for turn in turns if turn.get("speaker"))
            self._speakers[scope] = (self.projector.position, names)
        return names

    async def _found(self, where: Where, question: Question, row: Matrix | None, k: int) -> list[Candidate]:
        probe = Probe(dense=row, lexical=Sparse(*query_sparse(question.sought, question.time_terms)))
        found = await self.index.search(where, probe, limit=max(FOUND, k))
        ids = dict.fromkeys(key for channel in (found.lexical, found.content, found.keys) for key, _ in channel)
        return candidates_of(found, await self.index.fetch(list(ids), FIELDS) if ids else {})

    async def _just_said(
        self, unread: Sequence[MemoryNode], question: Question, row: Matrix | None, found: Sequence[Candidate]
    ) -> list[Candidate]:
        if not unread:
            return []
        near = [0.0] * len(unread)
        if row is not None:
            near = cosines(await self.embedder.embed([node.content for node in unread], purpose="document"), row)
        return overlaid(unread, question.sought, near, max((item.lexical for item in found), default=0.0))

    def _pool(self, question: Question, found: Sequence[Candidate], chosen: Profile) -> Pool:
        share = chosen.dense_share
        if not self.embedder.semantic:
            share *= min(1.0, SHORT / (1 + len(tokens(question.sought))))
        return Pool(question, found, fusion=chosen.fusion, dense_share=share)

    async def _with_neighbours(self, pool: Pool, where: Where, chosen: Profile, k: int) -> Pool:
        places = pool.missing_beside(max(LOOKED_BESIDE, min(k, 2 * LOOKED_BESIDE)), REACH)
        if not places:
            return pool
        beside = await self.index.select(replace(where, places=tuple(places)), fields=FIELDS, limit=len(places))
        added = [Candidate(key, known, Stage.NEIGHBOUR) for key, known in beside.items()]
        return self._pool(pool.question, (*pool.candidates, *added), chosen)
