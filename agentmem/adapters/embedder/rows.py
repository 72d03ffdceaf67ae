"""What a model sent back, made into unit rows or refused."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agentmem.errors import BackendUnavailable
from agentmem.ports.embedder import Matrix

LARGEST = 1e100
"""What no part of a vector reaches; the length of one with larger parts could not be reckoned."""


def unit_rows(vectors: Sequence[Sequence[float] | NDArray[Any]], *, rows: int, size: int | None, name: str) -> Matrix:
    """Float32 rows of length 1. Another number or length of rows, or numbers that are none, is an outage of `name`."""
    try:
        matrix = np.asarray(vectors, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise BackendUnavailable(f"{name} sent vectors of unequal length, or of no numbers") from error
    if matrix.ndim != 2 or len(matrix) != rows or matrix.shape[1] == 0 or size not in (None, matrix.shape[1]):
        raise BackendUnavailable(f"{name} sent vectors of shape {matrix.shape}, not ({rows}, {size or 'any'})")
    if not (np.abs(matrix) < LARGEST).all():  # which no infinity and no nan is
        raise BackendUnavailable(f"{name} sent vectors with values that are no numbers")
    return normalised(matrix)


def normalised(matrix: NDArray[np.float64]) -> Matrix:
    """Rows scaled to length 1; a row of zeros becomes the first axis, so that it still has a length."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    blank = lengths[:, 0] == 0
    if blank.any():
        matrix = matrix.copy()
        matrix[blank, 0] = 1.0
        lengths[blank] = 1.0
    return (matrix / lengths).astype(np.float32)
