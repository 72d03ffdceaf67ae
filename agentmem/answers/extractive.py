"""An answer without a model, in the sources' own sentences: those that say most of what is asked, step by step."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agentmem import patterns as re
from agentmem.answers.demand import Demand, demand_of
from agentmem.answers.latest_word import LatestWord
from agentmem.answers.passages import Looked, Part, Passage, asked_within, way_to
from agentmem.answers.thin_evidence import WHETHER, is_thin
from agentmem.domain.episode import is_blotted
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.language.clauses import sentences
from agentmem.language.gists import gist_of
from agentmem.language.record_fields import fields_of, row_told, stated
from agentmem.language.tokens import tokens
from agentmem.questions.asked_people import AskedPeople
from agentmem.questions.form import asks_between, asks_of_the_past, has, is_overview, wanted_by
from agentmem.questions.wanted_kind import is_a_question, is_courtesy
from agentmem.questions.whose import is_of_another
from agentmem.retrieval.confidence import THRESHOLD

MOST: Final = 3
"""Sentences in an answer."""

WORTH: Final = 0.6
"""A further sentence must be worth so much of the best one."""

EACH: Final = 2
"""Sentences out of one passage, where there are several."""

WANTED: Final = 0.5
"""What a sentence gains that has what kind of thing is wanted."""

TOGETHER: Final = 0.5
"""The share of what a sentence says together with those that led to it, in how much of the question it says."""

FOUND: Final = 0.4
"""What a sentence is worth for standing in the best passage, beside 1 for saying all that is asked: a slot of a person,
such as a number, hardly shares a word with the question."""

MAX_CHARS: Final = 20_000
"""Characters of one passage that are read."""

SURE: Final = 0.6
"""How sure it must be that something answers, for what was found first to be told without the words asked for, or what
one person said where nothing shows that it is of the kind that is asked for: below it half was beside the point."""

AHEAD: Final = 1.1
"""By how much its score must then be that of all others."""

SEEN: Final = 0.55
"""How sure, where it shows that it is of the kind that is asked for, such as a day or a number: both were chosen on
talks that were read, none on talks that were kept."""


_WHY: Final = re.compile(r"^\W*(?:and |but |so )?why\b|为什么|为啥|为何", re.IGNORECASE)
_REASON: Final = re.compile(
    r"\b(?:because|since|as|so|due|cause|reason|that's why|for fear)\b|因为|由于|所以|为了|怕|嫌|原因", re.IGNORECASE
)
_ENDS: Final = frozenset({".", "!", "。", "！", "；", ";"})


def sure_enough(question: str) -> float:
    """How sure it must be that something answers, for what one person said to be told."""
    if is_overview(question):
        return THRESHOLD
    return SURE if wanted_by(question) in (None, "name") else SEEN


def gives_reason(question: str, sentence: str) -> bool:
    """Whether a sentence gives a reason, where one is asked for."""
    return _WHY.search(question) is None or _REASON.search(sentence) is not None


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A sentence, out of passage number `passage`, counted from 0."""

    passage: int
    text: str


@dataclass(frozen=True, slots=True)
class _Sentence:
    passage: int
    text: str
    words: frozenset[str]
    stated: bool = False


def extracted(
    question: str,
    passages: Sequence[tuple[str, float]],
    led: Sequence[frozenset[str]] = (),
    *,
    fits: Callable[[int, str], bool] = lambda _passage, _sentence: True,
) -> list[Excerpt]:
    """At most three sentences, best first, out of passages with their scores, all above 0 and the best first. `led` are
    the words of the question that what led to each passage says; a sentence that does not fit is left out.

    A word of the question weighs by how few of the sentences have it. A sentence that says nothing but what the
    question says, as a title does, is no answer where there is another; a whole one answers whether it is so.
    """
    asked, wanted = frozenset(tokens(question)), wanted_by(question)
    all_of = [one for number, (text, _) in enumerate(passages) for one in _sentences(number, text, question)]
    whether = WHETHER.search(question) is not None
    read = [one for one in all_of if not one.words <= asked or (whether and one.stated)] or all_of
    weights = _weights(asked, read)
    total = sum(weights.values()) or 1.0

    def said(words: Iterable[str]) -> float:
        return sum(weights.get(word, 0.0) for word in words) / total

    def worth(one: _Sentence) -> float:
        way = one.words | led[one.passage] if led else one.words
        share = (1 - TOGETHER) * said(one.words) + TOGETHER * said(way)
        kind = WANTED if wanted and has(one.text, wanted, question) else 0.0
        return passages[one.passage][1] / passages[0][1] * (FOUND + share + kind)

    fitting = [one for one in read if fits(one.passage, one.text)]
    return _chosen([(worth(one), one) for one in fitting], EACH if len(passages) > 1 else MOST)


def _chosen(read: Iterable[tuple[float, _Sentence]], each: int) -> list[Excerpt]:
    """The best, no two of them alike."""
    chosen: list[_Sentence] = []
    taken = Counter[int]()
    order = sorted(read, key=lambda item: -item[0])
    for worth, one in order:
        if len(chosen) == MOST or worth < WORTH * order[0][0]:
            break
        if taken[one.passage] < each and all(one.words != other.words for other in chosen):
            chosen.append(one)
            taken[one.passage] += 1
    return [Excerpt(one.passage, one.text) for one in chosen]


def _sentences(number: int, text: str, question: str) -> list[_Sentence]:
    """The sentences of a text; a record is one."""
    if fields := fields_of(text[:MAX_CHARS]):
        return [_Sentence(number, stated(fields, question), frozenset(tokens(text[:MAX_CHARS])))]
    found = sentences(text[:MAX_CHARS])
    return [
        _Sentence(number, span.text + span.terminator, frozenset(tokens(span.text)), span.terminator.strip() in _ENDS)
        for span in found
    ]


def _weights(asked: frozenset[str], read: Sequence[_Sentence]) -> dict[str, float]:
    having = Counter(word for one in read for word in one.words & asked)
    return {word: math.log(1 + len(read) / count) for word, count in having.items()}


@dataclass(frozen=True, slots=True)
class ExtractedAnswer:
    """The text of an answer, each line with the number of its source in brackets, and the sources in that order.
    `rests_on`: the ids of the sources, and of what was found for the question and is told in their newer words."""

    text: str | None
    sources: tuple[Passage, ...]
    rests_on: frozenset[str] = frozenset()


def told(looked: Looked, whom: AskedPeople) -> ExtractedAnswer:
    """At most three sentences for each part of a question about them, and before them those that led there."""
    lines: list[tuple[Passage, str]] = []
    for part in looked.parts:
        if part.sure < THRESHOLD or asked_within(part, looked.parts):
            continue
        known = {text for _, text in lines}
        lines += [line for line in _lines(part, whom) if line[1] not in known]
    rows = [(one, row) for one, text in lines if (row := row_told(one.text[:MAX_CHARS], text)) is not None]
    lines = rows or lines
    used = list({one.memory.memory_id: one for one, _ in lines}.values())
    numbers = {one.memory.memory_id: number for number, one in enumerate(used, start=1)}
    text = "\n".join(f"{sentence}{one.note} [{numbers[one.memory.memory_id]}]" for one, sentence in lines)
    rests_on = frozenset(key for one, _ in lines for key in (one.memory.memory_id, *one.stands_for))
    return ExtractedAnswer(text or None, tuple(used), rests_on)


def _lines(part: Part, whom: AskedPeople) -> list[tuple[Passage, str]]:
    """Sentences with what they stand in, those that are fewer steps away first, then what the question
    looks ahead to, what is to come else last; else best first."""
    known = {one.memory.memory_id: one for one in part.passages}
    found: dict[str, Passage] = {}
    word = LatestWord(part.question, part.told_beside)
    for one, sentence in _answering(part, whom, word):
        for led in (known[key] for key in reversed(way_to(one, known))):
            text = _best_of(part.question, led)
            if word.on(led, text) == (led, text):
                found.setdefault(text, led)
        found.setdefault(sentence, one)
    return sorted(((one, text) for text, one in found.items()), key=lambda line: (line[0].hop, line[0].place))


def _answering(part: Part, whom: AskedPeople, word: LatestWord) -> list[tuple[Passage, str]]:
    """The sentences that answer; guesses do only where nothing else does."""
    known = tuple(one for one in part.passages if not one.is_guess)
    found = _sentences_of(replace(part, passages=known), whom, word)
    return found or (_sentences_of(part, whom, word) if len(known) < len(part.passages) else [])


def _sentences_of(part: Part, whom: AskedPeople, word: LatestWord) -> list[tuple[Passage, str]]:
    """The sentences out of the passages that answer. Where it is asked of those named, each does; else one must."""
    known = {one.memory.memory_id: one for one in part.passages}
    led = [known[one.behind].said if one.behind in known else frozenset[str]() for one in part.passages]
    texts = [(one.text, one.score) for one in part.passages]
    demand = demand_of(part.question, whom.known_by(one.memory for one in part.passages))

    def fits(number: int, sentence: str) -> bool:
        one = part.passages[number]
        if may(number, sentence) and _meets(one, sentence, demand, known):
            return True
        return _takes_the_place(one, demand) and not is_blotted(sentence)

    def may(number: int, sentence: str) -> bool:
        one = part.passages[number]
        if (
            is_blotted(sentence)
            or _heads(one, sentence)
            or is_a_question(sentence)
            or (not _is_of_person(one.memory) and is_courtesy(sentence.removeprefix(f"{one.memory.speaker}: ")))
            or not gives_reason(part.question, sentence)
        ):
            return False
        own, way = _own(one, sentence), _way(one, known)
        return demand.allows(one.memory, own, way) and not is_thin(demand, one.memory, own, " ".join((*way, own)))

    if is_overview(part.question) or asks_between(part.question):
        excerpts = extracted(part.question, texts, led, fits=may)
    elif demand.direct:
        # What is not so answers only where nothing says what is.
        holds = [one.memory.modality is not Modality.NEGATED for one in part.passages]
        excerpts = extracted(part.question, texts, led, fits=lambda number, text: holds[number] and fits(number, text))
        if WHETHER.search(part.question):
            excerpts = excerpts or extracted(part.question, texts, led, fits=fits)
    else:
        excerpts = extracted(part.question, texts, led, fits=may)
        excerpts = [each for each in excerpts if fits(each.passage, each.text)]
    found = [(part.passages[excerpt.passage], excerpt.text) for excerpt in excerpts]
    if asks_of_the_past(part.question):
        found = _over_first(found)
    else:
        found = _newest(found, part, demand, word) or _standing_out(part, demand, word)
    if not demand.simple or is_overview(part.question) or asks_between(part.question):
        return found
    return [each for place, each in enumerate(found) if not place or demand.adds(_own(*each), _own(*found[0]))]


def _over_first(found: Iterable[tuple[Passage, str]]) -> list[tuple[Passage, str]]:
    """The sentences, those of what has ended before those of what holds: of what was, the newest word tells least."""
    return sorted(found, key=lambda each: each[0].memory.store_status is StoreStatus.VALID)


def _newest(
    found: Sequence[tuple[Passage, str]], part: Part, demand: Demand, word: LatestWord
) -> list[tuple[Passage, str]]:
    """The sentences, each as it was last told, and none twice."""
    newest: dict[tuple[str, str], tuple[Passage, str]] = {}
    for one, sentence in found:
        filled = bool(one.memory.value) and one.memory.attribute in demand.slots
        newer, text = _latest(one, sentence, part, demand, word, filled=filled)
        told_by, _ = newest.get((newer.memory.memory_id, text), (newer, text))
        stands_for = told_by.stands_for | newer.stands_for
        newest[newer.memory.memory_id, text] = replace(newer, stands_for=stands_for), text
    return list(newest.values())


def _latest(
    one: Passage, sentence: str, part: Part, demand: Demand, word: LatestWord, *, filled: bool = False
) -> tuple[Passage, str]:
    """The sentence as it was last told; of two memories nobody could decide between, the newer where it answers too."""
    newer = (
        each
        for each in part.passages
        if each.memory.memory_id in one.memory.conflicts_with
        and each.memory.valid_at > one.memory.valid_at
        and each.place <= one.place
        and (demand.met_by(each.memory, each.text) or demand.bears_on(each.memory))
        and not is_of_another(each.text, part.question, (each.memory.target_name,))
    )
    rival = max(newer, key=lambda each: each.memory.valid_at, default=None)
    told_by, text = (one, sentence) if rival is None else (rival, rival.text)
    newer_one, text = word.on(told_by, text, filled=filled)
    if newer_one.memory.memory_id == one.memory.memory_id:
        return newer_one, text
    return replace(newer_one, stands_for=one.stands_for | {one.memory.memory_id}), text


def _standing_out(part: Part, demand: Demand, word: LatestWord) -> list[tuple[Passage, str]]:
    """What was understood of those asked about, or what one of them said, where it stands out among all that was found
    for the question; where that is what he was asked, his answer."""
    first, *others = part.passages or (None,)
    if first is None or part.sure < sure_enough(part.question):
        return []
    if (reply := next(filter(None, (_reply_to(one, part, demand) for one in part.passages[:MOST])), None)) is not None:
        return [_latest(reply, reply.text, part, demand, word)]
    if any(one.score * AHEAD > first.score for one in others) or not _is_his_word(first.memory):
        return []
    if _tells_nothing(first) or not demand.bears_on(first.memory) or not gives_reason(part.question, first.text):
        return []
    if is_thin(demand, first.memory, first.memory.content, first.memory.content):
        return []
    return [_latest(first, first.text, part, demand, word)]


def _is_of_person(node: MemoryNode) -> bool:
    """Whether it is no turn of the agent."""
    return node.memory_type is not MemoryType.CONVERSATION or node.speaker == node.target_name


def _is_his_word(node: MemoryNode) -> bool:
    """Whether it is what a person has stated of himself, or a turn in which he asks nothing."""
    if node.memory_type is MemoryType.CONVERSATION:
        return node.speaker == node.target_name and not is_a_question(node.content)
    return node.memory_type is MemoryType.OBSERVATION and node.modality is Modality.STATED


def _reply_to(question: Passage, part: Part, demand: Demand) -> Passage | None:
    """What a person said right after a turn that asked him all that is asked now, where it has what is wanted."""
    asking = question.memory
    own = asking.memory_type is MemoryType.CONVERSATION and asking.speaker != asking.target_name
    if not own or not is_a_question(asking.content) or not demand.all_said_in(asking.content):
        return None
    later = [one for one in part.told_beside if _is_after(one.memory, asking)]
    reply = min(later, key=lambda one: one.memory.timestamp, default=None)
    if reply is None or _tells_nothing(reply) or not _is_his_word(reply.memory):
        return None
    told = f"{asking.content} {reply.memory.content}"
    if is_thin(demand, reply.memory, reply.memory.content, told):
        return None
    return replace(reply, stands_for=frozenset((asking.memory_id,)))


def _tells_nothing(one: Passage) -> bool:
    return not one.text or is_blotted(one.text)


def _is_after(node: MemoryNode, turn: MemoryNode) -> bool:
    """Whether it was said in the same talk as the turn, and later."""
    spoken = node.memory_type is MemoryType.CONVERSATION and node.run_id == turn.run_id
    return spoken and node.timestamp > turn.timestamp


def _takes_the_place(one: Passage, demand: Demand) -> bool:
    """Whether what it has ended would answer, did it still hold, and it says more than that this is over, unless it is
    asked whether it is so."""
    answered = (
        demand.met_by(earlier, earlier.content) and not is_thin(demand, earlier, earlier.content, earlier.content)
        for earlier in one.in_place_of
    )
    node = one.memory
    ends = not WHETHER.search(demand.question) and gist_of(node.content, (node.target_name,)).only_ends
    return not ends and any(answered)


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
