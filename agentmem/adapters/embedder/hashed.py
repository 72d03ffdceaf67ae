"""Vectors without a model: hashed character n-grams, in numpy alone.

Han runs give single characters and pairs, everything else 3- and 4-grams inside word boundaries. All texts of a call
are hashed in one pass over their code points. The hash is fixed: a vector made today equals one made anywhere.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agentmem import patterns as re
from agentmem.adapters.embedder.cached import normalised
from agentmem.errors import InvalidInput
from agentmem.language.normal import normalise
from agentmem.ports.embedder import Matrix, Purpose

DEFAULT_SIZE: Final = 256
MAX_CHARACTERS: Final = 20_000
"""Beyond this a text is a document; its head decides."""

HAN_GRAMS: Final = (1, 2)
WORD_GRAMS: Final = (3, 4)

_Codes = NDArray[np.uint32]
_Hashes = NDArray[np.uint64]
_Rows = NDArray[np.int64]
_Flags = NDArray[np.bool_]
_NOT_WORD: Final = re.compile(r"[\W_]")
_GAP: Final = 0x20
_LONGEST: Final = 8
_PRIME: Final = np.uint64(0x9E3779B97F4A7C15)
_SEED: Final = np.uint64(0xD1B54A32D192ED03)
_HAN: Final = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF))


class HashedEmbedder:
    """Signed feature hashing of n-grams, dampened by their count. Blank texts share one fixed vector."""

    def __init__(
        self,
        size: int = DEFAULT_SIZE,
        *,
        han: Sequence[int] = HAN_GRAMS,
        word: Sequence[int] = WORD_GRAMS,
    ) -> None:
        if not 16 <= size <= 65_536:
            raise InvalidInput(f"embedder size {size} must be between 16 and 65536")
        if not all(1 <= n <= _LONGEST for n in (*han, *word)):
            raise InvalidInput(f"n-grams {tuple(han)} and {tuple(word)} must be between 1 and {_LONGEST} long")
        self._size = size
        self._han, self._word = tuple(han), tuple(word)

    @property
    def fingerprint(self) -> str:
        """`hash-256`, and the n-grams where they are not the usual ones."""
        if (self._han, self._word) == (HAN_GRAMS, WORD_GRAMS):
            return f"hash-{self._size}"
        return f"hash-{self._size}-{''.join(map(str, self._han))}-{''.join(map(str, self._word))}"

    @property
    def size(self) -> int:
        """Length of each vector."""
        return self._size

    @property
    def semantic(self) -> bool:
        """Never: what is near shares n-grams."""
        return False

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """One unit row per text; queries and documents are embedded alike."""
        return self.vectors(texts)

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """The same, without an event loop."""
        if not texts:
            return np.zeros((0, self._size), dtype=np.float32)
        codes, rows = _code_points(texts)
        hashes, owners = self._features(codes, rows)
        return normalised(_scatter(hashes, owners, len(texts), self._size))

    def _features(self, codes: _Codes, rows: _Rows) -> tuple[_Hashes, _Rows]:
        han = _is_han(codes)
        words = np.where(han, _GAP, codes)
        gap = words == _GAP
        found = [
            *_grams(codes, rows, self._han, lambda n: _all(han, n)),
            *_grams(words, rows, self._word, lambda n: _within_word(gap, n)),
        ]
        return np.concatenate([hashes for hashes, _ in found]), np.concatenate([owners for _, owners in found])


def _normal(text: str) -> str:
    return _NOT_WORD.sub(" ", normalise(text[:MAX_CHARACTERS]))


def _code_points(texts: Sequence[str]) -> tuple[_Codes, _Rows]:
    """All texts as one run of code points, each framed by gaps, and the row each one belongs to."""
    framed = [f" {_normal(text)} " for text in texts]
    framed[-1] += " " * _LONGEST
    codes = np.frombuffer("".join(framed).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return codes, np.repeat(np.arange(len(texts)), [len(text) for text in framed])


def _is_han(codes: _Codes) -> _Flags:
    found = np.zeros(len(codes), dtype=np.bool_)
    for low, high in _HAN:
        found |= (codes >= low) & (codes <= high)
    return found


def _all(flags: _Flags, n: int) -> _Flags:
    """Where `n` flags in a row are set."""
    length = len(flags) - n + 1
    found = flags[:length].copy()
    for step in range(1, n):
        found &= flags[step : step + length]
    return found


def _within_word(gap: _Flags, n: int) -> _Flags:
    """Where `n` characters lie in one word, of which the first and the last may be the blank beside it."""
    length = len(gap) - n + 1
    if n == 1:
        return ~gap
    found = ~(gap[:length] & gap[n - 1 :]) if n == 2 else np.ones(length, dtype=np.bool_)
    for step in range(1, n - 1):
        found &= ~gap[step : step + length]
    return found


def _grams(
    codes: _Codes, rows: _Rows, sizes: Sequence[int], keep: Callable[[int], _Flags]
) -> Iterator[tuple[_Hashes, _Rows]]:
    """Hashes of the kept n-grams of each size, and their rows; each size builds on the one below."""
    hashes = _mixed(codes.astype(np.uint64))
    for n in range(1, max(sizes, default=0) + 1):
        if n > 1:
            hashes = _mixed(hashes[:-1] ^ codes[n - 1 :])
        if n in sizes:
            kept = keep(n)
            yield hashes[kept], rows[: len(hashes)][kept]


def _mixed(values: _Hashes) -> _Hashes:
    product = (values + _SEED) * _PRIME
    return product ^ (product >> np.uint64(29))


def _scatter(hashes: _Hashes, owners: _Rows, rows: int, size: int) -> NDArray[np.float64]:
    """Sum of signs per cell, then its signed square root, so that a repeated n-gram does not drown the others."""
    cells = owners * size + (hashes >> np.uint64(20)).astype(np.int64) % size
    signs = 1.0 - 2.0 * (hashes & np.uint64(1)).astype(np.float64)
    sums = np.bincount(cells, weights=signs, minlength=rows * size).reshape(rows, size)
    return np.sign(sums) * np.sqrt(np.abs(sums))
