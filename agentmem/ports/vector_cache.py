"""Vectors by text, so that nothing is embedded twice, as a port."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Protocol

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
