"""How likely the hits answer the question: a logistic model of four numbers, and from where on recall abstains.

It looks at words only: how much of the question the best hit says, how much all hits together, how rare what was
matched is, how long the question is. Whoever asks about somebody else, or about what was never talked of, is told so; a
question that turns what was said of one speaker onto the other reads like one that can be answered. `docs/retrieval.md`
has the curve.
"""

import math
from collections.abc import Sequence
from typing import Final

LOOKED_AT: Final = 10
"""Hits that are looked at."""

THRESHOLD: Final = 0.2
"""Below it recall abstains."""

_RARITY, _BEST, _TOGETHER, _LENGTH, _BIAS = 0.8, 4.5, 2.9, 1.2, -7.3


SLOT: Final = 0.6
"""At least so sure where a hit fills the very slot that is asked for, of whom it is asked about."""


def confidence(
    asked: frozenset[str], said: Sequence[frozenset[str]], bm25: float, *, slot_filled: bool = False
) -> float:
    """From 0 to 1. `asked` are the terms of the question, `said` those of each hit, `bm25` is the best raw score."""
    if not asked or not said:
        return 0.0
    best = max(len(asked & words) for words in said) / len(asked)
    together = len(asked.intersection(frozenset[str]().union(*said))) / len(asked)
    rarity = bm25 / len(asked)
    logit = _RARITY * rarity + _BEST * best + _TOGETHER * together + _LENGTH * math.log(len(asked)) + _BIAS
    return max(1 / (1 + math.exp(-logit)), SLOT if slot_filled else 0.0)
