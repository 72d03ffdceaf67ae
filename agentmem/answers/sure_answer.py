"""How likely what would be told of one person has the answer: a logistic model of what was found and how, and what a
person said that is quoted where no sentence answers by itself. Fitted by `bench/asked.py`, with its threshold."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from agentmem.answers.extractive import ExtractedAnswer
from agentmem.answers.latest_word import LatestWord
from agentmem.answers.passages import Looked, Passage
from agentmem.domain.episode import is_blotted
from agentmem.domain.memory import MemoryType
from agentmem.language.cues import topics_of
from agentmem.language.synonyms import senses
from agentmem.language.tokens import tokens
from agentmem.questions.form import wanted_by
from agentmem.questions.wanted_kind import is_a_question, is_courtesy, is_of_the_kind, is_supposed

STORED: Final = Path(__file__).with_name("sure_answer.json")
MODEL: Final[dict[str, Any]] = json.loads(STORED.read_text("utf-8"))

FIRST: Final = 3
"""So many of the best that was found are quoted at most."""

WORTH: Final = 0.1
"""What is quoted is so likely, beside what is likeliest."""

FEWEST, MANY = 25, 60
"""Candidates up to which nothing is quoted, and from which on it makes no difference how many there are: one question
of the fit in seven had fewer, hardly one more, and of few the model takes the best for the answer whatever is asked."""

POINT: Final = 0.4
"""What one point of a score is worth as a logit."""


def with_quotes(looked: Looked, answer: ExtractedAnswer) -> ExtractedAnswer:
    """The answer, and after it the best that was found and is not told yet, each with the day on which it was said."""
    ranked = looked.ranked[:FIRST]
    told = {*answer.rests_on, *(one.memory.memory_id for one in answer.sources)}
    shares = _shares(looked)
    quoted = [
        one
        for one, share in zip(ranked, shares, strict=False)
        if one.memory.memory_id not in told and share >= WORTH * shares[0] and _tells(one)
    ][: FIRST - len(answer.sources)]
    return _beside(answer, quoted)


def in_newest_words(looked: Looked, answer: ExtractedAnswer, quoted: ExtractedAnswer) -> ExtractedAnswer:
    """What is quoted beside the answer, each in the last word on its matter."""
    newest: dict[str, Passage] = {}
    for one in quoted.sources[len(answer.sources) :]:
        part = next(part for part in looked.parts if one in part.passages)
        last, _ = LatestWord(part.question, part.told_beside).on(one, one.text)
        if last.memory.memory_id not in answer.rests_on:
            newest.setdefault(last.memory.memory_id, last)
    return _beside(answer, list(newest.values()))


def _beside(answer: ExtractedAnswer, quoted: Sequence[Passage]) -> ExtractedAnswer:
    if not quoted:
        return answer
    begin = len(answer.sources) + 1
    lines = [f"{_dated(one)} [{number}]" for number, one in enumerate(quoted, start=begin)]
    text = "\n".join((*filter(None, (answer.text,)), *lines))
    rests_on = answer.rests_on | {one.memory.memory_id for one in quoted}
    return ExtractedAnswer(text, (*answer.sources, *quoted), rests_on)


def _tells(one: Passage) -> bool:
    own = one.text.removeprefix(f"{one.memory.speaker}: ")
    return bool(own) and not (is_blotted(own) or is_courtesy(own) or is_a_question(own))


def _dated(one: Passage) -> str:
    return f"{one.text}{one.note}" if one.span else f"{one.text}{one.note} ({one.memory.valid_at:%Y-%m-%d})"


def _shares(looked: Looked) -> list[float]:
    """How likely each of what was found has the answer, where one of it does: by the scores."""
    scores = [POINT * one.score for one in looked.ranked]
    likely = [math.exp(score - max(scores)) for score in scores]
    return [each / sum(likely) for each in likely]


def likelihood(question: str, looked: Looked, answer: ExtractedAnswer) -> float:
    """How likely the answer has what is asked for, from 0 to 1."""
    signs = signs_of(question, looked, answer)
    logit = MODEL["bias"] + sum(MODEL["weights"].get(name, 0.0) * value for name, value in signs.items())
    return 1 / (1 + math.exp(-logit))


def is_sure(question: str, looked: Looked, answer: ExtractedAnswer) -> bool:
    """Whether the answer is likely enough to be told."""
    return answer.text is not None and likelihood(question, looked, answer) >= MODEL["threshold"]


def signs_of(question: str, looked: Looked, answer: ExtractedAnswer) -> dict[str, float]:
    """What speaks for the answer, and against it."""
    ranked, shares = looked.ranked, _shares(looked)
    if not ranked or answer.text is None:
        return {}
    scores = [POINT * one.score for one in ranked]
    first, own = ranked[0], answer.text
    wanted, asked, topics = wanted_by(question), frozenset(tokens(question)), topics_of(question)
    names = tuple(name for name in (first.memory.target_name, first.memory.speaker) if name)
    said = [len(asked & frozenset(tokens(one.text))) for one in ranked]
    return {
        "share of the first": math.log(sum(shares[:FIRST])),
        "ahead of the rest": scores[0] - scores[min(len(scores), 2 * FIRST) - 1],
        "confidence": looked.confidence,
        "among": math.log1p(min(looked.among, MANY)),
        "words of the question": math.log1p(len(asked)),
        "most words said": math.log1p(max(said)),
        "words": len(senses(asked) & senses(tokens(own))) / max(1, len(senses(asked))),
        "topics": len(topics & topics_of(own)) / max(1, len(topics)),
        "of the kind": float(wanted is not None and is_of_the_kind(wanted, first.text, question, names)),
        "a sentence answers": float(answer.sources[0].memory.memory_id == first.memory.memory_id),
        "of the agent": float(_is_turn(first) and first.memory.speaker != first.memory.target_name),
        "supposed": float(is_supposed(first.text)),
        "sources": float(len(answer.sources)),
    }


def _is_turn(one: Passage) -> bool:
    return one.memory.memory_type is MemoryType.CONVERSATION
