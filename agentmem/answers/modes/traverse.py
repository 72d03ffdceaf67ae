"""Part by part and step by step: what is known of a part's entities says what to search for, what was reached leads on
(KG-RAG)."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agentmem.answers.lookup import looked_up
from agentmem.answers.passages import Looked, Part, Passage, best_first, scale_of, sureness
from agentmem.answers.question import Step
from agentmem.answers.sight import Sight
from agentmem.answers.split import diverse
from agentmem.answers.subgraph import Subgraph, around, pictured
from agentmem.graph.walk import FRONTIER
from agentmem.retrieval.confidence import THRESHOLD

NEAREST: Final = 3
"""Memories that one search brings."""

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
        parts: list[Part] = []
        graph: list[str] = []
        sure: list[float] = []
        for part in asked:
            course = _Course(sight, part, self.summarise)
            await course.run()
            steps += course.steps
            graph += course.graph
            passages = best_first((*course.facts, *course.texts), sight.query.k)
            sure.append(max(sureness(part, passages), course.confidence))
            if sure[-1] >= THRESHOLD:
                parts.append(Part(part, passages, walked=True))
        return Looked(tuple(parts), max(sure), tuple(steps), tuple(dict.fromkeys(graph)))


class _Course:
    """One part on its way: facts and texts that were met are kept apart from the entities to walk on from."""

    def __init__(self, sight: Sight, part: str, summarise: Summariser) -> None:
        self._sight, self._part, self._summarise = sight, part, summarise
        self.facts: list[Passage] = []
        self.texts: list[Passage] = []
        self.steps: list[Step] = []
        self.graph: list[str] = []
        self.confidence = 0.0

    async def run(self) -> None:
        """Go `depth` steps far. What was visited is not walked on from again, and does not end the walk."""
        frontier = await looked_up(self._sight, self._part)
        visited: set[str] = set()
        led: Mapping[str, Passage] = {}
        for depth in range(self._sight.query.depth):
            found = await around(self._sight, self._part, frontier, hops=1, before=depth, led=led)
            self._keep(found)
            await self._search(found, depth)
            visited |= found.walk.entities.keys() & frontier.keys() | set(frontier)
            onward = sorted(found.next_to(visited).items(), key=lambda item: (-item[1], item[0]))
            frontier = dict(onward[:FRONTIER])
            led = found.led
            if not frontier:
                break

    def _keep(self, found: Subgraph) -> None:
        known = {one.memory.memory_id for one in self.facts}
        new = [one for one in found.passages if one.memory.memory_id not in known]
        self.facts += new
        self.graph += pictured(found)
        self.steps.append(Step("walk", self._part, tuple(one.memory.memory_id for one in new)))

    async def _search(self, found: Subgraph, depth: int) -> None:
        """The nearest to what was learned and the part together; to the part alone where nothing was."""
        summary = await self._summarise(self._part, [one.text for one in found.passages]) if found.passages else ""
        sought = f"{summary[:SUMMARY]} {self._part}".strip()
        recalled = await self._sight.recall(sought, NEAREST)
        self.steps.append(Step("recall", sought, tuple(hit.memory.memory_id for hit in recalled.hits)))
        if not summary:  # else the recall is sure of the summary's words, not of the question's
            self.confidence = max(self.confidence, recalled.confidence)
        known = {one.memory.memory_id for one in (*self.facts, *self.texts)}
        new = [hit.memory for hit in recalled.hits if hit.memory.memory_id not in known]
        scale = scale_of(self._part, [*found.memories.values(), *new])
        self.texts += [scale.passage(node, depth + 1) for node in new]


async def summed_up(part: str, facts: Sequence[str]) -> str:
    """The best facts, whole ones as far as there is room: a summary without a model."""
    told: list[str] = []
    for fact in dict.fromkeys(" ".join(each.split()) for each in facts):
        if sum(map(len, told)) + len(fact) <= SUMMARY:
            told.append(fact)
    return " ".join(told)
