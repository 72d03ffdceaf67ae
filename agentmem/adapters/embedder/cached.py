"""An embedder that asks another one only for what it has not embedded before.

Documents are kept in the journal's vector cache, as float16; queries and recent documents in a small one in memory.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agentmem.errors import BackendUnavailable
from agentmem.ports.embedder import Embedder, Matrix, Purpose, VectorCache, text_key

RECENT: Final = 512
"""Vectors kept in memory, queries and documents each."""

_Row = NDArray[np.float32]


class CachedEmbedder:
    """Same vectors whether cached or new: what is new is rounded to float16 as well before it is returned."""

    def __init__(self, inner: Embedder, cache: VectorCache, *, recent: int = RECENT) -> None:
        self._inner, self._cache = inner, cache
        self._recent: dict[Purpose, _Recent] = {"query": _Recent(recent), "document": _Recent(recent)}

    @property
    def fingerprint(self) -> str:
        """That of the embedder inside."""
        return self._inner.fingerprint

    @property
    def size(self) -> int:
        """That of the embedder inside."""
        return self._inner.size

    @property
    def semantic(self) -> bool:
        """As the embedder inside."""
        return self._inner.semantic

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """One unit row per text; each distinct text is embedded at most once."""
        if not texts:
            return np.zeros((0, self.size), dtype=np.float32)
        keys = [text_key(text) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        recent = self._recent[purpose]
        found = recent.get(distinct)
        missing = {key: text for key, text in distinct.items() if key not in found}
        if missing and purpose == "document":
            stored = await self._stored(missing)
            missing = {key: text for key, text in missing.items() if key not in stored}
            found |= stored
        if missing:
            found |= await self._embedded(missing, purpose)
        recent.put(found)
        return np.stack([found[key] for key in keys])

    async def _stored(self, texts: Mapping[str, str]) -> dict[str, _Row]:
        held = await self._cache.get(self.fingerprint, list(texts))
        return {key: _unpacked(value) for key, value in held.items() if _is_sound(value, self.size)}

    async def _embedded(self, texts: Mapping[str, str], purpose: Purpose) -> dict[str, _Row]:
        rows = await self._inner.embed(list(texts.values()), purpose=purpose)
        packed = dict(zip(texts, (_packed(row) for row in rows), strict=True))
        if purpose == "document":
            await self._cache.put(self.fingerprint, packed)
        return {key: _unpacked(value) for key, value in packed.items()}


class _Recent:
    """The vectors used last."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rows: OrderedDict[str, _Row] = OrderedDict()

    def get(self, keys: Iterable[str]) -> dict[str, _Row]:
        return {key: self._rows[key] for key in keys if key in self._rows}

    def put(self, rows: Mapping[str, _Row]) -> None:
        for key, row in rows.items():
            self._rows[key] = row
            self._rows.move_to_end(key)
        while len(self._rows) > self._limit:
            self._rows.popitem(last=False)


def _packed(row: _Row) -> bytes:
    return row.astype("<f2").tobytes()


def _is_sound(value: bytes, size: int) -> bool:
    """Whether it is a vector of this size: what came with a bundle is what its signer put there."""
    return len(value) == 2 * size and bool(np.isfinite(np.frombuffer(value, dtype="<f2")).all())


def _unpacked(value: bytes) -> _Row:
    return normalised(np.frombuffer(value, dtype="<f2").astype(np.float64)[np.newaxis, :])[0]


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
