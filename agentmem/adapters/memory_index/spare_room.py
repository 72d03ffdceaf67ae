"""Room for an embedded index, on the disk and in memory, looked at before anything is written or loaded."""

import os
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from agentmem.domain.memory import MemoryNode
from agentmem.errors import BackendUnavailable, NoRoom

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
NEW_INDEX_IN_MEMORY: Final = 108 << 20
"""Bytes of the disk that an empty index takes: 0.6 MB measured on ext4; on tmpfs, whose holes are filled, 34.4 MB when
it is made and 106.3 MB when it was loaded once."""

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


try:
    import resource
except ImportError:  # Windows
    resource = None

EMPTY: Final = 336 << 20
"""Bytes of the files of an empty shard, mostly holes."""

_ADDRESSES: Final = 384 << 20
"""Address space that is needed beside that of the files. Measured: 350 MB; with less a thread of Edge gets none."""

_PAGES: Final = 192 << 20
"""Memory that loading an empty shard really takes. Measured: 180 MB."""

_CGROUPS: Final = Path("/sys/fs/cgroup")


def demand_memory(folder: Path) -> None:
    """Raise `BackendUnavailable` unless the shard in `folder` can be loaded, or a new one be made there."""
    stats = [path.stat() for path in folder.rglob("*")] if folder.exists() else []
    size = sum(stat.st_size for stat in stats) or EMPTY
    held = sum(getattr(stat, "st_blocks", 0) for stat in stats) * 512
    _compare(folder, size + _ADDRESSES, address_space_left(), "of address space (`ulimit -v`)")
    _compare(folder, held + _PAGES, min(_left_in_cgroups(), default=None), "of memory (its cgroup)")


def _compare(folder: Path, wanted: int, left: int | None, what: str) -> None:
    if left is not None and left < wanted:
        raise BackendUnavailable(
            f"too little memory to open the index {folder}: {wanted >> 20} MB {what} are needed and "
            f"{max(0, left) >> 20} MB are left to this process: allow it more",
            of_the_machine=True,
        )


def address_space_left() -> int | None:
    """Bytes that this process may still map; None where there is no limit."""
    if resource is None:
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    with suppress(OSError, ValueError):
        return limit - int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    return limit


def _left_in_cgroups() -> Iterator[int]:
    """Bytes left in the cgroup of this process and in those around it, where they have a limit; what is kept of files
    can be dropped and counts as left."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            if line.startswith("0::/"):
                own = _CGROUPS / line.removeprefix("0::/")
                for group in (own, *own.parents):
                    if group.is_relative_to(_CGROUPS):
                        yield from left_in(group)


def left_in(group: Path) -> Iterator[int]:
    """Bytes left in the cgroup of this folder; nothing where it has no limit."""
    with suppress(OSError, ValueError):  # no limit is written as `max`, and the root group has none
        limit = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        of_files = (line.split() for line in (group / "memory.stat").read_text().splitlines())
        yield limit - used + sum(int(count) for name, count in of_files if name in ("inactive_file", "active_file"))
