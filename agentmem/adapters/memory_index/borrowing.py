"""A folder that may only be read, copied to where Edge may write: it writes from the moment it opens a shard."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from agentmem.adapters.memory_index.lock import FolderLock
from agentmem.adapters.memory_index.seal import BLOCK, Seal, data_blocks
from agentmem.errors import BackendUnavailable
from agentmem.private_files import scratch_folder


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
        raise BackendUnavailable(f"the index {folder} cannot be copied to be read: {error.strerror}") from error


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
