"""Maximal marginal relevance: what is relevant and not yet said (Carbonell and Goldstein, SIGIR 1998)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agentmem.errors import InvalidInput
from agentmem.ports.embedder import Matrix
from agentmem.ports.reranker import Inquiry, Rankable

_Rows = NDArray[np.float64]


class MarginalRelevance:
    """Picks one memory after the other by balance · relevance - (1 - balance) · likeness to the likest one picked.

    Relevance is the cosine with the inquiry's vector or, where it has none, the score so far as a share of the best.
    A memory without a vector is unlike everything, the question included. What is answered for a memory is its value
    when it was picked; these values never rise from one pick to the next, so they give the order of the picks.
    """

    def __init__(self, balance: float = 0.5) -> None:
        if not 0 <= balance <= 1:
            raise InvalidInput(f"marginal relevance: balance is {balance}, allowed: 0 to 1")
        self._balance = balance

    async def rerank(self, inquiry: Inquiry, items: Sequence[Rankable]) -> Sequence[float]:
        """See `Reranker.rerank`. Raises `InvalidInput` where vectors have different lengths."""
        if not items:
            return []
        rows = _unit_rows([inquiry.vector, *(item.vector for item in items)])
        question, rows = rows[0], rows[1:]
        relevance = rows @ question if inquiry.vector is not None else _shares(items)
        return self._picked(relevance, rows @ rows.T)

    def _picked(self, relevance: _Rows, likeness: _Rows) -> list[float]:
        values = self._balance * relevance
        answer, nearest = np.zeros(len(values)), np.full(len(values), -np.inf)
        left = np.ones(len(values), dtype=np.bool_)
        for _ in range(len(values)):
            place = int(np.argmax(np.where(left, values, -np.inf)))
            answer[place], left[place] = values[place], False
            nearest = np.maximum(nearest, likeness[place])
            values = self._balance * relevance - (1 - self._balance) * nearest
        return answer.tolist()


def _unit_rows(vectors: Sequence[Matrix | None]) -> _Rows:
    """Rows of length 1; a missing or blank vector is a row of zeros."""
    sizes = {vector.size for vector in vectors if vector is not None}
    if len(sizes) > 1:
        raise InvalidInput(f"vectors of {' and '.join(map(str, sorted(sizes)))} numbers cannot be compared")
    rows = np.zeros((len(vectors), max(sizes, default=1)))
    for row, vector in zip(rows, vectors, strict=True):
        if vector is not None:
            row[:] = vector.reshape(-1)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)


def _shares(items: Sequence[Rankable]) -> _Rows:
    scores = np.array([item.score for item in items], dtype=np.float64)
    best = scores.max()
    return scores / best if best > 0 else scores
