"""One hit for a turn and what was made of it; what took another's place before that one.

A memory stands in its turn's place where it says as much of the question, one that has ended too. What
has ended is a hit only where its turn was found, so that nobody reads the turn without being told: it ranks below what
took its place, which itself stands no lower than what it replaced.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue
from agentmem.language.tokens import term_ids
from agentmem.retrieval.pool import Pool
from agentmem.retrieval.term_weights import Column

ENDED = 0.4
"""What is left of the score of what has ended."""

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
            self._put_below(row)
        for row in over:
            if row not in self._told:
                self.rows[row] = -1
        return self.scores, self.rows

    @cached_property
    def _said(self) -> Column:
        """How much each says of the question, by its words and of what it is about."""
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
        self.scores[row] *= ENDED

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
