"""What the candidates of one question say of it and of each other, by their terms: the sparse vectors that search uses.

How rare a term is, is counted among the candidates: that ranks as well as the whole store's count, and costs nothing.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from agentmem.language.tokens import query_sparse, sparse
from agentmem.ports.memory_index import Sparse

Column = NDArray[np.float64]
"""One number per candidate."""

ENOUGH = 170
"""Candidates that a large memory gives. Among fewer, a term that is said is as rare as it would be among so many."""

FEEDBACK_TERMS = 30
"""Terms of the best candidates that others are compared by."""


def terms_said(question: str, texts: Sequence[str]) -> "TermWeights":
    """What texts that are no candidates of a search say of a question."""
    return TermWeights([Sparse(*sparse(text)) for text in texts], Sparse(*query_sparse(question)))


class TermWeights:
    """The terms of all candidates in one flat table, and of the question's terms a row per candidate.

    `said[row, term]` is the weight that candidate `row` gives the question's term, 0 where it does not say it; `asked`
    is the question's own weight for each, `rarity` that one times its IDF among the candidates.
    """

    def __init__(self, candidates: Sequence[Sparse], asked: Sparse) -> None:
        self.sizes: Column = np.array([len(terms.indices) for terms in candidates], dtype=np.float64)
        self._rows = np.repeat(np.arange(len(candidates)), self.sizes.astype(np.int64))
        self._weights = np.array([value for terms in candidates for value in terms.values], dtype=np.float64)
        ids = np.array([term for terms in candidates for term in terms.indices], dtype=np.int64)
        self._known, self._terms = np.unique(ids, return_inverse=True)
        having = np.bincount(self._terms, minlength=len(self._known))
        self._rarity: Column = np.log(1 + (len(candidates) - having + 0.5) / (having + 0.5))
        self.asked: Column = np.array(asked.values, dtype=np.float64)
        self.said, rarity = self._said(asked.indices)
        self.rarity: Column = rarity * self.asked

    def _said(self, wanted: Sequence[int]) -> tuple[NDArray[np.float64], Column]:
        """What each candidate says of these terms, a column per term, and how rare each is."""
        terms = np.array(wanted, dtype=np.int64)
        said, rarity = np.zeros((len(self.sizes), len(terms))), np.full(len(terms), self._of_nobody)
        if not len(self._known):
            return said, rarity
        place = np.minimum(np.searchsorted(self._known, terms), len(self._known) - 1)
        held = self._known[place] == terms
        rarity[held] = self._rarity[place[held]]
        column = np.full(len(self._known), -1)
        column[place[held]] = np.flatnonzero(held)
        of_question = column[self._terms]
        here = of_question >= 0
        said[self._rows[here], of_question[here]] = self._weights[here]
        return said, rarity

    @property
    def _of_nobody(self) -> float:
        return float(np.log(1 + (len(self.sizes) + 0.5) / 0.5))

    def share_of(self, wanted: Sequence[int]) -> Column:
        """The share of these terms, by rarity, that each candidate has; 0 where there are none."""
        said, rarity = self._said(wanted)
        return (said > 0) @ rarity / rarity.sum() if len(rarity) else np.zeros(len(self.sizes))

    @cached_property
    def score(self) -> Column:
        """BM25 of each candidate, by the rarities of the pool."""
        return self.said @ self.rarity

    @property
    def mass(self) -> float:
        """What all terms of the question are worth together, those nobody says included."""
        return float(self.rarity.sum())

    @cached_property
    def covered(self) -> Column:
        """The share of the question, by rarity, that each candidate says at all."""
        return (self.said > 0) @ self.rarity / self.mass if self.mass else np.zeros(len(self.sizes))

    @property
    def best_said(self) -> tuple[float, int]:
        """The greatest BM25 of a candidate as a share of what the question's rarities add up to, all as in a large
        memory; and the most terms of the question that one candidate says."""
        if not self.said.size:
            return 0.0, 0
        having = (self.said > 0).sum(axis=0)
        rarity = self.asked * np.log(1 + (max(len(self.sizes), ENOUGH) - having + 0.5) / (having + 0.5))
        return float((self.said @ rarity).max() / rarity.sum()), int((self.said > 0).sum(axis=1).max())

    def likeness(self, best: NDArray[np.int64]) -> Column:
        """BM25 of each candidate over the terms that mark the candidates in these rows: pseudo-relevance feedback."""
        marked = np.isin(self._rows, best)
        worth = np.bincount(
            self._terms[marked], self._weights[marked] * self._rarity[self._terms[marked]], len(self._rarity)
        )
        chosen = np.zeros(len(worth), dtype=bool)
        chosen[np.argsort(-worth, kind="stable")[:FEEDBACK_TERMS]] = True
        chosen &= worth > 0
        here = chosen[self._terms]
        return np.bincount(
            self._rows[here], self._weights[here] * self._rarity[self._terms[here]], len(self.sizes)
        ).astype(np.float64)
