"""How good a ranking is, with relevance that is either there or not; and whether recall knows what it does not know:
how many answers a threshold on confidence keeps, how many it refuses. Pure functions; all figures are from 0 to 1.

What is not to be answered are questions without an answer, and questions put to somebody they are not about.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

ALL = "all"
RECALLS = (5, 10, 20, 50)
NDCGS = (5, 10)
DEPTH = 10
"""Of `all@10` and `any@10`."""

Figures = dict[str, float]

SessionScore = Callable[[Sequence[float]], float]
"""What a session is ranked by, found from the scores of its turns that were retrieved, best first."""


def hit_at_1(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Whether the first is relevant."""
    return float(bool(ranked) and ranked[0] in relevant)


def recall_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """The share of what is relevant that is among the first `k`."""
    return len(set(ranked[:k]) & set(relevant)) / len(set(relevant))


def all_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Whether everything relevant is among the first `k`."""
    return float(set(relevant) <= set(ranked[:k]))


def any_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Whether anything relevant is among the first `k`."""
    return float(bool(set(ranked[:k]) & set(relevant)))


def ndcg_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Discounted gain of the first `k`, 1 where relevant, over that of the best order (Järvelin, Kekäläinen 2002)."""
    gains = sum(1 / math.log2(place + 2) for place, item in enumerate(ranked[:k]) if item in relevant)
    ideal = sum(1 / math.log2(place + 2) for place in range(min(k, len(set(relevant)))))
    return gains / ideal


def figures(ranked: Sequence[str], relevant: Collection[str], *, also: Collection[int] = ()) -> Figures:
    """Every figure of one question; `relevant` is not empty, nothing is ranked twice. `also`: more k of recall."""
    return {
        "hit@1": hit_at_1(ranked, relevant),
        **{f"recall@{k}": recall_at(k, ranked, relevant) for k in sorted({*RECALLS, *also})},
        f"all@{DEPTH}": all_at(DEPTH, ranked, relevant),
        f"any@{DEPTH}": any_at(DEPTH, ranked, relevant),
        **{f"ndcg@{k}": ndcg_at(k, ranked, relevant) for k in NDCGS},
    }


def averaged(rows: Sequence[Mapping[str, float]]) -> Figures:
    """The mean of each figure over questions; there is at least one."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}


def by_category(rows: Iterable[tuple[str | None, Figures]]) -> dict[str, Figures]:
    """The means over all questions, under `all`, and over those of each category, in the order of their names."""
    groups: dict[str, list[Figures]] = {}
    for category, row in rows:
        for name in (ALL, category):
            if name is not None:
                groups.setdefault(name, []).append(row)
    names = sorted(groups, key=lambda name: (name != ALL, name))
    return {name: averaged(groups[name]) for name in names}


def best(scores: Sequence[float]) -> float:
    """A session is as good as its best turn."""
    return max(scores)


def ranked_sessions(hits: Iterable[tuple[str, float]], score: SessionScore = best) -> list[str]:
    """Sessions of retrieved turns, best first, of (session, score of the turn), best turn first; ties as they came."""
    found: dict[str, list[float]] = {}
    for session, value in hits:
        found.setdefault(session, []).append(value)
    return sorted(found, key=lambda session: -score(found[session]))


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


def best_threshold(points: Sequence[ThresholdPoint]) -> ThresholdPoint:
    """Where kept and refused together are largest (Youden's J); of equals the lowest threshold."""
    return max(points, key=lambda point: point.kept + point.refused)


def told_apart(answerable: Sequence[float], others: Sequence[float]) -> float:
    """How often an answerable question is surer than another one, ties counting half: the area under the ROC curve."""
    high, low = np.array(answerable), np.array(others)
    low.sort()
    below = np.searchsorted(low, high, side="left") + np.searchsorted(low, high, side="right")
    return float(below.mean() / (2 * len(low)))
