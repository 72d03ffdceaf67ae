"""What a question finds, before it is put in order: one embedding, one search of all channels, one fetch of what
ranking reads, one look beside the best turns; and what was just said and is in no index yet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
import structlog

from agentmem.domain.filter import AllOf, holds
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Lane, Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import Unreadable, input_faults, without_content
from agentmem.language.tokens import query_sparse, term_ids, tokens
from agentmem.ledger.projection import EMBEDDED_CHARACTERS, Projector
from agentmem.ports.embedder import Embedder, Matrix
from agentmem.ports.event_log import AFTER_ALL
from agentmem.ports.journal import Glance, Journal
from agentmem.ports.memory_index import AsOf, MemoryIndex, Probe, Sparse, Where
from agentmem.questions.question import Question, read_question
from agentmem.retrieval.expansion import RECENT_TURNS
from agentmem.retrieval.overlay import OVERLAID_TURNS, UnreadTurns, Waiting, cosines, overlaid, unread_episodes
from agentmem.retrieval.pool import FIELDS, Candidate, Pool, Stage, candidates_of, people_of
from agentmem.retrieval.profiles import Profile, profile
from agentmem.retrieval.query import RecallQuery
from agentmem.tracing import span

log = structlog.get_logger()

FOUND = 50
"""Candidates per channel, or as many as hits are asked for."""

LOOKED_BESIDE, REACH = 20, 2
"""Of so many of the best turns, or as many as hits are asked for up to 40, the turns around become candidates: so far
before and behind."""

SHORT = 16
"""Words up to which the n-grams of a question tell as much as they can: those of a longer one are mostly those of
ordinary words, and the vectors of spelling count the less."""

TOPIC_WEIGHT = 0.3
"""What a topic of the question weighs beside a word of it when candidates are looked for."""

VOICES = 24
"""Turns looked at to learn who speaks in a scope."""

VOICED_SCOPES = 1_024
"""Scopes, those asked about last, whose speakers are kept in mind."""


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
    _speakers: dict[Scope, tuple[int, dict[str, bool]]] = field(
        default_factory=dict[Scope, tuple[int, dict[str, bool]]], init=False
    )
    _waiting: UnreadTurns = field(default_factory=UnreadTurns, init=False)

    async def __call__(self, query: RecallQuery) -> Gathered:
        """Everything that ranking needs, as columns. Raises `BackendUnavailable`."""
        asked = not query.types or MemoryType.CONVERSATION in query.types
        with span("recall.glance"):
            seen = await self.journal.glance(query.scope, turns=OVERLAID_TURNS if asked else 0)
        unread, chosen = self._unread(query, seen), self._profile(query, seen)
        # After that glance: a turn that is read in between is then seen twice, not missed.
        await self.projector.reach(seen.head)
        where = self.where(query)
        voices = await self._voices(query.scope)
        question = read_question(query.text, self._asked_at(query), voices, agents=[*filter(voices.get, voices)])
        sought = question.sought[:EMBEDDED_CHARACTERS]
        with span("recall.embed"):
            row = await self.embedder.embed([sought], purpose="query") if chosen.uses_vectors else None
        wide = _with_ended(where, question) if chosen.merges else where
        with span("recall.search"):
            found = await self._found(wide, self._probe(question, row, chosen), query)
        found += await self._just_said(unread, question, row, found)
        if chosen.neighbours:
            found += await self._neighbours(self._pool(question, found, chosen), where, query.k)
        if chosen.uses_terms and found:
            found = await self._with_terms(found)
        if query.scope.target is None:
            question = question.among(people_of(found))
        pool = self._pool(question, found, chosen)
        return Gathered(pool, chosen, where, {turn.node.memory_id: turn.node for turn in unread}, row)

    def answers(self, node: MemoryNode, query: RecallQuery, now: datetime) -> bool:
        """Whether the query, asked at `now`, may be answered with this state of a memory."""
        # The index has checked the filter on what memories are now, the only state it knows.
        fits = query.known_at is None or query.filter is None or holds(query.filter, node)
        shown = node.is_shown(now, as_of=query.as_of, known_at=query.known_at)
        return shown and fits and node.within(query.scope)

    def tells_an_end(self, node: MemoryNode, query: RecallQuery) -> bool:
        """Whether a memory that holds no longer may stand for the turn that it was made of."""
        told = node.is_searchable and node.ending is not Ending.FADED and node.valid_at <= self._asked_at(query)
        return told and node.within(query.scope)

    async def last_turns(self, scope: Scope) -> list[MemoryNode]:
        """The last turns of the run that the scope names, oldest first; none where it names none."""
        if scope.target is None or scope.run is None:
            return []
        lane = Lane(scope.tenant, scope.agent, scope.target)
        log = self.journal.events
        return unread_episodes(await log.earlier_turns(lane, before=AFTER_ALL, run_id=scope.run, limit=RECENT_TURNS))

    async def vectors(self, nodes: Sequence[MemoryNode]) -> Matrix:
        """One row for the content of each, as the index has it: zeros where the embedder refuses a text."""
        try:
            with input_faults():
                contents = [node.content[:EMBEDDED_CHARACTERS] for node in nodes]
                return await self.embedder.embed(contents, purpose="document")
        except Unreadable as error:
            if len(nodes) > 1:
                return np.concatenate([await self.vectors([node]) for node in nodes])
            log.warning("not_embedded", memory=nodes[0].memory_id, reason=without_content(error))
            return np.zeros((1, self.embedder.size), dtype=np.float32)

    def _profile(self, query: RecallQuery, seen: Glance) -> Profile:
        name = query.profile or (seen.persona.memory.recall.profile if seen.persona else "memories")
        chosen = profile(name, semantic=self.embedder.semantic)
        # What was known then only the ledger says: the pool does not know which of two there was.
        merges = chosen.merges and query.known_at is None
        return replace(chosen, fusion=query.fusion or chosen.fusion, merges=merges)

    def where(self, query: RecallQuery) -> Where:
        """With `known_at` a wide one: the index holds what memories have become, the ledger what they were."""
        past = query.as_of is not None or query.known_at is not None
        upcoming = query.as_of is None or query.known_at is not None
        as_of = AsOf(self._asked_at(query), query.known_at)
        seen = Where(query.scope, as_of, current=not past, types=query.types, filter=query.filter)
        return replace(seen, upcoming=upcoming, told=True)

    def _asked_at(self, query: RecallQuery) -> datetime:
        return query.as_of or query.known_at or self.now()

    def _unread(self, query: RecallQuery, seen: Glance) -> list[Waiting]:
        wanted, turns, now = query.filter or AllOf(()), self._waiting.of(seen.unread), self.now()
        return [turn for turn in turns if self.answers(turn.node, query, now) and holds(wanted, turn.node)]

    async def _voices(self, scope: Scope) -> Mapping[str, bool]:
        """Who speaks about this target, and whether that is the agent; known until something is written. Over all
        targets, nobody is left out."""
        if scope.target is None:
            return {}
        position = self.projector.position
        known, names = self._speakers.pop(scope, (-1, dict[str, bool]()))
        if known != position:
            where = Where(scope, current=False, types=(MemoryType.CONVERSATION,))
            turns = (await self.index.select(where, fields=("speaker", "userName"), limit=VOICES)).values()
            names = {
                str(turn["speaker"]): turn["speaker"] == turn.get("userName") for turn in turns if "speaker" in turn
            }
        self._speakers[scope] = (position, names)
        if len(self._speakers) > VOICED_SCOPES:
            del self._speakers[next(iter(self._speakers))]
        return names

    def _probe(self, question: Question, row: Matrix | None, chosen: Profile) -> Probe:
        words = dict(zip(*query_sparse(question.sought, question.time_terms), strict=True))
        words = dict.fromkeys(term_ids(question.topics), TOPIC_WEIGHT) | words
        terms = Sparse(tuple(sorted(words)), tuple(words[term] for term in sorted(words)))
        return Probe(row, terms, by_keys=bool(chosen.weights.get("keys")))

    async def _found(self, where: Where, probe: Probe, query: RecallQuery) -> list[Candidate]:
        """What the index finds, and what took the place of that which has ended."""
        found = await self.index.search(where, probe, limit=max(FOUND, query.k))
        ids = dict.fromkeys(key for channel in (found.lexical, found.content, found.keys) for key, _ in channel)
        fields = dict(await self.index.fetch(list(ids), FIELDS)) if ids else {}
        newer = {str(each["supersededBy"]) for each in fields.values() if "supersededBy" in each} - fields.keys()
        if newer:
            fields |= await self.index.fetch(sorted(newer), FIELDS)
        asked_at, past = self._asked_at(query), query.as_of is not None or query.known_at is not None
        over = {key for key, each in fields.items() if _is_over(each, asked_at, past=past)}
        return [replace(each, over=each.memory_id in over) for each in candidates_of(found, fields)]

    async def _just_said(
        self, unread: Sequence[Waiting], question: Question, row: Matrix | None, found: Sequence[Candidate]
    ) -> list[Candidate]:
        if not unread:
            return []
        near = [0.0] * len(unread)
        if row is not None:
            near = cosines(await self._rows(unread), row)
        return overlaid(unread, question.sought, near, max((item.lexical for item in found), default=0.0))

    async def _rows(self, unread: Sequence[Waiting]) -> Matrix:
        new = [turn for turn in unread if turn.row is None]
        if new:
            for turn, row in zip(new, await self.vectors([turn.node for turn in new]), strict=True):
                turn.row = row
        return np.stack([turn.row for turn in unread if turn.row is not None])

    def _pool(self, question: Question, found: Sequence[Candidate], chosen: Profile) -> Pool:
        share = chosen.dense_share
        if not self.embedder.semantic:
            share *= min(1.0, SHORT / (1 + len(tokens(question.sought))))
        return Pool(question, found, fusion=chosen.fusion, dense_share=share)

    async def _neighbours(self, pool: Pool, where: Where, k: int) -> list[Candidate]:
        places = pool.missing_beside(max(LOOKED_BESIDE, min(k, 2 * LOOKED_BESIDE)), REACH)
        if not places:
            return []
        beside = await self.index.select(replace(where, places=tuple(places)), fields=FIELDS, limit=len(places))
        return [Candidate(key, known, Stage.NEIGHBOUR) for key, known in beside.items()]

    async def _with_terms(self, found: Sequence[Candidate]) -> list[Candidate]:
        """The candidates with the terms they are searched by; unread ones have theirs."""
        held = await self.index.terms([item.memory_id for item in found if item.stage is not Stage.UNREAD])
        return [replace(item, terms=held[item.memory_id]) if item.memory_id in held else item for item in found]


def _with_ended(where: Where, question: Question) -> Where:
    """Where turns are asked for, what was made of them and has ended is wanted too: it tells that they hold no more.
    So it is where it may answer."""
    turns = not where.types or MemoryType.CONVERSATION in where.types
    return replace(where, ended=True, current=False) if turns or question.looks_back else where


def _is_over(fields: Mapping[str, JsonValue], at: datetime, *, past: bool) -> bool:
    """Whether a memory had ended by then; of the present, also one whose end nobody knows."""
    end = fields.get("invalidAt")
    if isinstance(end, str) and datetime.fromisoformat(end) <= at:
        return True
    return not past and fields.get("storeStatus", StoreStatus.VALID) != StoreStatus.VALID
