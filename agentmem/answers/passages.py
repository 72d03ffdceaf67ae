"""What may answer a question: memories with their worth, and how many steps away from what it names they lie."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from agentmem.answers.answer import Step
from agentmem.characters import is_han
from agentmem.domain.entity import heard_from
from agentmem.domain.memory import MemoryNode, MemoryType, Modality
from agentmem.language.normal import language_of
from agentmem.language.record_fields import record_answers
from agentmem.language.tokens import tokens
from agentmem.questions.question import asked_for
from agentmem.retrieval.confidence import LOOKED_AT, confidence
from agentmem.retrieval.context_wording import WORDINGS
from agentmem.retrieval.term_weights import terms_said

RANKS: Final = 60.0
"""The constant of reciprocal rank fusion: how little the first places count for."""

FLOOR: Final = 0.2
"""What a memory is worth that shares no word with the question, beside 1 for one that says all of it."""

FARTHER: Final = 0.9
"""What one more step leaves of a memory's worth."""

SLOT: Final = 0.3
"""By how much of what is missing a memory comes nearer that fills the slot which is asked for."""


_JOINTS: Final = " ,;，；、"
_ENDS: Final = ".!?。！？\n"


def _without(content: str, stretches: Iterable[tuple[int, int]]) -> str:
    """A text without these stretches, and without what joined them to the rest."""
    left, place = "", 0
    for start, end in sorted((*stretches, (len(content), len(content)))):
        piece = content[place:start].strip(_JOINTS)
        if not left or left[-1] in _ENDS:
            piece = piece.lstrip(_JOINTS + _ENDS)
        if left and piece and piece[0] not in _ENDS:
            left += " " if left[-1] in _ENDS else "，" if is_han(piece[0]) else ", "
        left, place = left + piece, max(place, end)
    return left


@dataclass(frozen=True, slots=True)
class Passage:
    """A memory that may answer, with a `score` above 0. `hop` counts the steps from what the question names, 0 where
    it was searched for; `behind` is the memory one step nearer, and `said` are the words of the question that all on
    the way say together. `span` says from when until when it held.
    `in_place_of`: what it has ended. `over`: stretches of a turn of which something was made that no longer holds.
    `stands_for`: the memories found for the question that it tells anew, or that asked for it. `place`: -1 of what is
    to come where the question looks there, 1 where it does not, else 0."""

    memory: MemoryNode
    score: float
    hop: int = 0
    behind: str | None = None
    said: frozenset[str] = frozenset()
    span: str = ""
    in_place_of: tuple[MemoryNode, ...] = ()
    over: tuple[tuple[int, int], ...] = ()
    stands_for: frozenset[str] = frozenset()
    place: int = 0

    @property
    def text(self) -> str:
        """A turn with who said it, for 'I' is nobody without, and without what no longer holds."""
        node = self.memory
        content = _without(node.content, self.over) if self.over else node.content
        if content and node.memory_type is MemoryType.CONVERSATION and node.speaker:
            return f"{node.speaker}: {content}"
        return content

    @property
    def is_guess(self) -> bool:
        """Whether nobody has said it, and nobody has confirmed it."""
        return self.memory.modality is Modality.HYPOTHESIS

    @property
    def note(self) -> str:
        """What stands behind the text: from when until when it held, that it is only a guess, who says so of somebody
        else, and whether it is in doubt."""
        teller, wording = heard_from(self.memory), WORDINGS[language_of(self.memory.content)]
        notes = [wording.marks[Modality.HYPOTHESIS]] if self.is_guess else []
        notes += [wording.told_by.format(teller)] if teller else []
        notes += [wording.in_doubt] if self.memory.needs_review else []
        return self.span + "".join(map(wording.span.format, notes))


@dataclass(frozen=True, slots=True)
class Part:
    """A question, or a part of one, with what may answer it, best first, and how `sure` it is that one does: below the
    threshold of recall they were looked at and are not told. `beside`: what else was said, in which a newer word may
    stand."""

    question: str
    passages: tuple[Passage, ...]
    sure: float = 1.0
    beside: tuple[Passage, ...] = ()

    @property
    def told_beside(self) -> tuple[Passage, ...]:
        """All that was found, each memory once."""
        known = {one.memory.memory_id for one in self.passages}
        return (*self.passages, *(one for one in self.beside if one.memory.memory_id not in known))


def asked_within(part: Part, parts: Iterable[Part]) -> bool:
    """Whether another of the parts asks for this one and more."""
    return any(part.question in other.question for other in parts if other.question != part.question)


@dataclass(frozen=True, slots=True)
class Looked:
    """What a way of looking found. Below the threshold of recall `confidence` means that there is no answer, and
    `of_another` that it is asked of somebody else. `among`: candidates of which it is the best."""

    parts: tuple[Part, ...]
    confidence: float
    steps: tuple[Step, ...]
    graph: tuple[str, ...] = ()
    of_another: bool = False
    among: int = 0

    @property
    def ranked(self) -> list[Passage]:
        """All of them, each memory once: the best of each part, then the next of each."""
        rows = zip_longest(*(part.passages for part in self.parts))
        return list({one.memory.memory_id: one for row in rows for one in row if one is not None}.values())

    @property
    def passages(self) -> list[Passage]:
        """All of them, each memory once, part by part."""
        found: dict[str, Passage] = {}
        for part in self.parts:
            for passage in part.passages:
                found.setdefault(passage.memory.memory_id, passage)
        return list(found.values())


@dataclass(frozen=True, slots=True)
class Scale:
    """How much of a question is said: a word counts by how few of the memories have it, whole where none has."""

    asked: frozenset[str]
    slots: frozenset[str]
    weights: Mapping[str, float]

    def said(self, node: MemoryNode) -> frozenset[str]:
        """The words of the question that a memory says."""
        return self.asked & frozenset(tokens(node.content))

    def worth(self, said: Iterable[str], hop: int = 0, *, filled: bool = False) -> float:
        """The score, above 0, of what says these words `hop` steps away; `filled` where it fills the slot asked for."""
        weight = sum(self.weights[word] for word in said) / (sum(self.weights.values()) or 1.0)
        if filled:
            weight += SLOT * (1 - weight)
        return (FLOOR + weight) * FARTHER ** max(hop - 1, 0)

    def passage(self, node: MemoryNode) -> Passage:
        """A memory that stands alone."""
        said = self.said(node)
        return Passage(node, self.worth(said, 0, filled=node.attribute in self.slots), 0, said=said)


def scale_of(question: str, memories: Iterable[MemoryNode]) -> Scale:
    """The scale for these memories."""
    asked = frozenset(tokens(question))
    held = [asked & frozenset(tokens(node.content)) for node in memories]
    having = Counter(word for words in held for word in words)
    weights = {word: math.log(1 + max(len(held), 1) / max(having[word], 1)) for word in asked}
    return Scale(asked, asked_for(question), weights)


def best_first(passages: Iterable[Passage], k: int) -> tuple[Passage, ...]:
    """The `k` best with those that led to them, each memory once, and no turn beside what was made of it."""
    order = sorted(passages, key=lambda one: (-one.score, one.hop, one.memory.memory_id))
    known = {one.memory.memory_id: one for one in reversed(order)}
    chosen: dict[str, Passage] = {}
    rested_on: set[str] = set()
    for one in order:
        turns = _turns_under(one)
        if one.memory.memory_id in rested_on or (turns and turns <= chosen.keys()):
            continue
        way = [known[key] for key in (one.memory.memory_id, *way_to(one, known))]
        if len(chosen.keys() | {each.memory.memory_id for each in way}) <= k:
            chosen |= {each.memory.memory_id: each for each in way}
            rested_on.update(*map(_turns_under, way))
    return tuple(sorted(chosen.values(), key=lambda one: (-one.score, one.hop, one.memory.memory_id)))


def _turns_under(passage: Passage) -> set[str]:
    return {part.memory_id for part in passage.memory.evidence}


def way_to(passage: Passage, known: Mapping[str, Passage]) -> list[str]:
    """The ids of the known memories that led to this one, the nearest first."""
    way: list[str] = []
    while passage.behind is not None and passage.behind in known and passage.behind not in way:
        way.append(passage.behind)
        passage = known[passage.behind]
    return way


def sureness(question: str, passages: Sequence[Passage]) -> float:
    """How likely walked passages answer the question: by the words of it that they say, alone and together."""
    slots = asked_for(question)
    filled = any(
        (node.attribute in slots and node.target_name in question) or record_answers(node.content, question)
        for node in (one.memory for one in passages[:LOOKED_AT])
    )
    return confidence(terms_said(question, [one.text for one in passages[:LOOKED_AT]]), slot_filled=filled)


def fused(lists: Iterable[Sequence[Passage]], k: int) -> tuple[Passage, ...]:
    """The passages of several lists by the sum of 1 / (60 + place) over the lists that have them."""
    scores: dict[str, float] = {}
    known: dict[str, Passage] = {}
    for passages in lists:
        for place, one in enumerate(passages, start=1):
            key = one.memory.memory_id
            scores[key] = scores.get(key, 0.0) + 1 / (RANKS + place)
            known.setdefault(key, one)
    return best_first((replace(one, score=scores[key]) for key, one in known.items()), k)
