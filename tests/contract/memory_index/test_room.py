"""An embedded index stops well before its disk is full, and goes on by itself: Edge would end the whole process."""

from pathlib import Path

import pytest

from agentmem.adapters.memory_index.edge import EdgeIndex
from agentmem.adapters.memory_index.spare_room import MAX_RESERVE, MIN_RESERVE
from agentmem.errors import NoRoom
from agentmem.ports.memory_index import Where
from tests.support.cli import python
from tests.support.indexes import HERE, SIZE, a_point, visible
from tests.support.mounts import small_disk, small_ext4
from tests.support.nodes import NOON, a_memory

pytestmark = pytest.mark.thorough

TOTAL = 10 << 30


class Disk:
    """A disk whose free bytes are what the test says."""

    def __init__(self) -> None:
        self.free = TOTAL

    def __call__(self, path: Path) -> tuple[int, int]:
        return TOTAL, self.free


@pytest.fixture
def disk() -> Disk:
    """With all its room, to begin with."""
    return Disk()


def index_on(disk: Disk, folder: Path, reserve: int | None = None) -> EdgeIndex:
    """An index that looks at that disk."""
    return EdgeIndex(folder / "index", size=SIZE, reserve=reserve, disk=disk)


MEMORIES = [a_memory(f"memory {number}", timestamp=number) for number in range(20)]
IDS = {memory.memory_id for memory in MEMORIES}


@pytest.mark.parametrize("reserve", [None, 8 << 20])
async def test_below_the_reserve_nothing_is_written_and_everything_read(
    tmp_path: Path, disk: Disk, reserve: int | None
) -> None:
    async with index_on(disk, tmp_path, reserve) as index:
        await index.upsert([a_point(memory) for memory in MEMORIES[:10]])
        disk.free = (MAX_RESERVE if reserve is None else reserve) - 1
        for write in (
            lambda: index.upsert([a_point(MEMORIES[10])]),
            lambda: index.remove([MEMORIES[0].memory_id]),
            lambda: index.touch([MEMORIES[0].memory_id], NOON),
        ):
            with pytest.raises(NoRoom, match="free space") as refused:
                await write()
            assert "\n" not in str(refused.value)
            assert refused.value.retry_after
        assert len(await visible(index, Where(HERE))) == 10
        await index.flush()
        disk.free = TOTAL
        await index.upsert([a_point(memory) for memory in MEMORIES])
        assert await visible(index, Where(HERE)) == IDS


async def test_what_is_written_must_fit_beside_the_reserve(tmp_path: Path, disk: Disk) -> None:
    long = a_memory("x" * 200_000)
    async with index_on(disk, tmp_path, MIN_RESERVE) as index:
        disk.free = MIN_RESERVE + 400_000
        with pytest.raises(NoRoom):
            await index.upsert([a_point(long)])
        disk.free = MIN_RESERVE + 4_000_000
        await index.upsert([a_point(long)])


async def test_without_room_nothing_is_opened_flushed_renewed_or_sealed_and_nothing_is_lost(
    tmp_path: Path, disk: Disk
) -> None:
    async with index_on(disk, tmp_path) as index:
        await index.upsert([a_point(memory) for memory in MEMORIES])
        await index.flush()
        disk.free = 0
        with pytest.raises(NoRoom):
            await index.flush()
        with pytest.raises(NoRoom):
            await index.clear()
    assert not (tmp_path / "index.seal").exists(), "closed as a killed process leaves it"
    with pytest.raises(NoRoom):
        await index_on(disk, tmp_path).__aenter__()
    disk.free = TOTAL
    async with index_on(disk, tmp_path) as index:
        assert await visible(index, Where(HERE)) == IDS
    assert (tmp_path / "index.seal").exists()


@pytest.mark.parametrize("kind", ["ext4", "memory"])
def test_a_process_whose_disk_fills_up_lives_takes_turns_in_and_catches_up(tmp_path: Path, kind: str) -> None:
    point = tmp_path / "disk"
    disk = small_ext4(point, tmp_path / "image", "64m") if kind == "ext4" else small_disk(point, "128m")
    with disk:
        ran = python("-m", "tests.support.crowded", point)
    assert ran.code == 0, ran
    assert ran.json["taken in without an index"] == 20
    assert ran.json["at the very end"] in ("taken in", "the disk that holds journal")
    assert ran.json["recalled"] == ran.json["in agreement"] == "all"
