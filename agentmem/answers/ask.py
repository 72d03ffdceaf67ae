"""Answering a question from memory: look for what bears on it, then say it, in the sources' words or in a model's."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from agentmem.answers.extractive import extracted
from agentmem.answers.question import AskQuery, Reply, Source, Step
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.ports.narrator import Narrator
from agentmem.retrieval.query import Hit, Recalled, RecallQuery, Words

Recaller = Callable[[RecallQuery], Awaitable[Recalled]]
WordsOf = Callable[[Sequence[MemoryNode]], Awaitable[dict[str, list[Words]]]]


@dataclass(frozen=True, slots=True)
class Asker:
    """Answers questions. `words` are those that memories rest on; without a `narrator`, answers are extractive."""

    recall: Recaller
    words: WordsOf
    narrator: Narrator | None = None

    async def __call__(self, query: AskQuery) -> Reply:
        """The answer, or that there is none. Raises `BackendUnavailable`, and `BadAnswer` where the model's answer
        cannot be used."""
        found = await self.recall(RecallQuery(query.scope, query.text, query.k, query.as_of, query.known_at))
        step = Step("recall", query.text, tuple(hit.memory.memory_id for hit in found.hits))
        if found.abstained:
            told = Reply(query.text, "vector", None, self.narrator is None, found.confidence, trace=(step,))
        else:
            told = await (self._extracted if self.narrator is None else self._narrated)(query, found, step)
        return replace(told, looked_at=step.memory_ids)

    async def _extracted(self, query: AskQuery, found: Recalled, step: Step) -> Reply:
        excerpts = extracted(query.text, [(_told(hit), hit.score) for hit in found.hits if hit.score > 0])
        used = list(dict.fromkeys(one.passage for one in excerpts))
        sources = await self._sources([found.hits[place] for place in used])
        text = "\n".join(f"{one.text} [{used.index(one.passage) + 1}]" for one in excerpts)
        last = Step("extract", query.text, tuple(one.memory.memory_id for one in sources))
        return Reply(query.text, "vector", text or None, True, found.confidence, sources, (step, last))

    async def _narrated(self, query: AskQuery, found: Recalled, step: Step) -> Reply:
        assert self.narrator is not None
        told = await self.narrator.answer(query.text, [_told(hit) for hit in found.hits])
        sources = await self._sources([found.hits[number - 1] for number in told.cited], told.cited)
        last = Step("narrate", query.text, tuple(one.memory.memory_id for one in sources), self.narrator.name)
        sure = found.confidence if told.text else 0.0
        return Reply(query.text, "vector", told.text, False, sure, sources, (step, last), told.usage)

    async def _sources(self, hits: Sequence[Hit], numbers: Sequence[int] = ()) -> tuple[Source, ...]:
        words = await self.words([hit.memory for hit in hits])
        counted = numbers or range(1, len(hits) + 1)
        return tuple(
            Source(number, hit.memory, tuple(words[hit.memory.memory_id]))
            for number, hit in zip(counted, hits, strict=True)
        )


def _told(hit: Hit) -> str:
    """The memory as a passage: a turn with who said it, for 'I' is nobody without."""
    node = hit.memory
    if node.memory_type is MemoryType.CONVERSATION and node.speaker:
        return f"{node.speaker}: {node.content}"
    return node.content
