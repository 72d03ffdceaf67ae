"""From a pool to an order: each candidate's score with every signal's share of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agentmem.retrieval.merging import merged
from agentmem.retrieval.pool import Candidate, Pool
from agentmem.retrieval.profiles import Profile
from agentmem.retrieval.signals import SIGNALS, cues_in
from agentmem.retrieval.term_weights import Column


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score, which is the sum of `shares`; these stand in row `row` of the signals' columns: that
    of the turn it was merged with, where that one matched better. `match`, from 0 to 1, is how well the channels found
    it."""

    candidate: Candidate
    score: float
    match: float
    row: int
    columns: Mapping[str, Column]

    @property
    def shares(self) -> dict[str, float]:
        """What each signal gave; of what has ended, of the score that is left to it."""
        given = {name: float(column[self.row]) for name, column in self.columns.items()}
        whole = sum(given.values())
        return {name: share * self.score / whole if whole else share for name, share in given.items()}


def ranked(pool: Pool, profile: Profile) -> list[Ranked]:
    """The candidates, best first; of equal ones the newer, then by id. Each memory once, by its better place."""
    if not len(pool):
        return []
    ratio = _ratio(pool, profile)
    weighed = {
        name: weight * _column(name, pool, profile) * ratio for name, weight in profile.weights.items() if weight
    }
    scores, rows = sum(weighed.values(), np.zeros(len(pool))), np.arange(len(pool))
    if profile.merges:
        scores, rows = merged(pool, scores)
    return _in_order(pool, weighed, scores.tolist(), rows.tolist(), profile.floor)


def _in_order(
    pool: Pool, columns: Mapping[str, Column], scores: Sequence[float], rows: Sequence[int], floor: float
) -> list[Ranked]:
    found: dict[str, Ranked] = {}
    for place in sorted(range(len(pool)), key=_order(pool.candidates, scores)):
        if rows[place] >= 0 and scores[place] >= floor:
            item = pool.candidates[place]
            found.setdefault(
                item.memory_id, Ranked(item, scores[place], float(pool.match[place]), rows[place], columns)
            )
    return list(found.values())


def _column(name: str, pool: Pool, profile: Profile) -> Column:
    column = SIGNALS[name](pool)
    return _spread(column) if profile.spread else column


def _spread(column: Column) -> Column:
    low, high = float(column.min()), float(column.max())
    return np.full(len(column), 0.5) if low == high else (column - low) / (high - low)


def _ratio(pool: Pool, profile: Profile) -> Column:
    """What a whole score is multiplied by: for its layer, for how it is held, and for who asks."""
    return pool.read(
        lambda item: (
            profile.layer(
                str(item.fields.get("memoryType")),
                of_agent=_is_said_by_agent(item),
                asks=bool(cues_in(item).get("asks")),
            )
            * (profile.in_doubt if item.fields.get("needsReview") else 1.0)
            * (profile.hypothesis if item.fields.get("modality") == "hypothesis" else 1.0)
        )
    )


def _is_said_by_agent(item: Candidate) -> bool:
    speaker = item.fields.get("speaker")
    return speaker is not None and speaker == item.fields.get("userName")


def _order(candidates: Sequence[Candidate], scores: Sequence[float]) -> Callable[[int], tuple[float, int, str]]:
    def key(row: int) -> tuple[float, int, str]:
        timestamp = candidates[row].fields.get("timestamp")
        return -scores[row], -timestamp if isinstance(timestamp, int) else 0, candidates[row].memory_id

    return key
