"""An index's place, in process or behind a client, and points to put there."""

import asyncio
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from qdrant_client import AsyncQdrantClient

from agentmem.adapters.memory_index.edge import EdgeIndex
from agentmem.adapters.memory_index.server import ServerIndex
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Scope
from agentmem.ports.embedder import Matrix
from agentmem.ports.memory_index import MemoryIndex, Point, Probe, Sparse, Where
from tests.support.nodes import AGENT, TENANT, a_memory

SIZE = 8
HERE = Scope(TENANT, AGENT)
EVERYTHING = Probe(np.ones((1, SIZE), dtype=np.float32), Sparse((1,), (1.0,)))
"""Finds every memory that `a_point` made, in each channel."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an index is kept; every index of one place sees the same data, one after the other."""

    folder: Path
    client: AsyncQdrantClient | None = None
    graph_over: int | None = None

    def index(self, size: int = SIZE) -> MemoryIndex:
        """An index of this place, not opened yet."""
        client = self.client
        if client is None:
            return EdgeIndex(self.folder, size=size, graph_over=self.graph_over)
        return ServerIndex(lambda: nullcontext(client), "memories", size=size)


@dataclass(frozen=True, slots=True)
class Vectors:
    """What finds a memory: numbers of axes for its content and keys, and words with their weights."""

    content: Mapping[int, float] = field(default_factory=lambda: {0: 1.0})
    keys: Sequence[Mapping[int, float]] = ({0: 1.0},)
    words: Mapping[int, float] = field(default_factory=lambda: {1: 1.0})


def rows(*directions: Mapping[int, float]) -> Matrix:
    """Vectors by their coordinates."""
    matrix = np.zeros((len(directions), SIZE), dtype=np.float32)
    for row, direction in zip(matrix, directions, strict=True):
        for axis, length in direction.items():
            row[axis] = length
    return matrix


def words(weights: Mapping[int, float]) -> Sparse:
    """A sparse vector by token id."""
    return Sparse(tuple(sorted(weights)), tuple(weights[token] for token in sorted(weights)))


def a_point(memory: MemoryNode, vectors: Vectors | None = None) -> Point:
    """The memory with vectors that `EVERYTHING` finds, unless told otherwise."""
    given = vectors or Vectors()
    return Point(memory, rows(given.content), rows(*given.keys), words(given.words))


async def visible(index: MemoryIndex, where: Where) -> set[str]:
    """The ids that a search may return; the same in each of the three channels, and without a question."""
    found = await index.search(where, EVERYTHING, limit=5_000)
    channels = [{memory_id for memory_id, _ in hits} for hits in (found.content, found.keys, found.lexical)]
    assert channels[0] == channels[1] == channels[2] == (await index.select(where, (), limit=5_000)).keys()
    return channels[0]


def ids(hits: Collection[tuple[str, float]]) -> list[str]:
    """The ids of one channel, best first."""
    return [memory_id for memory_id, _ in hits]


def numbered_memories(count: int) -> list[MemoryNode]:
    """So many different memories."""
    return [a_memory(f"memory {number}", timestamp=number) for number in range(count)]


async def _write_and_wait(folder: Path, flushed: int) -> None:
    async with EdgeIndex(folder, size=SIZE) as index:
        await index.upsert([a_point(memory) for memory in numbered_memories(flushed)])
        await index.flush()
        sys.stdout.write("flushed\n")
        sys.stdout.flush()
        sys.stdin.read()


class Holder:
    """Another process that wrote some memories, flushed them, and holds the index until it is killed."""

    def __init__(self, folder: Path, flushed: int) -> None:
        self._command = (sys.executable, "-m", __name__, str(folder), str(flushed))
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None
        return self._process.pid

    async def begin(self) -> None:
        """Return when it has flushed."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(*self._command, stdin=pipe, stdout=pipe)
        assert self._process.stdout is not None
        async with asyncio.timeout(20):
            assert await self._process.stdout.readline() == b"flushed\n"

    async def die(self) -> None:
        """Kill it at once, without a chance to close anything."""
        assert self._process is not None
        self._process.kill()
        async with asyncio.timeout(20):
            await self._process.communicate()


if __name__ == "__main__":
    asyncio.run(_write_and_wait(Path(sys.argv[1]), int(sys.argv[2])))
