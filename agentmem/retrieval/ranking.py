"""From a pool to an order: each candidate's score with every signal's share of it; one hit for a turn and what was made
of it, and what took another's place before that one.

A memory stands in its turn's place where it says as much of the question, one that has ended too. What
has ended is a hit only where its turn was found, so that nobody reads the turn without being told: it ranks below what
took its place, which itself stands no lower than what it replaced. Where the question asks why something came about it
is a hit by itself, and where it asks for what is over, it stands before what took its place.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue
from agentmem.language.tokens import term_ids
from agentmem.retrieval.pool import Candidate, Pool
from agentmem.retrieval.profiles import Profile
from agentmem.retrieval.signals import SIGNALS, cues_in, is_coming
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
            * (profile.coming if is_coming(item, pool.question) else 1.0)
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


ENDED, MAY_BE_OVER = 0.4, 0.8
"""What is left of the score of what has ended; the same where that may answer the question."""

REPLACED = 0.9
"""What is left, of the score of what it replaced, to what holds, where it is asked for what is over."""

MAX_SUCCESSORS = 16
"""Steps from a memory to what took its place, and on to what took that one's."""


def merged(pool: Pool, scores: Column) -> tuple[Column, NDArray[np.int64]]:
    """The scores, and for each candidate the row that its score is from; -1 where it is no hit of its own."""
    return _Merge(pool, scores).done()


class _Merge:
    def __init__(self, pool: Pool, scores: Column) -> None:
        self._pool, self.scores = pool, scores.copy()
        self.rows = np.arange(len(pool))
        self._row_of = {item.memory_id: row for row, item in enumerate(pool.candidates)}
        self._told: set[int] = set()

    def done(self) -> tuple[Column, NDArray[np.int64]]:
        for turn, heirs in self._heirs().items():
            self._merge(turn, heirs)
        over = [row for row, item in enumerate(self._pool.candidates) if item.over]
        for row in over:
            self._put_before(row) if self._pool.question.of_the_past else self._put_below(row)
        for row in over:
            if row not in self._told and not self._pool.question.looks_back:
                self.rows[row] = -1
        return self.scores, self.rows

    @cached_property
    def _said(self) -> Column:
        """How much each says of the question, by its words and by what it is about."""
        terms = self._pool.terms
        return terms.covered + terms.share_of(term_ids(self._pool.question.topics))

    def _heirs(self) -> dict[int, list[int]]:
        """For each turn the rows of the memories that were made of it."""
        found: dict[int, list[int]] = {}
        for row, item in enumerate(self._pool.candidates):
            if item.fields.get("memoryType") == MemoryType.OBSERVATION:
                for turn in self._named(item.fields.get("sourceIds")):
                    found.setdefault(turn, []).append(row)
        return found

    def _named(self, ids: JsonValue) -> Iterator[int]:
        for each in ids if isinstance(ids, list) else ():
            if (row := self._row_of.get(str(each))) is not None:
                yield row

    def _merge(self, turn: int, heirs: list[int]) -> None:
        standing = [row for row in heirs if not self._pool.candidates[row].over]
        covered = self._said
        best = max(standing or heirs, key=lambda row: (covered[row], self.scores[row], -row))
        if standing and covered[best] < covered[turn]:
            over = [row for row in heirs if row not in standing and covered[row] >= covered[turn]]
            if not over:
                return
            best = max(over, key=lambda row: (covered[row], self.scores[row], -row))
        self._lift(best, turn)
        self.rows[turn] = -1
        self._told.add(best)

    def _lift(self, row: int, other: int) -> None:
        if self.scores[other] > self.scores[row]:
            self.scores[row], self.rows[row] = self.scores[other], self.rows[other]

    def _put_below(self, row: int) -> None:
        successor = self._successor(row)
        if successor is not None:
            self._lift(successor, row)
        self.scores[row] *= MAY_BE_OVER if self._pool.question.looks_back else ENDED

    def _put_before(self, row: int) -> None:
        successor = self._successor(row)
        if successor is not None:
            self._lift(row, successor)
            self.scores[successor] = min(self.scores[successor], REPLACED * self.scores[row])

    def _successor(self, row: int) -> int | None:
        """The row of what holds in its place."""
        for _ in range(MAX_SUCCESSORS):
            following = self._row_of.get(str(self._pool.candidates[row].fields.get("supersededBy")))
            if following is None:
                return None
            if not self._pool.candidates[following].over:
                return following
            row = following
        return None
