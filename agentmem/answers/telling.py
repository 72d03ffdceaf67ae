"""An answer out of what was found, in the sources' own sentences: step by step where one thing led to another."""

from dataclasses import dataclass

from agentmem.answers.extractive import extracted
from agentmem.answers.passages import Looked, Part, Passage, asked_within, way_to
from agentmem.retrieval.confidence import THRESHOLD


@dataclass(frozen=True, slots=True)
class Told:
    """The text of an answer, each line with the number of its source in brackets, and the sources in that order."""

    text: str | None
    sources: tuple[Passage, ...]


def told(looked: Looked) -> Told:
    """At most three sentences for each part of the question, and before them those that led there."""
    lines: list[tuple[Passage, str]] = []
    for part in looked.parts:
        if part.sure < THRESHOLD or asked_within(part, looked.parts):
            continue
        known = {text for _, text in lines}
        lines += [line for line in _lines(part) if line[1] not in known]
    used = list({one.memory.memory_id: one for one, _ in lines}.values())
    numbers = {one.memory.memory_id: number for number, one in enumerate(used, start=1)}
    text = "\n".join(f"{sentence}{one.note} [{numbers[one.memory.memory_id]}]" for one, sentence in lines)
    return Told(text or None, tuple(used))


def _lines(part: Part) -> list[tuple[Passage, str]]:
    """Sentences with what they stand in, those that are fewer steps away first; else best first."""
    known = {one.memory.memory_id: one for one in part.passages}
    found: dict[str, Passage] = {}
    for one, sentence in _chosen(part):
        for key in reversed(way_to(one, known)):
            found.setdefault(_best_of(part.question, known[key]), known[key])
        found.setdefault(sentence, one)
    return sorted(((one, text) for text, one in found.items()), key=lambda line: line[0].hop)


def _chosen(part: Part) -> list[tuple[Passage, str]]:
    known = {one.memory.memory_id: one for one in part.passages}
    led = [known[one.behind].said if one.behind in known else frozenset[str]() for one in part.passages]
    excerpts = extracted(part.question, [(one.text, one.score) for one in part.passages], led)
    return [(part.passages[excerpt.passage], excerpt.text) for excerpt in excerpts]


def _best_of(question: str, passage: Passage) -> str:
    excerpts = extracted(question, [(passage.text, 1.0)])
    return excerpts[0].text if excerpts else passage.text
