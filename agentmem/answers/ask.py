"""Answering a question from memory: look for what bears on it, then say it, in the sources' words or in a model's."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from agentmem.answers.choosing import chosen
from agentmem.answers.guide import Guide
from agentmem.answers.modes.hybrid import hybrid
from agentmem.answers.modes.local import local
from agentmem.answers.modes.overview import overview
from agentmem.answers.modes.temporal import temporal
from agentmem.answers.modes.traverse import Traversal
from agentmem.answers.modes.vector import vector
from agentmem.answers.passages import Looked, Passage
from agentmem.answers.question import AskQuery, Reply, Source, Step, Way
from agentmem.answers.shape import otherwise, way_of
from agentmem.answers.sight import Recaller, Sight
from agentmem.answers.telling import told
from agentmem.domain.memory import MemoryNode
from agentmem.ports.memory_index import Where
from agentmem.ports.narrator import Narrator
from agentmem.retrieval.about import Whom, asked_about
from agentmem.retrieval.confidence import THRESHOLD, UNSURE
from agentmem.retrieval.gathering import Gatherer
from agentmem.retrieval.query import Words


class WordsOf(Protocol):
    """The words each of these memories rests on, by memory id, out of the talks with `said_to` alone where one is
    given."""

    def __call__(
        self, memories: Sequence[MemoryNode], *, said_to: str | None = None
    ) -> Awaitable[dict[str, list[Words]]]: ...


@dataclass(frozen=True, slots=True)
class Asker:
    """Answers questions. `words` are those that memories rest on; without a `narrator`, answers are extractive."""

    gather: Gatherer
    recall: Recaller
    words: WordsOf
    narrator: Narrator | None = None

    async def __call__(self, query: AskQuery) -> Reply:
        """The answer, or that there is none. `auto` goes on to another way where the first one finds nothing.

        Raises `BackendUnavailable`, and `BadAnswer` where the model's answer cannot be used.
        """
        now, guide = self.gather.now(), Guide(self.narrator)
        whom = await self._whom(query)
        way = way_of(query.text, now) if query.mode == "auto" else query.mode
        looked = await self._looked(way, query, guide)
        while query.mode == "auto" and not _answers(looked) and (other := otherwise(way)) is not None:
            earlier, way = looked, other
            looked = await self._looked(way, query, guide)
            looked = replace(looked, steps=(*earlier.steps, *looked.steps))
        if not _answers(looked):
            sure = min(looked.confidence, THRESHOLD)
            reply = Reply(query.text, way, None, self.narrator is None, sure, now, trace=looked.steps)
        elif self.narrator is None:
            reply = await self._extracted(query, way, looked, whom, now)
        else:
            reply = await self._narrated(self.narrator, query, way, looked, now)
        seen = tuple(one.memory.memory_id for one in looked.ranked)
        reply = replace(reply, usage=guide.usage.plus(reply.usage), looked_at=seen)
        if reply.text is None or not query.choices or not reply.extractive:
            return reply
        return replace(reply, choice=chosen(query.choices, reply.text, [one.text for one in looked.ranked]))

    async def _looked(self, way: Way, query: AskQuery, guide: Guide) -> Looked:
        sight = Sight(self.gather, self.recall, query)
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

    async def _whom(self, query: AskQuery) -> Whom:
        """Whom it asks about: only an answer in the sources' own words is held against that."""
        return Whom() if self.narrator else await asked_about(self.gather.index, Where(query.scope), query.text)

    async def _extracted(self, query: AskQuery, way: Way, looked: Looked, whom: Whom, now: datetime) -> Reply:
        answer = told(looked, whom)
        if answer.text is None:
            return Reply(query.text, way, None, True, min(looked.confidence, UNSURE), now, trace=looked.steps)
        sources = await self._sources(query, answer.sources)
        step = Step("extract", query.text, _ids(sources), numbers=_numbers(sources))
        steps = (*looked.steps, step)
        return Reply(query.text, way, answer.text, True, looked.confidence, now, sources, steps, graph=looked.graph)

    async def _narrated(self, narrator: Narrator, query: AskQuery, way: Way, looked: Looked, now: datetime) -> Reply:
        passages = looked.passages
        texts = [f"{one.text}{one.note}" for one in passages]
        answer = await narrator.answer(query.text, texts, looked.graph, choices=query.choices)
        sources = await self._sources(query, [passages[number - 1] for number in answer.cited], answer.cited)
        step = Step("narrate", query.text, _ids(sources), narrator.name, _numbers(sources))
        sure = looked.confidence if answer.text else 0.0
        steps, used, graph = (*looked.steps, step), answer.usage, looked.graph
        reply = Reply(query.text, way, answer.text, False, sure, now, sources, steps, used, graph)
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
