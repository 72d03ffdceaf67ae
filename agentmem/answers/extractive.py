"""An answer without a model: the sentences of the passages that say most of what is asked for, in their own words."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from agentmem import patterns as re
from agentmem.answers.wanted import has, wanted_by
from agentmem.language.clauses import sentences
from agentmem.language.records import fields_of, stated
from agentmem.language.tokens import tokens

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

LONGEST: Final = 20_000
"""Characters of one passage that are read."""


_WHETHER: Final = re.compile(
    r"^\W*(?:and |but |so )?(?:does|do|did|is|are|was|were|can|could|will|would|has|have|had|should|may|must)\b"
    r"|吗|是不是|有没有|能不能|会不会|可不可以|支不支持|是否|能否|可否",
    re.IGNORECASE,
)
_ENDS: Final = frozenset({".", "!", "。", "！", "；", ";"})


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
    whether = _WHETHER.search(question) is not None
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
    if fields := fields_of(text[:LONGEST]):
        return [_Sentence(number, stated(fields, question), frozenset(tokens(text[:LONGEST])))]
    found = sentences(text[:LONGEST])
    return [
        _Sentence(number, span.text + span.terminator, frozenset(tokens(span.text)), span.terminator.strip() in _ENDS)
        for span in found
    ]


def _weights(asked: frozenset[str], read: Sequence[_Sentence]) -> dict[str, float]:
    having = Counter(word for one in read for word in one.words & asked)
    return {word: math.log(1 + len(read) / count) for word, count in having.items()}
