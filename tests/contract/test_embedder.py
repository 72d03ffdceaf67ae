"""What every embedder promises, over every adapter there is."""

import importlib.util
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager

import numpy as np
import pytest
from pydantic_ai.embeddings import TestEmbeddingModel

from agentmem.adapters.embedder.cached import CachedEmbedder
from agentmem.adapters.embedder.fastembed import FastembedEmbedder
from agentmem.adapters.embedder.hashed import HashedEmbedder
from agentmem.adapters.embedder.provider_embedder import PydanticAIEmbedder
from agentmem.ports.embedder import Embedder

TEXTS = [
    "我想在社保管理系统中添加自动能力",
    "call me at +44 20 7946 0958 tomorrow",
    "",
    "ok",
    "🙂",
    "我用AI做报表" * 400,
]

LOCAL_MODEL = os.environ.get("AGENTMEM_TEST_FASTEMBED", "")
NO_FASTEMBED = "left out: needs fastembed and AGENTMEM_TEST_FASTEMBED, a model folder or name"
HAS_FASTEMBED = bool(LOCAL_MODEL) and importlib.util.find_spec("fastembed") is not None


class NoCache:
    """A vector cache that keeps nothing."""

    async def get(self, fingerprint: str, keys: Sequence[str]) -> dict[str, bytes]:
        return {}

    async def put(self, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
        pass


@asynccontextmanager
async def opened(kind: str) -> AsyncGenerator[Embedder]:
    match kind:
        case "hashed":
            yield HashedEmbedder(256)
        case "cached":
            yield CachedEmbedder(HashedEmbedder(64), NoCache())
        case "pydantic-ai":
            async with PydanticAIEmbedder(TestEmbeddingModel(dimensions=12), batch=4) as embedder:
                yield embedder
        case _:
            async with FastembedEmbedder(LOCAL_MODEL) as embedder:
                yield embedder


ADAPTERS = pytest.mark.parametrize(
    "kind",
    [
        "hashed",
        "cached",
        "pydantic-ai",
        pytest.param("fastembed", marks=pytest.mark.skipif(not HAS_FASTEMBED, reason=NO_FASTEMBED)),
    ],
)


@ADAPTERS
async def test_each_text_gets_one_float32_row_of_length_one(kind: str) -> None:
    async with opened(kind) as embedder:
        rows = await embedder.embed(TEXTS, purpose="document")
        assert rows.shape == (len(TEXTS), embedder.size)
        assert rows.dtype == np.float32
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


@ADAPTERS
async def test_rows_keep_the_order_and_do_not_depend_on_their_neighbours(kind: str) -> None:
    async with opened(kind) as embedder:
        together = await embedder.embed(TEXTS, purpose="document")
        apart = [await embedder.embed([text], purpose="document") for text in TEXTS]
        assert np.allclose(together, np.concatenate(apart), atol=2e-3)


@ADAPTERS
async def test_the_same_text_gives_the_same_vector(kind: str) -> None:
    async with opened(kind) as embedder:
        first = await embedder.embed(["同一句话", "同一句话"], purpose="query")
        second = await embedder.embed(["同一句话"], purpose="query")
        assert np.allclose(first[0], first[1], atol=1e-6)
        assert np.allclose(first[0], second[0], atol=1e-6)


@ADAPTERS
async def test_no_texts_give_no_rows_of_the_right_width(kind: str) -> None:
    async with opened(kind) as embedder:
        assert (await embedder.embed([], purpose="query")).shape == (0, embedder.size)


@ADAPTERS
async def test_the_fingerprint_names_the_size_and_stays(kind: str) -> None:
    async with opened(kind) as embedder:
        assert str(embedder.size) in embedder.fingerprint
        before = embedder.fingerprint
        await embedder.embed(["x"], purpose="query")
        assert embedder.fingerprint == before
