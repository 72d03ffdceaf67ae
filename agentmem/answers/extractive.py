"""An answer without a model: the sentences of the passages that say most of what is asked for, in their own words."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agentmem.language.clauses import sentences
from agentmem.language.tokens import tokens

MOST: Final = 3
"""Sentences in an answer."""

WORTH: Final = 0.6
"""A further sentence must be worth so much of the best one."""

FOUND: Final = 0.4
"""What a sentence is worth for standing in the best passage, beside 1 for saying all that is asked: a slot of a person,
such as a number, hardly shares a word with the question."""

LONGEST: Final = 20_000
"""Characters of one passage that are read."""


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


def extracted(question: str, passages: Sequence[tuple[str, float]]) -> list[Excerpt]:
    """At most three sentences, best first, out of passages with their scores, all above 0 and the best first.

    A word of the question weighs by how few of the sentences have it.
    """
    asked = frozenset(tokens(question))
    read = [one for number, (text, _) in enumerate(passages) for one in _sentences(number, text)]
    weights = _weights(asked, read)
    total = sum(weights.values()) or 1.0
    shares = [score / passages[0][1] for _, score in passages]

    def worth(one: _Sentence) -> float:
        return shares[one.passage] * (FOUND + sum(weights.get(word, 0.0) for word in one.words) / total)

    chosen: list[_Sentence] = []
    for one in sorted(read, key=worth, reverse=True):
        if len(chosen) == MOST or (chosen and worth(one) < WORTH * worth(chosen[0])):
            break
        if all(one.words != other.words for other in chosen):
            chosen.append(one)
    return [Excerpt(one.passage, one.text) for one in chosen]


def _sentences(number: int, text: str) -> list[_Sentence]:
    found = sentences(text[:LONGEST])
    return [_Sentence(number, span.text + span.terminator, frozenset(tokens(span.text))) for span in found]


def _weights(asked: frozenset[str], read: Sequence[_Sentence]) -> dict[str, float]:
    having = Counter(word for one in read for word in one.words & asked)
    return {word: math.log(1 + len(read) / count) for word, count in having.items()}
