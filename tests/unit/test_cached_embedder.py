"""The cache around an embedder: nothing is embedded twice, and cached rows equal new ones."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from agentmem.adapters.embedder.cached import CachedEmbedder
from agentmem.adapters.embedder.hashed import HashedEmbedder
from agentmem.ports.embedder import Matrix, Purpose


class Counting(HashedEmbedder):
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__(32)
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        self.asked += texts
        return await super().embed(texts, purpose=purpose)


class MemoryCache:
    """A vector cache in a dictionary."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], bytes] = {}

    async def get(self, fingerprint: str, keys: Sequence[str]) -> dict[str, bytes]:
        return {key: self.held[fingerprint, key] for key in keys if (fingerprint, key) in self.held}

    async def put(self, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
        for key, value in vectors.items():
            self.held.setdefault((fingerprint, key), value)


async def test_each_distinct_document_is_embedded_once_and_survives_a_restart() -> None:
    inner, cache = Counting(), MemoryCache()
    first = await CachedEmbedder(inner, cache).embed(["a b c", "甲乙", "a b c"], purpose="document")
    again = await CachedEmbedder(inner, cache).embed(["甲乙", "a b c", "new"], purpose="document")
    assert inner.asked == ["a b c", "甲乙", "new"]
    assert (again[1] == first[0]).all()
    assert (first[2] == first[0]).all()


async def test_cached_rows_are_nearly_the_exact_ones() -> None:
    rows = await CachedEmbedder(Counting(), MemoryCache()).embed(["some longer text"], purpose="document")
    assert np.allclose(rows, HashedEmbedder(32).vectors(["some longer text"]), atol=1e-3)


async def test_values_are_float16_under_the_hash_of_the_text() -> None:
    cache = MemoryCache()
    await CachedEmbedder(Counting(), cache).embed(["甲"], purpose="document")
    ((fingerprint, key), value) = next(iter(cache.held.items()))
    assert (fingerprint, key) == ("hash-32", hashlib.sha256("甲".encode()).hexdigest())
    assert len(value) == 64


async def test_queries_stay_out_of_the_store_but_are_remembered_for_a_while() -> None:
    inner, cache = Counting(), MemoryCache()
    embedder = CachedEmbedder(inner, cache, recent=2)
    for query in ("one", "one", "two", "three", "one"):
        await embedder.embed([query], purpose="query")
    assert inner.asked == ["one", "two", "three", "one"]
    assert cache.held == {}


async def test_a_vector_of_another_length_in_the_store_is_made_anew() -> None:
    inner, cache = Counting(), MemoryCache()
    cache.held["hash-32", hashlib.sha256(b"x").hexdigest()] = b"\x00\x00"
    assert (await CachedEmbedder(inner, cache).embed(["x"], purpose="document")).shape == (1, 32)
    assert inner.asked == ["x"]
