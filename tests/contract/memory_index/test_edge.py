"""What only the embedded index has: one holder at a time, files that may be damaged, a process that may be killed."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio

from agentmem.adapters.memory_index.edge import EdgeIndex
from agentmem.errors import BackendUnavailable, HeldElsewhere, IndexBroken, NeedsRepair
from agentmem.ports.embedder import Matrix
from agentmem.ports.memory_index import Point, Probe, Where
from tests.support.damages import FILE_DAMAGES, INDEX_FILES, emptied, halved
from tests.support.indexes import EVERYTHING, HERE, SIZE, Holder, a_point, numbered_memories, visible, words

WRITTEN = 300


@contextmanager
def _damaged(folder: Path, pattern: str, damage: Callable[[Path], None]) -> Generator[None]:
    """The folder with one file damaged, which is whole again afterwards."""
    file = min(folder.glob(pattern))
    before = file.read_bytes()
    damage(file)
    try:
        yield
    finally:
        file.write_bytes(before)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an index that was written and closed."""
    folder = tmp_path_factory.mktemp("closed") / "index"
    async with EdgeIndex(folder, size=SIZE) as index:
        await index.upsert([a_point(memory) for memory in numbered_memories(WRITTEN)])
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize("damage", FILE_DAMAGES)
@pytest.mark.parametrize("pattern", INDEX_FILES)
async def test_damage_is_noticed_before_anything_is_read(
    closed: Path, pattern: str, damage: Callable[[Path], None]
) -> None:
    with _damaged(closed, pattern, damage), pytest.raises(IndexBroken, match=r"is damaged: \S+ is not as it was left"):
        async with EdgeIndex(closed, size=SIZE):
            pass


async def test_a_damaged_seal_is_damage_too(closed: Path) -> None:
    seal = closed.with_name("index.seal")
    for text in ("", "[1]", '{"a": 1}', seal.read_text().replace("json-", "json_")):
        before = seal.read_text()
        seal.write_text(text)
        with pytest.raises(IndexBroken):
            async with EdgeIndex(closed, size=SIZE):
                pass
        seal.write_text(before)
    async with EdgeIndex(closed, size=SIZE) as index:
        assert await index.count() == WRITTEN


async def test_a_broken_index_can_be_discarded_and_made_anew(tmp_path: Path) -> None:
    async with EdgeIndex(tmp_path / "index", size=SIZE) as index:
        await index.upsert([a_point(memory) for memory in numbered_memories(3)])
    halved(tmp_path / "index" / "edge_config.json")
    broken = EdgeIndex(tmp_path / "index", size=SIZE)
    with pytest.raises(IndexBroken):
        await broken.__aenter__()
    await broken.discard()
    async with broken:
        assert await broken.count() == 0


@pytest.mark.thorough
async def test_a_second_process_is_told_which_one_holds_the_index_and_a_killed_one_loses_nothing(
    tmp_path: Path,
) -> None:
    holder = Holder(tmp_path / "index", flushed=20)
    await holder.begin()
    refused = EdgeIndex(tmp_path / "index", size=SIZE)
    for attempt in (refused.__aenter__, refused.discard):
        with pytest.raises(
            HeldElsewhere, match=rf"held by process {holder.pid}; stop it, or read through that process"
        ):
            await attempt()
    await holder.die()
    async with refused as index:
        assert len(await visible(index, Where(HERE))) == 20


@pytest.mark.parametrize(
    ("pattern", "damage"),
    [
        ("edge_config.json", emptied),
        ("segments/*/segment.json", halved),
        ("segments/*/payload_storage/page_0.dat", emptied),
        ("segments/*/payload_index/*-tenant-null/has_values/status.dat", emptied),  # here Edge panics
        ("wal/open-*", emptied),
    ],
)
async def test_what_a_killed_process_left_is_read_once_before_it_is_trusted(
    closed: Path, pattern: str, damage: Callable[[Path], None]
) -> None:
    seal = closed.with_name("index.seal")
    before = seal.read_bytes()
    seal.unlink()
    with _damaged(closed, pattern, damage), pytest.raises(IndexBroken, match="cannot be opened"):
        async with EdgeIndex(closed, size=SIZE):
            pass
    seal.write_bytes(before)


async def test_one_process_cannot_open_it_twice(tmp_path: Path) -> None:
    async with EdgeIndex(tmp_path / "index", size=SIZE):
        with pytest.raises(HeldElsewhere, match=str(os.getpid())):
            async with EdgeIndex(tmp_path / "index", size=SIZE):
                pass


@pytest.mark.thorough
async def test_many_writes_are_found_by_the_search_that_puts_them_in_order(tmp_path: Path) -> None:
    nodes = numbered_memories(5_200)
    async with EdgeIndex(tmp_path / "index", size=SIZE) as index:
        await index.upsert([a_point(node) for node in nodes])
        found = await index.search(Where(HERE), EVERYTHING, limit=10)
        assert len(found.content) == len(found.keys) == len(found.lexical) == 10
        await index.remove([nodes[0].memory_id])
        await index.upsert([a_point(node) for node in nodes[1:3]])
        assert await index.count() == len(await index.scan(after=None, limit=6_000)) == 5_199


@pytest.mark.thorough
async def test_a_graph_finds_what_exact_search_finds_and_what_was_written_since(tmp_path: Path) -> None:
    folder, nodes, length = tmp_path / "index", numbered_memories(1_001), 64
    directions = np.random.default_rng(1).standard_normal((len(nodes), length), dtype=np.float32)
    points = [
        Point(node, row[None, :], row[None, :][:0], words({1: 1.0}))
        for node, row in zip(nodes, directions, strict=True)
    ]
    async with EdgeIndex(folder, size=length, graph_over=50) as index:
        await index.upsert(points[:-1])
        before = await _best(index, directions[:30])
        assert await index.optimise()
        await index.upsert(points[-1:])
        assert list(folder.glob("segments/*/vector_index-content/graph*"))
        assert await _best(index, directions[:30]) == before == [node.memory_id for node in nodes[:30]]
        assert await _best(index, directions[-1:]) == [nodes[-1].memory_id]
    async with EdgeIndex(folder, size=length) as index:
        assert not await index.optimise()
        assert await _best(index, directions[:30]) == before
        assert await index.count() == len(nodes)


async def _best(index: EdgeIndex, directions: Matrix) -> list[str]:
    asked = [Probe(row[None, :]) for row in directions]
    return [(await index.search(Where(HERE), probe, limit=10)).content[0][0] for probe in asked]


async def test_a_file_where_the_folder_belongs_is_to_be_moved_away(tmp_path: Path) -> None:
    tmp_path.joinpath("file").touch()
    with pytest.raises(NeedsRepair, match="move it away"):
        async with EdgeIndex(tmp_path / "file" / "index", size=SIZE):
            pass


async def test_a_closed_index_says_that_it_is_not_open(closed: Path) -> None:
    index = EdgeIndex(closed, size=SIZE)
    with pytest.raises(BackendUnavailable, match="not open"):
        await index.search(Where(HERE), EVERYTHING, limit=1)
    with pytest.raises(BackendUnavailable, match="not open"):
        await index.upsert([a_point(memory) for memory in numbered_memories(1)])


async def test_nothing_of_a_cleared_index_stays_on_disk(tmp_path: Path) -> None:
    (memory,) = numbered_memories(1)
    async with EdgeIndex(tmp_path / "index", size=SIZE) as index:
        await index.upsert([a_point(memory.revised(content="Kanarienvogel"))])
        await index.flush()
        assert _on_disk(tmp_path, b"Kanarienvogel")
        await index.clear()
    assert not _on_disk(tmp_path, b"Kanarienvogel")


def _on_disk(folder: Path, text: bytes) -> bool:
    return any(text in file.read_bytes() for file in folder.rglob("*") if file.is_file())
