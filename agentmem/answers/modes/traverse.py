"""Part by part and step by step: what is known of a part's entities says what to search for, what was reached leads on
(KG-RAG)."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agentmem.answers.asking import Asking
from agentmem.answers.bridge import across, bridges
from agentmem.answers.lookup import looked_up
from agentmem.answers.passages import FARTHER, Looked, Part, Passage, asked_within, best_first, sureness
from agentmem.answers.question import Step
from agentmem.answers.sight import Reached, Sight
from agentmem.answers.split import diverse
from agentmem.answers.subgraph import Subgraph, around, pictured
from agentmem.graph.walk import FRONTIER
from agentmem.retrieval.confidence import UNSURE
from agentmem.retrieval.query import Hit

NEAREST: Final = 3
"""Memories that one search brings."""

RECALLED: Final = 16
"""Memories that are recalled for a part of a question."""

SCORED: Final = 0.6
POWER: Final = 3
"""The share of recall's own score in what a hit is worth, and the power by which the first hits count more."""

SUMMED_UP: Final = 0.3
"""What the nearest to a summary is worth, beside 1 for the best hit."""

WALKED: Final = 0.2
"""What the best of what was walked over is worth."""

AGREED: Final = 0.5
"""What a second way to a memory adds, of what it is worth itself."""

TOLD: Final = 0.1
"""The share of what is asked beside names that the finds must say together."""

LEVEL: Final = 0.1
"""The power by which worths are made more alike before an answer is told: the far end of a way is worth less than where
it begins, and it is there that the answer stands."""

SUMMARY: Final = 300
"""Characters of a summary that a search is put together with."""

Splitter = Callable[[str], Awaitable[list[str]]]
Summariser = Callable[[str, Sequence[str]], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Traversal:
    """Walks for each part of a question. `split` takes it apart, `summarise` says what facts tell about a part.

    With S parts and depth D there are at most 1 + 2·S·D steps, and one more that answers.
    """

    split: Splitter
    summarise: Summariser

    async def __call__(self, sight: Sight) -> Looked:
        """Each part with the facts and texts that were met. Raises `BackendUnavailable`."""
        await sight.refresh()
        text = sight.query.text
        asked = await self.split(text)
        asked = diverse(asked, await sight.gather.embedder.embed(asked, purpose="query")) or [text]
        steps = [Step("split", text, note=" | ".join(asked))]
        courses = [_Course(sight, part, self.summarise) for part in asked]
        for course in courses:
            await course.run()
            steps += course.steps
        parts = [course.part() for course in courses]
        own = [part for part in parts if not asked_within(part, parts)]
        graph = dict.fromkeys(line for course in courses for line in course.graph)
        return Looked(tuple(parts), max(part.sure for part in own), tuple(steps), tuple(graph))


class _Course:
    """One part on its way: what was met is kept apart from the entities to go on from."""

    def __init__(self, sight: Sight, part: str, summarise: Summariser) -> None:
        self._sight, self._part, self._summarise = sight, part, summarise
        self._asking = Asking(part)
        self._found: dict[str, Passage] = {}
        self._crossed: set[str] = set()
        self.steps: list[Step] = []
        self.graph: list[str] = []
        self.confidence = 0.0

    @property
    def passages(self) -> list[Passage]:
        """All that was met, the best first."""
        return sorted(self._found.values(), key=lambda one: (-one.score, one.hop, one.memory.memory_id))

    def part(self) -> Part:
        """What was asked with the best of what was met. Not sure where nothing that was met says any of what is asked
        beside the names: then the names alone were found."""
        best = best_first(self.passages, self._sight.query.k)
        sure = max(sureness(self._part, best), self.confidence)
        if self._asking.told_by(one.said for one in best) < TOLD:
            sure = min(sure, UNSURE)
        return Part(self._part, tuple(replace(one, score=one.score**LEVEL) for one in best), sure)

    async def run(self) -> None:
        """Go `depth` steps far. What was visited is not walked on from again, and does not end the walk."""
        frontier = await looked_up(self._sight, self._part)
        visited: set[str] = set()
        led: Mapping[str, Passage] = {}
        for depth in range(self._sight.query.depth):
            found = await around(self._sight, self._part, frontier, hops=1, before=depth, led=led)
            self._keep(found, depth)
            await self._search(found, depth)
            visited |= set(frontier)
            onward = sorted(found.next_to(visited).items(), key=lambda item: (-item[1], item[0]))
            frontier = dict(onward[:FRONTIER])
            led = found.led

    def _keep(self, found: Subgraph, depth: int) -> None:
        self._asking.meet(found.memories.values())
        best = max((one.score for one in found.passages), default=1.0)
        for one in found.passages:
            self._meet(replace(one, score=WALKED * one.score / best * FARTHER**depth))
        self.graph += pictured(found)
        self.steps.append(Step("walk", self._part, _ids(found.passages)))

    async def _search(self, found: Subgraph, depth: int) -> None:
        """What the part itself finds, first of all; then what its best finds lead to, and the nearest to what was
        learned and the part together."""
        met = [] if depth else await self._recalled()
        over = bridges(self.passages, self._asking, self._crossed)
        self._crossed |= {bridge.entity for bridge in over}
        reached = await self._sight.reached({one.entity: one.name for one in over}, self._part) if over else Reached()
        self._asking.meet(reached.memories)
        for bridge in over:
            met += across(bridge, reached.same[bridge.entity], reached.memories, self._asking, depth + 2)
        known = [one.text for one in found.passages]
        summary = await self._summarise(self._part, known) if known else ""
        sought = f"{summary[:SUMMARY]} {self._part}".strip()
        if summary:
            near = await self._sight.recall(sought, NEAREST)
            met += self._weighed(near.hits, depth + 1, SUMMED_UP)
        for one in met:
            self._meet(one)
        note = ", ".join(bridge.name for bridge in over)
        self.steps.append(Step("recall", sought, tuple(dict.fromkeys(_ids(met))), note))

    async def _recalled(self) -> list[Passage]:
        recalled = await self._sight.recall(self._part, RECALLED)
        self.confidence = recalled.confidence
        for one in (passages := self._weighed(recalled.hits, 0, 1.0)):
            self._meet(one)
        return passages

    def _weighed(self, hits: Sequence[Hit], hop: int, share: float) -> list[Passage]:
        """Hits by what they say of the part, and by recall's own score, of which the first counts most."""
        hits = [hit for hit in hits if hit.score > 0]
        self._asking.meet(hit.memory for hit in hits)
        said = [self._asking.share(self._asking.said(hit.memory)) for hit in hits]
        most = max(said, default=0.0) or 1.0
        return [
            Passage(
                hit.memory,
                share * (SCORED * (hit.score / hits[0].score) ** POWER + (1 - SCORED) * words / most),
                hop,
                said=self._asking.said(hit.memory),
            )
            for hit, words in zip(hits, said, strict=True)
        ]

    def _meet(self, one: Passage) -> None:
        """Keep the better of two ways to a memory; that there are two of different lengths speaks for it."""
        held = self._found.get(one.memory.memory_id, one)
        best, other = (held, one) if held.score >= one.score else (one, held)
        if best.hop != other.hop:
            best = replace(best, score=best.score + AGREED * other.score)
        self._found[one.memory.memory_id] = best


def _ids(passages: Sequence[Passage]) -> tuple[str, ...]:
    return tuple(one.memory.memory_id for one in passages)


def summed_up(facts: Sequence[str]) -> str:
    """The best facts, whole ones as far as there is room: a summary without a model."""
    told: list[str] = []
    for fact in dict.fromkeys(" ".join(each.split()) for each in facts):
        if sum(map(len, told)) + len(fact) <= SUMMARY:
            told.append(fact)
    return " ".join(told)
