"""Files and folders that nobody but their owner may read, whatever the umask and whatever lies around them; and files
that somebody names to be read, whatever they are.
"""

import errno
import os
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from typing import Final

try:
    import fcntl
except ImportError:  # Windows, where nobody can remove what another one has open
    fcntl = None

FILE: Final = 0o600
FOLDER: Final = 0o700
_OTHERS: Final = 0o077
_WRITING: Final = 0o022
_HELD: Final = ".held"


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


def open_named(path: Path) -> BufferedReader:
    """Open a file that somebody names, to be read. Raises `OSError`, also for what is no file: a pipe would be waited
    for, and a device read, for ever. The one device that is read is the empty one, which says that there is nothing."""
    if "\x00" in str(path):
        raise OSError(errno.EINVAL, "no path holds a NUL character")
    flags = (getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
    descriptor = os.open(path, sum(flags, os.O_RDONLY))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode) or path == Path(os.devnull):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise OSError(errno.EINVAL, os.strerror(errno.EISDIR) if stat.S_ISDIR(mode) else "is not a file")


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


@contextmanager
def scratch_folder(kind: str) -> Generator[Path]:
    """A private folder where the system keeps what is temporary, gone afterwards. Those of this kind that killed
    processes left behind go first: they may hold what an agent knows."""
    prefix = f"agentmem-{kind}-"
    for left in Path(gettempdir()).glob(f"{prefix}*"):
        if not _is_in_use(left):
            rmtree(left, ignore_errors=True)
    folder = Path(mkdtemp(prefix=prefix))
    held = os.open(folder / _HELD, os.O_CREAT | os.O_RDWR, FILE)
    try:
        if fcntl is not None:
            fcntl.flock(held, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(held)
        rmtree(folder, ignore_errors=True)


def _is_in_use(folder: Path) -> bool:
    """Whether a process holds it, or it is somebody else's, or too young to be held yet."""
    try:
        held = os.open(folder / _HELD, os.O_RDWR)
    except OSError:
        return True
    try:
        if fcntl is None:
            return True
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(held)
    return False
