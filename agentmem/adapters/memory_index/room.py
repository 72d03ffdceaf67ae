"""Room on the disk of an embedded index, looked at before anything is written.

Edge writes through memory maps of files that are mostly holes. Where the disk is full the kernel has no page to put in
such a hole and ends the whole process with SIGBUS, with no error that anybody could catch: on writing, and on disks in
memory (tmpfs) on reading and loading as well. So the index stops a good way before the disk is full, and goes on when
there is room again.
"""

import os
import shutil
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from agentmem.domain.memory import MemoryNode
from agentmem.errors import NoRoom

MAX_RESERVE: Final = 64 << 20
MIN_RESERVE: Final = 4 << 20
SHARE: Final = 10
"""A disk smaller than so many reserves is watched with as much less."""

RETRY_AFTER: Final = 5.0
_IN_MEMORY: Final = ("tmpfs", "ramfs", "devtmpfs")
_LEFT_AS_HOLES: Final = frozenset(("wal", "payload_storage", "vector_storage-lexical"))
"""Folders of an index whose holes stay as it is loaded: 131 MB of the 299 of a small one."""

_READING: Final = 1 << 20
NEW_INDEX: Final = 2 << 20
NEW_INDEX_IN_MEMORY: Final = 36 << 20
"""Bytes of the disk that an empty index takes: 0.6 MB measured on ext4, 34.4 MB on tmpfs, whose holes are filled."""

_POINT, _COPIES = 4_096, 3
"""Bytes of a point besides its text and vectors; how often a text is written: to the log, the payload, the fields."""

Disk = Callable[[Path], tuple[int, int]]
"""Tells the bytes of the disk on which a path lies: all of them, and those that are free."""


def disk_of(path: Path) -> tuple[int, int]:
    """As the system tells."""
    usage = shutil.disk_usage(path)
    return usage.total, usage.free


class Room:
    """Leaves `reserve` bytes of the disk of `folder` to others, the journal first of all: by default 64 MB, or a tenth
    of a smaller disk. Writing stops at the reserve, loading and flushing, which write a little, at half of it."""

    def __init__(self, folder: Path, reserve: int | None = None, disk: Disk = disk_of) -> None:
        self._folder = folder
        self._reserve = reserve
        self._disk = disk
        self._in_memory: bool | None = None

    def demand(self, more: int = 0) -> None:
        """Raise `NoRoom` unless `more` bytes can be written and the reserve stays whole."""
        self._demand(lambda reserve: reserve + more)

    def demand_some(self) -> None:
        """Raise `NoRoom` unless half of the reserve is there: for flushing what is written already."""
        self._demand(lambda reserve: reserve // 2)

    def demand_for_loading(self) -> None:
        """The same, and on a disk in memory the holes that Edge has the kernel fill as it loads whole maps."""
        files = self._folder.rglob("*") if self._on_disk_in_memory() else ()
        filled = (path.stat() for path in files if _LEFT_AS_HOLES.isdisjoint(path.relative_to(self._folder).parts))
        holes = sum(max(0, stat.st_size - stat.st_blocks * 512) for stat in filled)
        self._demand(lambda reserve: holes + reserve // 2)

    def demand_for_creating(self) -> None:
        """Raise `NoRoom` unless an empty index fits, and half of the reserve beside it."""
        taken = NEW_INDEX_IN_MEMORY if self._on_disk_in_memory() else NEW_INDEX
        self._demand(lambda reserve: taken + reserve // 2)

    def demand_for_reading(self) -> None:
        """Raise `NoRoom` where even reading takes pages of the disk, in a file system that is kept in memory, and there
        are hardly any."""
        if self._on_disk_in_memory():
            self._demand(lambda _: _READING)

    def _on_disk_in_memory(self) -> bool:
        if self._in_memory is None:
            self._in_memory = _kind_of_disk(self._there()) in _IN_MEMORY
        return self._in_memory

    @property
    def may_load(self) -> bool:
        """Whether `demand_for_loading` would be met."""
        return _is_met(self.demand_for_loading)

    @property
    def may_flush(self) -> bool:
        """Whether `demand_some` would be met."""
        return _is_met(self.demand_some)

    def _demand(self, wanted: Callable[[int], int]) -> None:
        total, free = self._disk(self._there())
        reserve = max(MIN_RESERVE, min(MAX_RESERVE, total // SHARE)) if self._reserve is None else self._reserve
        if free < wanted(reserve):
            raise NoRoom(
                f"the disk of the index {self._folder} has {free / 2**20:.1f} MB left, "
                f"{wanted(reserve) / 2**20:.1f} MB are needed: free space, and the index goes on by itself",
                retry_after=RETRY_AFTER,
            )

    def _there(self) -> Path:
        return next(path for path in (self._folder, *self._folder.absolute().parents) if path.exists())


def bytes_of(memories: Collection[MemoryNode], vectors: int) -> int:
    """About how many bytes writing these memories takes at most, each with `vectors` bytes of vectors for its content
    and as many for each key."""
    return sum(
        _POINT
        + (1 + len(memory.key)) * vectors * _COPIES
        + _COPIES * (len(memory.content.encode()) + len(str(memory.key).encode()) + len(str(memory.meta_data).encode()))
        for memory in memories
    )


def _is_met(demand: Callable[[], None]) -> bool:
    try:
        demand()
    except NoRoom:
        return False
    return True


def _kind_of_disk(path: Path) -> str:
    """The name of its file system, empty where the system does not tell."""
    device = path.stat().st_dev
    try:
        mounts = Path("/proc/self/mountinfo").read_text(errors="replace").splitlines()
    except OSError:
        return ""
    wanted = f"{os.major(device)}:{os.minor(device)}"
    kinds = [line.partition(" - ")[2].split(" ")[0] for line in mounts if line.split(" ")[2] == wanted]
    return kinds[0] if kinds else ""
