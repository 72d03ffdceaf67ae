"""How likely the hits answer the question: a logistic model of a few numbers, and from where on recall abstains.

It looks at words: how much of the question the best hit says, how much all hits together, how rare what was matched
is, how long the question is; and at meaning where the embedder is semantic. Whoever asks about somebody else, or about
what was never talked of, is told so; a question that turns what was said of one speaker onto the other reads like one
that can be answered. `docs/retrieval.md` has the curve.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

LOOKED_AT: Final = 10
"""Hits that are looked at."""

THRESHOLD: Final = 0.2
"""Below it recall abstains."""

UNSURE: Final = THRESHOLD / 2
"""How sure recall is where words fit and whom it is about does not."""


@dataclass(frozen=True, slots=True)
class _Model:
    """Weights of a logistic model; `nearness` is that of a semantic embedder."""

    rarity: float
    best: float
    together: float
    length: float
    nearness: float
    bias: float


_WORDS: Final = _Model(rarity=0.8, best=4.5, together=2.9, length=1.2, nearness=0.0, bias=-7.3)
_WORDS_AND_MEANING: Final = _Model(rarity=1.0, best=3.1, together=1.5, length=1.2, nearness=10.0, bias=-8.3)
"""Fitted on questions about the five conversations of `docs/retrieval.md` against the same questions put to another
one, with the names as they were and with those of the other one's speakers; rounded."""

SLOT: Final = 0.6
"""At least so sure where a hit fills the very slot that is asked for, of whom it is asked about."""


def confidence(
    asked: frozenset[str],
    said: Sequence[frozenset[str]],
    bm25: float,
    *,
    near: float | None = None,
    slot_filled: bool = False,
) -> float:
    """From 0 to 1. `asked` are the terms of the question, `said` those of each hit, `bm25` is the best raw score,
    `near` the `nearness` where the embedder is semantic."""
    if not asked or not said:
        return 0.0
    model = _WORDS if near is None else _WORDS_AND_MEANING
    best = max(len(asked & words) for words in said) / len(asked)
    together = len(asked.intersection(frozenset[str]().union(*said))) / len(asked)
    logit = model.bias + model.rarity * bm25 / len(asked) + model.best * best + model.together * together
    logit += model.length * math.log(len(asked)) + model.nearness * (near or 0.0)
    return max(1 / (1 + math.exp(-logit)), SLOT if slot_filled else 0.0)


def nearness(cosines: Sequence[float]) -> float:
    """By how much the best cosine stands out from the middle one, as a share of what there is above it, so that
    models whose cosines are all high are measured alike."""
    if not cosines:
        return 0.0
    middle = median(cosines)
    return (max(cosines) - middle) / max(1.0 - middle, 1e-6)
