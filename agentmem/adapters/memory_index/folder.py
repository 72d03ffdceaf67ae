"""The folder of an embedded index: who holds it, and a copy of it where it may only be read."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from agentmem.adapters.memory_index.seal import BLOCK, Seal, data_blocks
from agentmem.errors import BackendUnavailable, HeldElsewhere, NeedsRepair
from agentmem.private_files import make_folder, open_private, scratch_folder

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
        except (FileExistsError, NotADirectoryError) as error:
            file = next(each for each in self._folder.parents if each.exists())
            raise NeedsRepair(f"{file} is a file where the folder of the index belongs: move it away") from error
        except OSError as error:
            raise BackendUnavailable(
                f"the index {self._folder} cannot be held: {error}", of_the_machine=True
            ) from error
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


def may_be_written(folder: Path) -> bool:
    """Whether a file could be made beside `folder`, or in the nearest folder above it that is there."""
    above = next(path for path in folder.absolute().parents if path.exists())
    return os.access(above, os.W_OK) and (not folder.exists() or os.access(folder, os.W_OK))


@contextmanager
def borrowed(folder: Path) -> Generator[Path]:
    """A copy of `folder` and of its seal, where they are there, to be thrown away. Holes stay holes.

    Raises `HeldElsewhere` where a process writes the original, `BackendUnavailable` where there is no room for it.
    """
    with scratch_folder("index") as place:
        copy = place / folder.name
        with _copying(folder), FolderLock(folder).shared():
            if folder.is_dir():
                _copy_folder(folder, copy)
            if Seal(folder).exists:
                shutil.copyfile(Seal(folder).file, Seal(copy).file)
        yield copy


@contextmanager
def _copying(folder: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise BackendUnavailable(
            f"the index {folder} cannot be copied to be read: {error.strerror}", of_the_machine=True
        ) from error


def _copy_folder(folder: Path, copy: Path) -> None:
    for directory, _, files in os.walk(folder):
        there = copy / Path(directory).relative_to(folder)
        there.mkdir(mode=0o700, parents=True)
        for name in files:
            _copy_file(Path(directory, name), there / name)


def _copy_file(file: Path, copy: Path) -> None:
    with copy.open("wb") as out:
        for number, block in data_blocks(file):
            out.seek(number * BLOCK)
            out.write(block)
        out.truncate(file.stat().st_size)
