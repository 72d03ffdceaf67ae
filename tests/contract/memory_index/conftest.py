"""Every test of the index's contract runs over Qdrant Edge and over a Qdrant client."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from qdrant_client import AsyncQdrantClient

from agentmem.adapters.memory_index.edge import EdgeIndex
from agentmem.ports.memory_index import MemoryIndex
from tests.support.indexes import SIZE, Place

ADAPTERS = ["edge", "server"]


@pytest.fixture
async def client() -> AsyncGenerator[AsyncQdrantClient]:
    """A Qdrant of its own, in memory."""
    opened = AsyncQdrantClient(":memory:")
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture(params=ADAPTERS)
def place(request: pytest.FixtureRequest, tmp_path: Path, client: AsyncQdrantClient) -> Place:
    """An empty place for an index."""
    return Place(tmp_path / "index", client if request.param == "server" else None)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def standing(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[EdgeIndex]:
    """One Edge index for the tests that do not open their own: making one takes 0.1 s."""
    async with EdgeIndex(tmp_path_factory.mktemp("standing") / "index", size=SIZE) as opened:
        yield opened


@pytest.fixture(params=ADAPTERS)
async def index(
    request: pytest.FixtureRequest, standing: EdgeIndex, client: AsyncQdrantClient
) -> AsyncGenerator[MemoryIndex]:
    """An open index with nothing in it."""
    if request.param == "server":
        async with Place(Path(), client).index() as opened:
            yield opened
        return
    while left := await standing.scan(after=None, limit=1_000):
        await standing.remove([memory_id for memory_id, _ in left])
    yield standing
