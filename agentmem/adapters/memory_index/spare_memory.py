"""Whether an embedded index fits into the memory that this process may still have.

Edge allocates in threads of its own. Where one of them gets nothing, the process is ended without a word, or waits for
ever in a call that holds the interpreter. So the limits (`ulimit -v`, a cgroup) are looked at before a shard is loaded.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from agentmem.errors import BackendUnavailable

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
            f"{max(0, left) >> 20} MB are left to this process: allow it more"
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
