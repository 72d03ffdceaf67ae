"""Whether recall knows what it does not know: how many answers a threshold on confidence keeps, how many it refuses.

What is not to be answered are questions without an answer, and questions put to somebody they are not about.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

STEPS = 40
"""Parts of equal size that the curve cuts the confidences into."""


@dataclass(frozen=True, slots=True)
class ThresholdPoint:
    """At this threshold: the share of answerable questions still answered, and of the others refused."""

    threshold: float
    kept: float
    refused: float


def kept(confidences: Sequence[float], threshold: float) -> float:
    """The share that is answered when anything below the threshold is refused."""
    return sum(value >= threshold for value in confidences) / len(confidences)


def curve(answerable: Sequence[float], others: Sequence[float]) -> list[ThresholdPoint]:
    """From a threshold that changes nothing to one that refuses nearly all; both groups hold at least one question."""
    cuts = np.quantile([*answerable, *others], np.linspace(0, 1, STEPS + 1)).tolist()
    rising = [cuts[0], *(later for earlier, later in pairwise(cuts) if later > earlier)]
    return [ThresholdPoint(cut, kept(answerable, cut), 1 - kept(others, cut)) for cut in rising]


def best(points: Sequence[ThresholdPoint]) -> ThresholdPoint:
    """Where kept and refused together are largest (Youden's J); of equals the lowest threshold."""
    return max(points, key=lambda point: point.kept + point.refused)


def told_apart(answerable: Sequence[float], others: Sequence[float]) -> float:
    """How often an answerable question is surer than another one, ties counting half: the area under the ROC curve."""
    high, low = np.array(answerable), np.array(others)
    low.sort()
    below = np.searchsorted(low, high, side="left") + np.searchsorted(low, high, side="right")
    return float(below.mean() / (2 * len(low)))
