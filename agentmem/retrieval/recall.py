"""Recall: what a question finds, put in order by signals, widened along keys and reranked where that was asked for; the
memories themselves are read from the ledger, which is the truth. The index is told what was recalled, so that what
nobody asks for can be told from what is used."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

import structlog

from agentmem import patterns as re
from agentmem.domain.attributes import base_of, slot_of
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.errors import BackendUnavailable, InvalidInput, NeedsRepair, without_content
from agentmem.language.clauses import clauses
from agentmem.language.record_fields import record_answers
from agentmem.ports.memory_index import MemoryIndex, Touchable
from agentmem.ports.models import Inquiry, Rankable, Reranker
from agentmem.questions.asked_people import asks_about_somebody_else
from agentmem.questions.called import named_among
from agentmem.questions.form import is_described, is_nested
from agentmem.questions.question import CONTACT, Question, names_in, reached_in
from agentmem.retrieval.confidence import LOOKED_AT, THRESHOLD, UNSURE, confidence, nearness
from agentmem.retrieval.expansion import expanded, from_hits, from_question, from_turns
from agentmem.retrieval.gathering import Gathered, Gatherer
from agentmem.retrieval.pool import Stage
from agentmem.retrieval.query import Hit, Recalled, RecallQuery
from agentmem.retrieval.ranking import Ranked, ranked
from agentmem.retrieval.rerank import RERANKED, reranked
from agentmem.retrieval.second_look import LOOKED_AGAIN, looked_again
from agentmem.tracing import span


@dataclass(frozen=True, slots=True)
class Recall:
    """Answers questions. `reranker` has `rerank_seconds` for its order; without one, signals decide alone."""

    gather: Gatherer
    reranker: Reranker | None = None
    rerank_seconds: float = 2.0

    async def __call__(self, query: RecallQuery) -> Recalled:
        """The `k` best memories in scope, each with its signals. Raises `BackendUnavailable`, and `InvalidInput` where
        they are to be reranked and nothing is there to do it."""
        with span("recall", k=query.k) as recalling:
            found = await self._found(query)
            recalling.tell(hits=len(found.hits), abstained=found.abstained)
            return found

    async def _found(self, query: RecallQuery) -> Recalled:
        if query.rerank and self.reranker is None:
            raise InvalidInput("rerank: no reranker is configured; set recall.reranker")
        reranker = None if query.rerank is False else self.reranker
        with span("recall.gather") as gathering:
            gathered = await self.gather(query)
            gathering.tell(candidates=len(gathered.pool), unread=len(gathered.unread))
        with span("recall.rank"):
            order = ranked(gathered.pool, gathered.profile)
        with span("recall.read") as reading:
            again = gathered.profile.looks_again
            wanted = max(query.k, RERANKED if reranker else 0, LOOKED_AGAIN if again else 0)
            hits = await self._hits(order, gathered, query, wanted)
            reading.tell(memories=len(hits))
        if again:
            hits = looked_again(hits, gathered.pool, gathered.profile)
        if query.hops:
            with span("recall.widen", hops=query.hops):
                hits = await self._widened(hits, gathered, query)
        if reranker:
            with span("recall.rerank", memories=len(hits)):
                hits = await self._reranked(reranker, hits, order, gathered)
        hits = newer_first(hits, gathered.pool.question)
        return await self._told(hits, gathered, query)

    async def _told(self, found: tuple[Hit, ...], gathered: Gathered, query: RecallQuery) -> Recalled:
        """The best of what was found, without how to reach those of whom it was not asked, and how sure it is."""
        alone = asked_of(gathered.pool.question, query.scope)
        is_shown = may_be_shown(alone, [hit.memory for hit in found])
        hits = tuple(hit for hit in found if is_shown(hit.memory))[: query.k]
        sure = _confidence(gathered, hits, semantic=self.gather.embedder.semantic)
        of_another = sure >= THRESHOLD and await self._of_a_stranger(gathered, found[: query.k])
        sure = UNSURE if of_another else sure
        among = len(gathered.pool)
        return Recalled(hits, sure < THRESHOLD, sure, alone=alone, of_another=of_another, among=among)

    async def _of_a_stranger(self, gathered: Gathered, hits: Sequence[Hit]) -> bool:
        nodes = [hit.memory for hit in hits[:LOOKED_AT]]
        return await asks_about_somebody_else(self.gather.index, gathered.where, gathered.pool.question.text, nodes)

    async def _hits(
        self, order: Sequence[Ranked], gathered: Gathered, query: RecallQuery, count: int
    ) -> tuple[Hit, ...]:
        """Of the past all that were ranked are looked at: how many of them were known then, only the ledger says."""
        wanted, now = order[:count] if query.known_at is None else order, self.gather.now()
        known = gathered.unread | await self._states([item.candidate.memory_id for item in wanted], query)

        def may_be_told(node: MemoryNode, item: Ranked) -> bool:
            ended = item.candidate.over and self.gather.tells_an_end(node, query)
            return ended or self.gather.answers(node, query, now)

        found = ((known.get(item.candidate.memory_id), item) for item in wanted)
        return tuple(_hit(node, item) for node, item in found if node is not None and may_be_told(node, item))[:count]

    async def _states(self, ids: Sequence[str], query: RecallQuery) -> dict[str, MemoryNode]:
        return await self.gather.journal.ledger.get(query.scope.tenant, ids, known_at=query.known_at)

    async def _widened(self, hits: tuple[Hit, ...], gathered: Gathered, query: RecallQuery) -> tuple[Hit, ...]:
        """The hits, and what shares keys with them, with names in the question or, within a run, with its last turns,
        by their share of the best score."""
        seeds = [*from_hits(hits), *from_question(query.text), *from_turns(await self.gather.last_turns(query.scope))]
        reached = await expanded(self.gather.index, gathered.where, seeds, hops=query.hops, limit=query.k)
        known = await self._states([one.memory_id for one in reached], query)
        best = max((hit.score for hit in hits), default=1.0)
        added = [
            Hit(_scored(node, one.share * best), one.share * best, {"expansion": one.share * best}, Stage.EXPANSION)
            for one in reached
            if (node := known.get(one.memory_id)) is not None and self.gather.answers(node, query, self.gather.now())
        ]
        return tuple(sorted((*hits, *added), key=lambda hit: -hit.score))

    async def _reranked(
        self, reranker: Reranker, hits: tuple[Hit, ...], order: Sequence[Ranked], gathered: Gathered
    ) -> tuple[Hit, ...]:
        found = {item.candidate.memory_id: item.candidate for item in order}
        if not hits:
            return hits
        rows = await self.gather.vectors([hit.memory for hit in hits])
        items: list[Rankable] = []
        for hit, row in zip(hits, rows, strict=True):
            candidate = found.get(hit.memory.memory_id)
            raw = {} if candidate is None else candidate.channels
            items.append(Rankable(hit.memory, hit.score, raw, row[None, :]))
        question = gathered.pool.question.text
        named = [
            name for name in names_in(question) if any(name in map(canonical_name, hit.memory.key) for hit in hits)
        ]
        inquiry = Inquiry(question, gathered.row, tuple(named) or (hits[0].memory.memory_id,))
        ranking = await reranked(reranker, inquiry, items, seconds=self.rerank_seconds)
        relevance = dict(enumerate(ranking.relevance))
        return tuple(_judged(hits[place], relevance.get(place)) for place in ranking.order)


def newer_first(hits: Sequence[Hit], question: Question) -> tuple[Hit, ...]:
    """The hits; of two that contradict each other, undecided which holds, the newer goes before the older, and so does
    what is to take the place of another. What has not begun goes behind, but where the question looks there."""
    order = list(hits)
    held = {hit.memory.memory_id: hit for hit in hits}
    for older in hits:
        for newer in (held[key] for key in (*older.memory.conflicts_with, older.memory.superseded_by) if key in held):
            coming = newer.memory.valid_at > question.now
            if _age(newer) <= _age(older) or not (coming or newer.memory.memory_id in older.memory.conflicts_with):
                continue
            waits = coming and not question.looks_to(newer.memory.valid_at)
            first, last = (older, newer) if waits else (newer, older)
            if order.index(first) > order.index(last):
                order.remove(first)
                order.insert(order.index(last), first)
    return tuple(order)


def _age(hit: Hit) -> tuple[datetime, int]:
    return hit.memory.valid_at, hit.memory.timestamp


def _confidence(gathered: Gathered, hits: Sequence[Hit], *, semantic: bool) -> float:
    if not hits:
        return 0.0
    question, target = gathered.pool.question, gathered.where.scope.target
    filled = any(
        (node.attribute in question.asked and (node.target_id == target or node.target_name in question.text))
        or record_answers(node.content, question.text)
        for node in (hit.memory for hit in hits[:LOOKED_AT])
    )
    near = nearness([item.dense for item in gathered.pool.candidates if item.dense > 0]) if semantic else None
    return confidence(gathered.pool.terms, among=len(gathered.pool), near=near, slot_filled=filled)


def _hit(node: MemoryNode, found: Ranked) -> Hit:
    scores = {"score_recall": found.match, "score_rank": found.score, "score_rerank": found.score}
    return Hit(node.model_copy(update=scores), found.score, found.shares, found.candidate.stage)


def _scored(node: MemoryNode, score: float) -> MemoryNode:
    return node.model_copy(update={"score_rank": score, "score_rerank": score})


def _judged(hit: Hit, relevance: float | None) -> Hit:
    """The hit as the reranker judged it; unchanged where it was not asked about it."""
    if relevance is None:
        return hit
    return replace(hit, memory=hit.memory.model_copy(update={"score_rerank": relevance}))


_DATE: Final = re.compile(r"(?<!\d)\d{4}-\d\d(?:-\d\d)?(?!\d)")


def asked_of(question: Question, scope: Scope) -> frozenset[str]:
    """The names of those of whom alone something is asked; none where one person's memories are looked at, or the names
    only lead to somebody else."""
    if scope.target is not None or not question.named:
        return frozenset()
    leads_on = is_nested(question.text) or is_described(question.text) or bool(question.kin)
    return frozenset() if leads_on else question.named


def may_be_shown(named: Collection[str], nodes: Iterable[MemoryNode]) -> Callable[[MemoryNode], bool]:
    """Whether a memory, one of these nodes, tells nothing of how to reach somebody other than those who are `named`: a
    question that is put to the memories of many people and asks of one of them is told his way to be reached alone."""
    ids = {node.target_id for node in nodes if node.target_name in named}

    def shown(node: MemoryNode) -> bool:
        anothers = named and node.memory_type is not MemoryType.LONGTERM and node.target_id not in ids
        return not (anothers and _reaches_another(node, named))

    return shown


def _reaches_another(node: MemoryNode, named: Collection[str]) -> bool:
    if node.memory_type is not MemoryType.CONVERSATION and base_of(slot_of(node.attribute or "")) in CONTACT:
        return True
    text = _DATE.sub(" ", node.content)
    parts = (clause.text for clause in clauses(text)) if reached_in(text, CONTACT) else ()
    return any(reached_in(part, CONTACT) and not named_among(named, part) for part in parts)


log = structlog.get_logger()

EVERY: Final = timedelta(seconds=300)
"""So long a memory that is recalled again is not touched again."""


class Touch:
    """Sets `lastAccess` of memories that were recalled, each at most every 300 s, as far as this process knows."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index
        self._touched: dict[str, datetime] = {}  # oldest first

    async def __call__(self, memory_ids: Iterable[str], now: datetime) -> None:
        """At most one write. A hint is worth no failed answer: where the index does not take it, the log says so."""
        self._forget(now)
        due = [memory_id for memory_id in dict.fromkeys(memory_ids) if memory_id not in self._touched]
        if not due or not isinstance(self._index, Touchable):
            return
        self._touched |= dict.fromkeys(due, now)
        try:
            await self._index.touch(due, now)
        except (BackendUnavailable, NeedsRepair) as error:
            log.warning("not_touched", memories=len(due), reason=without_content(error))

    def _forget(self, now: datetime) -> None:
        """What was touched long enough ago, so that this stays as small as five minutes of answers."""
        while self._touched:
            oldest = next(iter(self._touched))
            if now - self._touched[oldest] < EVERY:
                return
            del self._touched[oldest]
