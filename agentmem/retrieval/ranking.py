"""From a pool to an order: each signal's share of each score, and the candidates, best first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agentmem.retrieval.pool import Candidate, Column, Pool
from agentmem.retrieval.profiles import Profile
from agentmem.retrieval.signals import SIGNALS, time


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score, which is the sum of `shares`; they stand in row `row` of the signals' columns.
    `match`, from 0 to 1, is how well the channels found it."""

    candidate: Candidate
    score: float
    match: float
    row: int
    columns: Mapping[str, Column]

    @property
    def shares(self) -> dict[str, float]:
        """What each signal gave."""
        return {name: float(column[self.row]) for name, column in self.columns.items()}


def ranked(pool: Pool, profile: Profile) -> list[Ranked]:
    """The candidates, best first; of equal ones the newer, then by id. Each memory once, by its better place."""
    if not len(pool):
        return []
    ratio = _ratio(pool, profile)
    weighed = {
        name: weight * _column(name, pool, profile) * ratio for name, weight in profile.weights.items() if weight
    }
    scores: list[float] = sum(weighed.values(), np.zeros(len(pool))).tolist()
    found: dict[str, Ranked] = {}
    for row in sorted(range(len(pool)), key=_order(pool.candidates, scores)):
        if scores[row] >= profile.floor:
            item = pool.candidates[row]
            found.setdefault(item.memory_id, Ranked(item, scores[row], float(pool.match[row]), row, weighed))
    return list(found.values())


def _column(name: str, pool: Pool, profile: Profile) -> Column:
    column = SIGNALS[name](pool)
    return _spread(column) if profile.spread else column


def _spread(column: Column) -> Column:
    low, high = float(column.min()), float(column.max())
    return np.full(len(column), 0.5) if low == high else (column - low) / (high - low)


def _ratio(pool: Pool, profile: Profile) -> Column:
    """What a whole score is multiplied by: for its layer, for how it is held, for the time the question names."""
    held = pool.read(
        lambda item: (
            profile.types.get(str(item.fields.get("memoryType")), 1.0)
            * (profile.in_doubt if item.fields.get("needsReview") else 1.0)
            * (profile.hypothesis if item.fields.get("modality") == "hypothesis" else 1.0)
        )
    )
    return held if profile.time_match == 1.0 else held * (1.0 + (profile.time_match - 1.0) * time(pool))


def _order(candidates: Sequence[Candidate], scores: Sequence[float]) -> Callable[[int], tuple[float, int, str]]:
    def key(row: int) -> tuple[float, int, str]:
        timestamp = candidates[row].fields.get("timestamp")
        return -scores[row], -timestamp if isinstance(timestamp, int) else 0, candidates[row].memory_id

    return key
