"""An answer out of what was found, in the sources' own sentences: step by step where one thing led to another. None
where no sentence has what is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass

from agentmem.answers.demand import Demand, demand_of
from agentmem.answers.extractive import extracted
from agentmem.answers.passages import Looked, Part, Passage, asked_within, way_to
from agentmem.answers.shape import is_overview
from agentmem.answers.split import asks_between
from agentmem.domain.memory import MemoryType, Modality
from agentmem.retrieval.about import Whom
from agentmem.retrieval.confidence import THRESHOLD


@dataclass(frozen=True, slots=True)
class Told:
    """The text of an answer, each line with the number of its source in brackets, and the sources in that order."""

    text: str | None
    sources: tuple[Passage, ...]


def told(looked: Looked, whom: Whom) -> Told:
    """At most three sentences for each part of a question about them, and before them those that led there."""
    lines: list[tuple[Passage, str]] = []
    for part in looked.parts:
        if part.sure < THRESHOLD or asked_within(part, looked.parts):
            continue
        known = {text for _, text in lines}
        lines += [line for line in _lines(part, whom) if line[1] not in known]
    used = list({one.memory.memory_id: one for one, _ in lines}.values())
    numbers = {one.memory.memory_id: number for number, one in enumerate(used, start=1)}
    text = "\n".join(f"{sentence}{one.note} [{numbers[one.memory.memory_id]}]" for one, sentence in lines)
    return Told(text or None, tuple(used))


def _lines(part: Part, whom: Whom) -> list[tuple[Passage, str]]:
    """Sentences with what they stand in, those that are fewer steps away first; else best first."""
    known = {one.memory.memory_id: one for one in part.passages}
    found: dict[str, Passage] = {}
    for one, sentence in _chosen(part, whom):
        for key in reversed(way_to(one, known)):
            found.setdefault(_best_of(part.question, known[key]), known[key])
        found.setdefault(sentence, one)
    return sorted(((one, text) for text, one in found.items()), key=lambda line: line[0].hop)


def _chosen(part: Part, whom: Whom) -> list[tuple[Passage, str]]:
    """The sentences that answer. Where it is asked of those named, each does; else one of them must."""
    known = {one.memory.memory_id: one for one in part.passages}
    led = [known[one.behind].said if one.behind in known else frozenset[str]() for one in part.passages]
    texts = [(one.text, one.score) for one in part.passages]
    demand = demand_of(part.question, whom.known_by(one.memory for one in part.passages))

    def fits(number: int, sentence: str) -> bool:
        return may(number, sentence) and _meets(part.passages[number], sentence, demand, known)

    def may(number: int, sentence: str) -> bool:
        one = part.passages[number]
        return not _heads(one, sentence) and demand.allows(one.memory, _own(one, sentence), _way(one, known))

    if is_overview(part.question) or asks_between(part.question):
        excerpts = extracted(part.question, texts, led, fits=may)
    elif demand.direct:
        # What is not so answers only where nothing says what is.
        holds = [one.memory.modality is not Modality.NEGATED for one in part.passages]
        excerpts = extracted(part.question, texts, led, fits=lambda number, text: holds[number] and fits(number, text))
        excerpts = excerpts or extracted(part.question, texts, led, fits=fits)
    else:
        excerpts = extracted(part.question, texts, led, fits=may)
        excerpts = [each for each in excerpts if fits(each.passage, each.text)]
    found = [(part.passages[excerpt.passage], excerpt.text) for excerpt in excerpts]
    if not demand.simple or is_overview(part.question) or asks_between(part.question):
        return found
    return [each for place, each in enumerate(found) if not place or demand.adds(_own(*each), _own(*found[0]))]


def _meets(passage: Passage, sentence: str, demand: Demand, known: Mapping[str, Passage]) -> bool:
    return demand.met_by(passage.memory, _own(passage, sentence), _way(passage, known))


def _own(passage: Passage, sentence: str) -> str:
    """A sentence without who said it."""
    return sentence.removeprefix(f"{passage.memory.speaker}: ")


def _way(passage: Passage, known: Mapping[str, Passage]) -> list[str]:
    return [known[key].text for key in way_to(passage, known)]


def _heads(passage: Passage, sentence: str) -> bool:
    """Whether it is only the heading that the text of a piece of a document stands under."""
    head, _, body = passage.text.partition("\n")
    if passage.memory.memory_type is not MemoryType.LONGTERM or not passage.memory.key or not body:
        return False
    return sentence.strip() == head.strip() and head.rpartition(" › ")[2] in passage.memory.key


def _best_of(question: str, passage: Passage) -> str:
    excerpts = extracted(question, [(passage.text, 1.0)])
    return excerpts[0].text if excerpts else passage.text
