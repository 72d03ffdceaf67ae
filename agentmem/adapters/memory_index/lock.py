"""Who holds a folder: a file beside it, locked by the kernel and naming the process.

The lock goes with its process, however that ends, so nothing is left to clean up.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from agentmem.errors import BackendUnavailable, HeldElsewhere
from agentmem.private_files import make_folder, open_private

try:
    import fcntl
except ImportError:  # Windows: the shard's own lock still keeps a second process out, without naming the first
    fcntl = None


class FolderLock:
    """Taken and released by hand; the file itself stays."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = folder.with_name(folder.name + ".lock")
        self._descriptor: int | None = None

    def take(self) -> None:
        """Hold the folder or raise `HeldElsewhere` at once."""
        try:
            make_folder(self._folder.parent)
            descriptor = open_private(self._file, os.O_RDWR | os.O_CREAT)
        except OSError as error:
            raise BackendUnavailable(f"the index {self._folder} cannot be held: {error}") from error
        self._lock(descriptor, exclusive=True)
        with suppress(OSError):  # the disk is full: the lock holds without a name
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, f"{os.getpid()}\n".encode())
        self._descriptor = descriptor

    def release(self) -> None:
        """Let go; does nothing where it is not held."""
        if self._descriptor is not None:
            with suppress(OSError):  # a name that stays is told to nobody: the lock is gone
                os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None

    @contextmanager
    def shared(self) -> Generator[None]:
        """Keep whoever would write the folder out, without writing anything. Raises `HeldElsewhere` where somebody
        does; where nobody ever held the folder there is nobody to keep out."""
        if not self._file.exists():
            yield
            return
        descriptor = os.open(self._file, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        self._lock(descriptor, exclusive=False)
        try:
            yield
        finally:
            os.close(descriptor)

    def _lock(self, descriptor: int, *, exclusive: bool) -> None:
        """Lock the file that is open here, or close it and raise `HeldElsewhere`."""
        if fcntl is None:
            return
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(descriptor, 20).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise HeldElsewhere(
                f"the index {self._folder} is held by {f'process {holder}' if holder else 'another process'}; "
                "stop it, or read through that process"
            ) from error
