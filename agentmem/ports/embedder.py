"""Text to vectors, and vectors by text, so that nothing is embedded twice, as ports."""

import hashlib
from collections.abc import Mapping, Sequence
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


EMBEDDED_CHARACTERS = 8_000
"""Of a longer text the beginning is embedded; BM25 sees all of it."""


def text_key(text: str) -> str:
    """What a text's vector is kept under: SHA-256, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class VectorCache(Protocol):
    """Keys are those of `text_key`, values float16 little-endian bytes, apart per embedder fingerprint."""

    async def get(self, fingerprint: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The vectors that are there."""
        ...

    async def put(self, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors; one that is there stays as it is."""
        ...
