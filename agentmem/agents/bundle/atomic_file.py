"""Files that appear whole or not at all, and of which a process that is killed leaves nothing behind.

Where the system can do it, what is not whole yet has no name, so it goes with its process. Elsewhere it lies hidden
beside its place, for its owner only, locked by whoever writes it; the next one to write there removes what was left.
"""

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from agentmem import patterns as re
from agentmem.errors import AlreadyThere, BackendUnavailable
from agentmem.private_files import FILE, open_private

try:
    import fcntl
except ImportError:  # Windows: what is open there cannot be removed anyway
    fcntl = None

_LEFT: Final = re.compile(r"\..+\.[0-9a-f]{8}\.draft")
_UNNAMED: Final = getattr(os, "O_TMPFILE", 0)


@contextmanager
def draft(path: Path, *, force: bool) -> Generator[BinaryIO]:
    """A file to write that becomes `path` when the body is through, durably, and nothing where it raises.

    Raises `AlreadyThere` where `path` is there and `force` is not given, `BackendUnavailable` where nothing can be
    written.
    """
    _refuse_existing(path, force=force)
    sketch = path.with_name(f".{path.name}.{secrets.token_hex(4)}.draft")
    try:
        _remove_left(path.parent)
        descriptor = _unnamed(path.parent)
        named = descriptor is None
        if descriptor is None:
            descriptor = _named(sketch)
        with os.fdopen(descriptor, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            _refuse_existing(path, force=force)
            if not named:
                _name(file.fileno(), sketch)
            sketch.replace(path)
        _sync(path.parent)
    except OSError as error:
        raise BackendUnavailable(
            f"{path}: cannot be written: {error.strerror or error}", of_the_machine=True
        ) from error
    finally:
        sketch.unlink(missing_ok=True)


def _unnamed(folder: Path) -> int | None:
    """A file in `folder` that has no name; None where the system or the disk has no such files."""
    if not _UNNAMED:
        return None
    with suppress(OSError):  # whatever it is, a file with a name meets it as well, and says so
        return os.open(folder, os.O_RDWR | _UNNAMED | os.O_CLOEXEC, FILE)
    return None


def _named(sketch: Path) -> int:
    descriptor = open_private(sketch, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def _name(descriptor: int, sketch: Path) -> None:
    """Give a file its name. With a folder to begin from Python asks for the link to be followed, which is what it is
    for."""
    folder = os.open(sketch.parent, os.O_RDONLY)
    try:
        os.link(f"/proc/self/fd/{descriptor}", sketch, src_dir_fd=folder)
    finally:
        os.close(folder)


def _remove_left(folder: Path) -> None:
    """Remove the drafts of processes that ended without doing so: those that nobody holds."""
    for path in folder.iterdir():
        if _LEFT.fullmatch(path.name) and path.is_file() and not path.is_symlink() and not _is_held(path):
            path.unlink(missing_ok=True)


def _is_held(path: Path) -> bool:
    if fcntl is None:
        return True
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def _sync(folder: Path) -> None:
    """So that the name survives a power cut too, where folders can be synced."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _refuse_existing(path: Path, *, force: bool) -> None:
    if path.is_dir():
        raise AlreadyThere(f"{path}: is a directory; name a file")
    if path.exists() and not force:
        raise AlreadyThere(f"{path}: is there already; --force writes over it")
