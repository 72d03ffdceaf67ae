"""Part by part and step by step: what a part's entities are known by says what to search for next, and what is reached
leads on.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agentmem.answers.answer import Step
from agentmem.answers.demand import MAX_CHARS, Asking, says
from agentmem.answers.passages import FARTHER, Looked, Part, Passage, asked_within, best_first, sureness
from agentmem.answers.subgraph import Subgraph, around, pictured
from agentmem.answers.visible_memory import Reached, VisibleMemory, looked_up
from agentmem.domain.entity import mentions_of, named
from agentmem.domain.memory import MemoryNode, MemoryType, place_of
from agentmem.domain.naming import canonical_name
from agentmem.graph.walk import FRONTIER
from agentmem.language.clauses import sentences
from agentmem.language.names import names_of
from agentmem.questions.form import diverse
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

LINKED_WEIGHT: Final = 0.2
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

    async def __call__(self, sight: VisibleMemory) -> Looked:
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

    def __init__(self, sight: VisibleMemory, part: str, summarise: Summariser) -> None:
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
            self._meet(replace(one, score=LINKED_WEIGHT * one.score / best * FARTHER**depth))
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


CROSSED: Final = 10
"""Bridges that are crossed in one step, the best."""

BEGINNINGS: Final = 6
"""Passages that bridges begin in, the best."""

WORTHY: Final = 0.3
"""Passages worth less of the best one begin no bridge."""

EACH: Final = 5
"""Bridges that begin in one passage."""

SENTENCE: Final = 0.4
"""What a name is worth whose sentence says nothing of what the passage says of the question, beside 1 for all."""

ASIDE: Final = 0.5
"""What a name is worth that a passage has as its title, or that it was told by."""

ABOUT: Final = 0.6
"""How near a memory is that is about the name or said by who bears it, if there is no other."""

MENTIONED: Final = 0.2
"""How near one is that has the name in it, if there is no other."""

SPREAD: Final = 0.3
"""The power of the number of memories as near as this one by which its nearness thins out."""

GAINED: Final = 0.6
"""What saying all that is still unsaid adds to nearness."""

FILLED: Final = 0.5
"""By how much of what is still unsaid a memory comes nearer that fills the slot which is asked for."""

ANSWERED: Final = 0.6
"""What a turn gains by what the turn before it asked."""


@dataclass(frozen=True, slots=True)
class Bridge:
    """A name to go on from, said `behind`; the passages of the way have `said` these words of the question, and it is
    `worth` so much up to the name."""

    name: str
    entity: str
    behind: Passage
    said: frozenset[str]
    worth: float


def bridges(passages: Sequence[Passage], asking: Asking, crossed: Collection[str]) -> list[Bridge]:
    """The best ways on from the best passages, which come first, each entity once and none that was `crossed`."""
    best: dict[str, Bridge] = {}
    for passage in passages[:BEGINNINGS]:
        if passage.score < WORTHY * passages[0].score:
            break
        for bridge in _beginning_in(passage, asking)[:EACH]:
            held = best.get(bridge.entity)
            if bridge.entity not in crossed and (held is None or held.worth < bridge.worth):
                best[bridge.entity] = bridge
    return _best_first(best.values())[:CROSSED]


def _best_first(found: Iterable[Bridge]) -> list[Bridge]:
    return sorted(found, key=lambda one: (-one.worth, one.entity))


def _beginning_in(passage: Passage, asking: Asking) -> list[Bridge]:
    node, best = passage.memory, dict[str, Bridge]()
    for name, said, worth in _named_in(node, asking):
        entity = named(node.tenant, node.agent_id, name)
        bridge = Bridge(name, entity, passage, passage.said | said, passage.score * worth)
        if not asking.names(name) and (entity not in best or best[entity].worth < bridge.worth):
            best[entity] = bridge
    return _best_first(best.values())


def _named_in(node: MemoryNode, asking: Asking) -> Iterator[tuple[str, frozenset[str], float]]:
    """Names with the words of the question that stand beside them, and their worth."""
    whole, linked = asking.said(node), [mention.name for mention in mentions_of(node)]
    for span in sentences(node.content[:MAX_CHARS]):
        said, plain = asking.in_text(span.text), canonical_name(span.text)
        worth = SENTENCE + (1 - SENTENCE) * (asking.share(said, whole) if whole else 0.5)
        names = [mention.name for mention in names_of(span.text)]
        for name in dict.fromkeys((*names, *(each for each in linked if says(plain, canonical_name(each))))):
            yield name, said, worth
    teller = () if node.memory_type is MemoryType.LONGTERM else (node.target_name,)
    for name in (*node.key, *teller):
        yield name, whole, ASIDE


def across(
    bridge: Bridge, same: Collection[str], nodes: Sequence[MemoryNode], asking: Asking, hop: int
) -> list[Passage]:
    """The memories that a bridge leads to; `same` are all the ids of its entity."""
    asked_before = _turns_before(nodes, asking)
    near = {node.memory_id: _nearness(node, bridge, same, asking) for node in nodes}
    alike = Counter(near.values())
    rest = asking.words - bridge.said
    found: list[Passage] = []
    for node in nodes:
        nearness = near[node.memory_id]
        if nearness > 0 and node.memory_id != bridge.behind.memory.memory_id:
            gain = asking.share(asking.said(node) & rest, rest)
            gain = max(gain, ANSWERED * asking.share(asked_before.get(node.memory_id, frozenset()) & rest, rest))
            if node.attribute in asking.slots:
                gain += FILLED * (1 - gain)
            worth = bridge.worth * (nearness / alike[nearness] ** SPREAD + GAINED * gain)
            said = bridge.said | asking.said(node)
            found.append(Passage(node, worth, hop, bridge.behind.memory.memory_id, said))
    return found


def _nearness(node: MemoryNode, bridge: Bridge, same: Collection[str], asking: Asking) -> float:
    name = canonical_name(bridge.name)
    if node.target_id in same and node.memory_type is not MemoryType.LONGTERM:
        heard = node.memory_type is MemoryType.CONVERSATION and node.speaker != node.target_name
        return MENTIONED / 2 if heard else ABOUT
    if node.memory_type is MemoryType.LONGTERM and any(says(canonical_name(key), name) for key in node.key):
        return ABOUT
    return MENTIONED if any(each in same for each in node.entity_ids) or says(asking.plain(node), name) else 0.0


def _turns_before(nodes: Iterable[MemoryNode], asking: Asking) -> Mapping[str, frozenset[str]]:
    """By turn, the words of the question in the turn before it."""
    turns = {node.place: node for node in nodes if node.place is not None}
    found: dict[str, frozenset[str]] = {}
    for place, node in turns.items():
        talk, _, number = place.rpartition("/")
        if before := turns.get(place_of(talk, int(number) - 1)):
            found[node.memory_id] = asking.said(before)
    return found
