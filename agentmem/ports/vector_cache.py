"""Vectors by text, so that nothing is embedded twice, as a port."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class VectorCache(Protocol):
    """Keys are SHA-256 of the text in hex, values float16 little-endian bytes, apart per embedder fingerprint."""

    async def get(self, fingerprint: str, keys: Sequence[str]) -> dict[str, bytes]:
        """The vectors that are there."""
        ...

    async def put(self, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors; one that is there stays as it is."""
        ...
