"""How likely the hits answer the question: a logistic model of three numbers, and from where on recall abstains.

It looks at words: how much of the question, by the rarity of its words, the best candidate says; how many of its words
one candidate says; how few candidates there are at all. Where the embedder is semantic it looks at meaning too. Whoever
asks about somebody else, or about what was never talked of, is told so; a question that turns what was said of one
speaker onto the other reads like one that can be answered. `docs/retrieval.md` has the curve.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from agentmem.retrieval.term_weights import TermWeights

LOOKED_AT: Final = 10
"""Hits that are looked at for a filled slot."""

THRESHOLD: Final = 0.25
"""Below it recall abstains."""

UNSURE: Final = THRESHOLD / 2
"""How sure recall is where words fit and whom it is about does not."""

SLOT: Final = 0.6
"""At least so sure where a hit fills the very slot that is asked for, of whom it is asked about."""

MAX_TERM_WEIGHT: Final = 2.2
"""What BM25 gives a term said ever so often: its k1 and one."""

FEW: Final = 50
"""Candidates below which there is little to be wrong about."""


@dataclass(frozen=True, slots=True)
class _Model:
    """Weights of a logistic model; `few` is that of a small memory, `nearness` that of a semantic embedder."""

    said: float
    words: float
    few: float
    nearness: float
    bias: float


_WORDS: Final = _Model(said=7.0, words=0.9, few=2.0, nearness=0.0, bias=-4.4)
_WORDS_AND_MEANING: Final = _Model(said=6.0, words=0.8, few=2.0, nearness=10.0, bias=-6.0)
"""Fitted on questions put to the talks they are about and to others, rounded: a term's weight is that of a large pool,
so that what a memory of seven turns says counts as much as in one of ten thousand."""


def confidence(terms: TermWeights, *, among: int = FEW, near: float | None = None, slot_filled: bool = False) -> float:
    """From 0 to 1, for what `terms` of a question are said where there are `among` candidates; `near` is their
    `nearness` where the embedder is semantic."""
    model = _WORDS if near is None else _WORDS_AND_MEANING
    said, words = terms.best_said
    few = max(0.0, 1 - math.log(max(among, 1)) / math.log(FEW))
    logit = model.bias + model.said * math.sqrt(said / MAX_TERM_WEIGHT) + model.words * math.log(1 + words)
    logit += model.few * few + model.nearness * (near or 0.0)
    sure = 1 / (1 + math.exp(-logit)) if words or near else 0.0
    return max(sure, SLOT if slot_filled else 0.0)


def nearness(cosines: Sequence[float]) -> float:
    """By how much the best cosine stands out from the middle one, as a share of what there is above it, so that
    models whose cosines are all high are measured alike."""
    if not cosines:
        return 0.0
    middle = median(cosines)
    return (max(cosines) - middle) / max(1.0 - middle, 1e-6)
