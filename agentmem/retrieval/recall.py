"""Recall: one embedding, one search of all channels, one fetch of what ranking reads, then the memories themselves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest

from agentmem.domain.filter import AllOf, holds
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.language.tokens import query_sparse
from agentmem.ledger.projection import Projector
from agentmem.ports.embedder import Embedder
from agentmem.ports.journal import Journal
from agentmem.ports.memory_index import AsOf, Found, MemoryIndex, Probe, Sparse, Where
from agentmem.retrieval.asked import asked_for
from agentmem.retrieval.overlay import OVERLAID_TURNS, overlaid, unread_episodes
from agentmem.retrieval.query import Hit, Recalled, RecallQuery
from agentmem.retrieval.signals import FIELDS, Candidate, Question, shares

OVERFETCH = 5
"""Candidates per channel and hit asked for, before ranking; at least 50 per channel."""

RANKED, RANKED_PER_HIT = 60, 4
"""Of all candidates together so many are ranked, the likeliest by raw scores: fetching their fields is what costs."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Answers questions from the index, overlaid with what it does not have yet; reads the truth from the ledger."""

    journal: Journal
    index: MemoryIndex
    embedder: Embedder
    projector: Projector
    now: Callable[[], datetime]

    async def __call__(self, query: RecallQuery) -> Recalled:
        """The `k` best memories in scope, each with its signals. Raises `BackendUnavailable`."""
        unread = await self._unread(query)  # before catching up: a turn read in between is then seen twice, not missed
        await self.projector.catch_up()
        row = await self.embedder.embed([query.text], purpose="query")
        probe = Probe(dense=row, lexical=Sparse(*query_sparse(query.text)))
        found = await self.index.search(self._where(query), probe, limit=max(50, OVERFETCH * query.k))
        candidates = await self._candidates(found, limit=max(RANKED, RANKED_PER_HIT * query.k))
        candidates += await overlaid(unread, query.text, row, self.embedder)
        ranked = self._ranked(candidates, query)
        return await self._hits(ranked, query, {node.memory_id: node for node in unread})

    def _where(self, query: RecallQuery) -> Where:
        """With `known_at` a wide one: the index holds what memories have become, the ledger what they were."""
        moment = query.as_of or query.known_at or self.now()
        past = query.as_of is not None or query.known_at is not None
        upcoming = query.as_of is None or query.known_at is not None
        return Where(
            query.scope,
            AsOf(moment, query.known_at),
            current=not past,
            upcoming=upcoming,
            types=query.types,
            filter=query.filter,
        )

    async def _unread(self, query: RecallQuery) -> list[MemoryNode]:
        if query.types and MemoryType.CONVERSATION not in query.types:
            return []
        nodes = unread_episodes(await self.journal.events.unread_turns(query.scope, limit=OVERLAID_TURNS))
        wanted = query.filter or AllOf(())
        return [node for node in nodes if self._answers(node, query) and holds(wanted, node)]

    def _answers(self, node: MemoryNode, query: RecallQuery) -> bool:
        fits = query.known_at is None or query.filter is None or holds(query.filter, node)
        shown = node.is_shown(self.now(), as_of=query.as_of, known_at=query.known_at)
        return shown and fits and node.within(query.scope)

    async def _candidates(self, found: Found, *, limit: int) -> list[Candidate]:
        dense, keyed, lexical = dict(found.content), dict(found.keys), dict(found.lexical)
        best = max(lexical.values(), default=0.0) or 1.0

        def likely(key: str) -> float:
            return lexical.get(key, 0.0) / best + dense.get(key, 0.0) + keyed.get(key, 0.0)

        ids = nlargest(limit, dict.fromkeys((*dense, *keyed, *lexical)), key=likely)
        fields = await self.index.fetch(ids, FIELDS) if ids else {}
        return [
            Candidate(
                memory_id=key,
                dense=min(max(dense.get(key, 0.0), 0.0), 1.0),
                keys=min(max(keyed.get(key, 0.0), 0.0), 1.0),
                lexical=lexical.get(key, 0.0) / best,
                fields=fields[key],
            )
            for key in ids
            if key in fields
        ]

    def _ranked(self, candidates: Sequence[Candidate], query: RecallQuery) -> list[tuple[str, dict[str, float]]]:
        question = Question(asked_for(query.text), query.as_of or self.now())
        scored = [(item, shares(item, question)) for item in candidates]
        scored.sort(key=lambda pair: (-sum(pair[1].values()), -_timestamp(pair[0]), pair[0].memory_id))
        distinct = {item.memory_id: signals for item, signals in reversed(scored)}
        return list(reversed(distinct.items()))

    async def _hits(
        self, ranked: Sequence[tuple[str, dict[str, float]]], query: RecallQuery, unread: dict[str, MemoryNode]
    ) -> Recalled:
        """Of the past all that were ranked are looked at: how many of them were known then, only the ledger says."""
        wanted = ranked[: query.k] if query.known_at is None else ranked
        ids = [memory_id for memory_id, _ in wanted]
        known = unread | await self.journal.ledger.get(query.scope.tenant, ids, known_at=query.known_at)
        hits = tuple(
            _hit(known[memory_id], signals)
            for memory_id, signals in wanted
            if memory_id in known and self._answers(known[memory_id], query)
        )[: query.k]
        return Recalled(hits, abstained=not hits)


def _hit(node: MemoryNode, signals: dict[str, float]) -> Hit:
    score = sum(signals.values())
    return Hit(node.model_copy(update={"score_rank": score, "score_rerank": score}), score, signals)


def _timestamp(candidate: Candidate) -> int:
    value = candidate.fields.get("timestamp")
    return value if isinstance(value, int) else 0
