"""Files and folders that nobody but their owner may read, whatever the umask and whatever lies around them."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

FILE: Final = 0o600
FOLDER: Final = 0o700
_OTHERS: Final = 0o077
_WRITING: Final = 0o022


def make_folder(folder: Path) -> None:
    """Make a folder with those above it that are not there, all private; one that is there stays as it is."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        with suppress(FileExistsError):  # somebody else was quicker
            each.mkdir(mode=FOLDER)
            each.chmod(FOLDER)  # the umask may have taken the owner's own rights away
    folder.mkdir(exist_ok=True)  # raises where a file stands in its place


def open_private(file: Path, flags: int) -> int:
    """Open a file as `os.open` does and return its descriptor; one that is made by it is private."""
    made = bool(flags & os.O_CREAT) and not file.exists()
    descriptor = os.open(file, flags | getattr(os, "O_CLOEXEC", 0), FILE)
    if made and hasattr(os, "fchmod"):
        os.fchmod(descriptor, FILE)
    return descriptor


def make_private(path: Path) -> None:
    """Take a file, or a folder with all that is in it, away from everybody but its owner."""
    for each in _open_to_others(path):
        with suppress(FileNotFoundError):  # what works in the folder may have thrown it away
            each.chmod(FOLDER if each.is_dir() else FILE)


def open_to_others(folder: Path) -> list[Path]:
    """What in a folder others than its owner may read or write; the folder itself where they may write in it. What a
    door keeps shut, a folder that nobody else may enter, and links are left aside."""
    mode = folder.stat().st_mode if folder.exists() else None
    if mode is None or not mode & _OTHERS:
        return []
    inside = [path for each in sorted(folder.iterdir()) for path in _open_to_others(each, ajar=True)]
    return [folder, *inside] if mode & _WRITING else inside


def _open_to_others(path: Path, *, ajar: bool = False) -> Iterator[Path]:
    """With `ajar` only what can be reached."""
    mode = _mode(path)
    if mode is None or stat.S_ISLNK(mode):
        return
    if mode & _OTHERS:
        yield path
    if stat.S_ISDIR(mode) and (mode & _OTHERS or not ajar):
        for each in sorted(path.iterdir()):
            yield from _open_to_others(each, ajar=ajar)


def _mode(path: Path) -> int | None:
    try:
        return path.lstat().st_mode
    except FileNotFoundError:
        return None
