"""Text to vectors, as a port."""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
"""Rows of vectors, shape (texts, size)."""

Purpose = Literal["query", "document"]


class Embedder(Protocol):
    """Text to unit vectors. Same text, same fingerprint, same vector."""

    @property
    def fingerprint(self) -> str:
        """Names model and size; stored with every vector, so spaces never mix."""
        ...

    @property
    def size(self) -> int:
        """Length of each vector."""
        ...

    @property
    def semantic(self) -> bool:
        """Whether near means near in meaning, and not in spelling only."""
        ...

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """One float32 row of length 1 per text, in order. Raises `BackendUnavailable`."""
        ...
