"""Answering a question from memory: look for what bears on it, then say it, in the sources' words or in a model's."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Protocol

import structlog

from agentmem.answers.answer import AskQuery, AskReply, Source, Step
from agentmem.answers.demand import says
from agentmem.answers.extractive import sure_enough, told
from agentmem.answers.modes import at_its_time, held_from_to, hybrid, local, overview, temporal, vector
from agentmem.answers.passages import FLOOR, Looked, Passage
from agentmem.answers.subgraph import besides
from agentmem.answers.sure_answer import FEWEST, in_newest_words, is_sure, with_quotes
from agentmem.answers.traversal import Traversal, summed_up
from agentmem.answers.visible_memory import Recaller, VisibleMemory
from agentmem.domain.filter import AllOf, Compare
from agentmem.domain.memory import MemoryNode, MemoryType, local_day
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Usage
from agentmem.errors import BadAnswer, without_content
from agentmem.language.tokens import tokens
from agentmem.ports.ledger import Ledger
from agentmem.ports.memory_index import Where
from agentmem.ports.models import Narrator
from agentmem.questions.asked_people import AskedPeople, asked_people
from agentmem.questions.form import MOST, AnswerMode, mode_of, next_mode, parts_of
from agentmem.questions.question import read_question
from agentmem.retrieval.confidence import THRESHOLD, UNSURE
from agentmem.retrieval.gathering import Gatherer
from agentmem.retrieval.query import Recalled, RecallQuery, Words

LATER: Final = 100
"""Turns, the last ones, among which a newer word on the matter of an answer is looked for."""


class WordsOf(Protocol):
    """The words each of these memories rests on, by memory id, out of the talks with `said_to` alone where one is
    given."""

    def __call__(
        self, memories: Sequence[MemoryNode], *, said_to: str | None = None
    ) -> Awaitable[dict[str, list[Words]]]: ...


class Guide:
    """Takes one question apart and sums up what was found on the way; `usage` is what that has cost so far."""

    def __init__(self, narrator: Narrator | None) -> None:
        self._narrator = narrator
        self._told: dict[str, tuple[frozenset[str], str]] = {}
        self.usage = Usage()

    async def split(self, question: str) -> list[str]:
        """At most three questions, in the order in which to look for them. Raises `BackendUnavailable`."""
        if self._narrator is not None:
            try:
                split = await self._narrator.split(question, most=MOST)
            except BadAnswer as error:
                log.warning("question_not_split", reason=without_content(error))
            else:
                self.usage = self.usage.plus(split.usage)
                return list(split.questions)
        return parts_of(question)

    async def summarise(self, part: str, facts: Sequence[str]) -> str:
        """What the facts tell about a part of the question; a model that was told them all before is not asked again.
        Raises `BackendUnavailable`."""
        if self._narrator is not None:
            known, told = self._told.get(part, (frozenset[str](), ""))
            if known.issuperset(facts):
                return told
            try:
                summary = await self._narrator.summarise(part, facts)
            except BadAnswer as error:
                log.warning("facts_not_summarised", facts=len(facts), reason=without_content(error))
            else:
                self.usage = self.usage.plus(summary.usage)
                self._told[part] = frozenset(facts), summary.text
                return summary.text
        return summed_up(facts)


@dataclass(frozen=True, slots=True)
class Asker:
    """Answers questions. `words` are those that memories rest on; without a `narrator`, answers are extractive."""

    gather: Gatherer
    recall: Recaller
    words: WordsOf
    narrator: Narrator | None = None

    async def __call__(self, query: AskQuery) -> AskReply:
        """The answer, or that there is none. `auto` goes on to another way where the first one finds nothing.

        Raises `BackendUnavailable`, and `BadAnswer` where the model's answer cannot be used.
        """
        now, guide = self.gather.now(), Guide(self.narrator)
        whom = await self._whom(query)
        way = mode_of(query.text, now) if query.mode == "auto" else query.mode
        looked = await self._first_looked(way, query, guide)
        if self._may_quote(query, looked):
            way = "vector"
        while query.mode == "auto" and not _answers(looked) and (other := next_mode(way)) is not None:
            earlier, way = looked, other
            looked = await self._looked(way, query, guide)
            looked = replace(looked, steps=(*earlier.steps, *looked.steps))
        if not (_answers(looked) or self._may_quote(query, looked)):
            sure = min(looked.confidence, THRESHOLD)
            reply = AskReply(query.text, way, None, self.narrator is None, sure, now, trace=looked.steps)
        elif self.narrator is None:
            reply = await self._extracted(query, way, looked, whom, now)
        else:
            reply = await self._narrated(self.narrator, query, way, looked, now)
        seen = tuple(one.memory.memory_id for one in looked.ranked)
        reply = replace(reply, usage=guide.usage.plus(reply.usage), looked_at=seen)
        if reply.text is None or not query.choices or not reply.extractive:
            return reply
        return replace(reply, choice=chosen(query.choices, reply.text, [one.text for one in looked.ranked]))

    def _may_quote(self, query: AskQuery, looked: Looked) -> bool:
        """Whether what one person said may be quoted, if that is likely enough to be the answer."""
        of_one = self.narrator is None and query.scope.target is not None
        return of_one and bool(looked.ranked) and looked.among >= FEWEST and not looked.of_another

    async def _first_looked(self, way: AnswerMode, query: AskQuery, guide: Guide) -> Looked:
        """What that way finds; what recall does, where of that may be quoted and the way would go from step to step."""
        if way in ("traverse", "local") and query.mode == "auto":
            looked = await self._looked("vector", query, guide) if query.scope.target and not self.narrator else None
            if looked is not None and self._may_quote(query, looked):
                return looked
        return await self._looked(way, query, guide)

    async def _looked(self, way: AnswerMode, query: AskQuery, guide: Guide) -> Looked:
        sight = VisibleMemory(self.gather, self._recaller(query), query)
        match way:
            case "vector":
                return await vector(sight)
            case "local":
                return await local(sight)
            case "global":
                return await overview(sight)
            case "hybrid":
                return await hybrid(sight, Traversal(guide.split, guide.summarise))
            case "traverse":
                return await Traversal(guide.split, guide.summarise)(sight)
            case "temporal":
                return await temporal(sight)

    def _recaller(self, query: AskQuery) -> Recaller:
        """What recall finds; for an answer in the sources' own words, of others only those the question names."""
        target = query.scope.target
        if self.narrator is not None or target is None:
            return self.recall

        async def recall(asked: RecallQuery) -> Recalled:
            found = await self.recall(asked)
            others = {hit.memory.target_id: hit.memory.target_name for hit in found.hits}
            asked_for = canonical_name(query.text)
            meant = {each: each == target or canonical_name(name) in asked_for for each, name in others.items()}
            if all(meant.values()):
                return found
            own = Compare("targetId", "in", (target, *(each for each, named in meant.items() if named)))
            return await self.recall(replace(asked, filter=own if asked.filter is None else AllOf((asked.filter, own))))

        return recall

    async def _whom(self, query: AskQuery) -> AskedPeople:
        """Whom it asks about: only an answer in the sources' own words is held against that."""
        if self.narrator:
            return AskedPeople()
        whom = await asked_people(self.gather.index, Where(query.scope), query.text)
        return replace(whom, of_all=query.scope.target is None)

    async def _extracted(
        self, query: AskQuery, way: AnswerMode, looked: Looked, whom: AskedPeople, now: datetime
    ) -> AskReply:
        held = await self._as_it_holds(query, await self._with_later(query, looked))
        answer = told(held, whom)
        if self._may_quote(query, looked):
            quoted = with_quotes(held, answer)
            unsure = not is_sure(query.text, held, quoted)
            answer = in_newest_words(held, answer, quoted)
        else:
            unsure = query.scope.target is not None and looked.confidence < sure_enough(query.text)
        if answer.text is None or unsure:
            return AskReply(query.text, way, None, True, min(looked.confidence, UNSURE), now, trace=looked.steps)
        sources = await self._sources(query, answer.sources)
        step = Step("extract", query.text, _ids(sources), numbers=_numbers(sources))
        steps = (*looked.steps, step)
        return AskReply(query.text, way, answer.text, True, looked.confidence, now, sources, steps, graph=looked.graph)

    async def _with_later(self, query: AskQuery, looked: Looked) -> Looked:
        """With the last turns of the person who is asked about, one of which may be newer than what was found."""
        if query.scope.target is None:
            return looked
        turns = await VisibleMemory(self.gather, self.recall, query).last_turns(LATER)
        beside = tuple(Passage(turn, FLOOR) for turn in turns)
        return replace(looked, parts=tuple(replace(part, beside=beside) for part in looked.parts))

    async def _as_it_holds(self, query: AskQuery, looked: Looked) -> Looked:
        """With the stretches of its turns that no longer hold, what its memories have taken the place of, and from when
        what is to come will hold."""
        sight = at_its_time(VisibleMemory(self.gather, self.recall, query))
        found = {one.memory.memory_id: one.memory for part in looked.parts for one in part.told_beside}
        turns = [key for key, node in found.items() if node.memory_type is MemoryType.CONVERSATION]
        over, replaced = await sight.over_in(turns), await sight.replaced_by(found.values())
        question = read_question(query.text, sight.moment)

        def held(passages: Sequence[Passage]) -> tuple[Passage, ...]:
            return tuple(map(as_it_holds, passages))

        def as_it_holds(one: Passage) -> Passage:
            earlier = tuple(replaced[key] for key in one.memory.supersedes if key in replaced)
            there = replace(one, over=over.get(one.memory.memory_id, ()), in_place_of=earlier)
            if one.memory.valid_at <= sight.moment:
                return there
            span = held_from_to(one.memory, query.text, sight.moment)
            return replace(there, span=span, place=-1 if question.looks_to(one.memory.valid_at) else 1)

        parts = (replace(part, passages=held(part.passages), beside=held(part.beside)) for part in looked.parts)
        return replace(looked, parts=tuple(parts))

    async def _narrated(
        self, narrator: Narrator, query: AskQuery, way: AnswerMode, looked: Looked, now: datetime
    ) -> AskReply:
        passages = looked.passages
        then = query.as_of
        dated = (
            one if one.span and not then else replace(one, span=held_from_to(one.memory, query.text, now, then))
            for one in passages
        )
        texts = [f"{one.text}{one.note}" for one in dated]
        graph = besides(looked.graph, passages)
        answer = await narrator.answer(
            query.text, texts, graph, choices=query.choices, today=local_day(query.as_of or now)
        )
        sources = await self._sources(query, [passages[number - 1] for number in answer.cited], answer.cited)
        step = Step("narrate", query.text, _ids(sources), narrator.name, _numbers(sources))
        sure = looked.confidence if answer.text else 0.0
        steps, used, graph = (*looked.steps, step), answer.usage, looked.graph
        reply = AskReply(query.text, way, answer.text, False, sure, now, sources, steps, used, graph)
        return replace(reply, choice=answer.choice)

    async def _sources(
        self, query: AskQuery, passages: Sequence[Passage], numbers: Sequence[int] = ()
    ) -> tuple[Source, ...]:
        words = await self.words([one.memory for one in passages], said_to=query.scope.target)
        counted = numbers or range(1, len(passages) + 1)
        return tuple(
            Source(number, one.memory, tuple(words[one.memory.memory_id]))
            for number, one in zip(counted, passages, strict=True)
        )


def _answers(looked: Looked) -> bool:
    return looked.confidence >= THRESHOLD and any(part.passages for part in looked.parts)


def _ids(sources: Sequence[Source]) -> tuple[str, ...]:
    return tuple(source.memory.memory_id for source in sources)


def _numbers(sources: Sequence[Source]) -> tuple[int, ...]:
    return tuple(source.number for source in sources)


log = structlog.get_logger()


async def replay(
    ledger: Ledger, words: WordsOf, scope: Scope, trace: Sequence[Step], known_at: datetime
) -> tuple[Source, ...]:
    """The sources that the last step of a trace names, as they were known at `known_at`: `AskQuery.known_at` where
    the question had one, else `AskReply.asked_at`. What was erased since is left out, as is what the scope does not
    see.
    """
    if not trace:
        return ()
    last = trace[-1]
    known = await ledger.get(scope.tenant, last.memory_ids, known_at=known_at)
    shown = [
        (number, known[key])
        for number, key in zip(last.numbers, last.memory_ids, strict=False)
        if key in known and known[key].within(scope)
    ]
    said = await words([node for _, node in shown], said_to=scope.target)
    return tuple(Source(number, node, tuple(said[node.memory_id])) for number, node in shown)


HALF: Final = 0.5
"""The share of what sets a choice apart that must be said for it."""


def chosen(choices: Sequence[str], answer: str, passages: Sequence[str]) -> int | None:
    """The number, from 1, of the choice that the answer says, or else the first passage that says only one of them;
    None where nothing tells them apart.

    What all choices have in common speaks for none of them.
    """
    return next((number for text in (answer, *passages) if (number := _said(choices, text)) is not None), None)


def _said(choices: Sequence[str], text: str) -> int | None:
    """The one choice of which the text says most; None where it says half of none, or as much of two."""
    plain, words = canonical_name(text), frozenset(tokens(text))
    of_each = [frozenset(tokens(choice)) for choice in choices]
    common = frozenset[str].intersection(*of_each)
    shares = [
        1.0 if says(plain, canonical_name(choice)) else len((own - common) & words) / (len(own - common) or 1)
        for choice, own in zip(choices, of_each, strict=True)
    ]
    best = max(shares)
    return shares.index(best) + 1 if best >= HALF and shares.count(best) == 1 else None
