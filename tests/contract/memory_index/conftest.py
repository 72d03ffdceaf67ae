"""Every test of the index's contract runs over Qdrant Edge, exact and with graphs, over a Qdrant client, and in memory.

Tests of a `place` run over those that keep what was written."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from qdrant_client import AsyncQdrantClient

from agentmem.adapters.memory_index.edge import EdgeIndex
from agentmem.adapters.memory_index.in_memory import InMemoryIndex
from agentmem.ports.memory_index import MemoryIndex
from tests.support.indexes import SIZE, Place

LASTING = ["edge", "edge with graphs", "server"]
ADAPTERS = [*LASTING, "memory"]


@asynccontextmanager
async def a_client() -> AsyncGenerator[AsyncQdrantClient]:
    """A Qdrant of its own, in memory."""
    opened = AsyncQdrantClient(":memory:")
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture(params=LASTING)
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Place]:
    """An empty place for an index."""
    folder = tmp_path / "index"
    if request.param == "server":
        async with a_client() as client:
            yield Place(folder, client)
    else:
        yield Place(folder, graph_over=1 if request.param == "edge with graphs" else None)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def standing(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[EdgeIndex]:
    """One Edge index for the tests that do not open their own: making one takes 0.1 s."""
    async with EdgeIndex(tmp_path_factory.mktemp("standing") / "index", size=SIZE) as opened:
        yield opened


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def standing_with_graphs(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[EdgeIndex]:
    """The same, searched along graphs where there are any."""
    async with EdgeIndex(tmp_path_factory.mktemp("standing") / "index", size=SIZE, graph_over=1) as opened:
        yield opened


@pytest.fixture(params=ADAPTERS)
async def index(
    request: pytest.FixtureRequest, standing: EdgeIndex, standing_with_graphs: EdgeIndex
) -> AsyncGenerator[MemoryIndex]:
    """An open index with nothing in it."""
    if request.param == "server":
        async with a_client() as client, Place(Path(), client).index() as opened:
            yield opened
        return
    if request.param == "memory":
        async with InMemoryIndex() as opened:
            yield opened
        return
    kept = standing if request.param == "edge" else standing_with_graphs
    while left := await kept.scan(after=None, limit=1_000):
        await kept.remove([memory_id for memory_id, _ in left])
    yield kept
