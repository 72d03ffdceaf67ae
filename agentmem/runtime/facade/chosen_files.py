"""Which files are meant by paths, directories and patterns, and what becomes of each."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from agentmem.assets.file_reading import MAX_BYTES, is_readable
from agentmem.domain.ids import Name
from agentmem.errors import InvalidInput
from agentmem.private_files import open_named

_PATTERN = frozenset("*?[")
_LONGEST, _KEPT = 200, 120


@dataclass(slots=True)
class FoundPath:
    """What was found: files by where they really are, the directories looked through, and what was left out of them,
    with the reason."""

    files: dict[Path, Path] = field(default_factory=dict[Path, Path])
    directories: list[Path] = field(default_factory=list[Path])
    left_out: list[tuple[Path, str]] = field(default_factory=list[tuple[Path, str]])

    def add(self, path: Path) -> None:
        """Take a file in; one that is reached in two ways is one."""
        self.files.setdefault(path.resolve(), path)


def find_files(paths: Sequence[Path]) -> FoundPath:
    """Named files as they are named; of directories what lies in them, at any depth, that is not hidden, not a link to
    elsewhere, and has a reader. Raises `InvalidInput` for a path that is not there."""
    found = FoundPath()
    for path in paths:
        for each in _meant(path):
            if each.is_dir():
                found.directories.append(each.resolve())
                _look_through(each, found)
            elif each.is_file():
                found.add(each)
            else:
                raise InvalidInput(f"{each}: {'not a file' if each.exists() else 'no such file or directory'}")
    return found


def _meant(path: Path) -> Iterator[Path]:
    """The path, or what fits it where it is a pattern."""
    if path.exists() or not _PATTERN.intersection(str(path)):
        yield path
        return
    fitting = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
    if not fitting:
        raise InvalidInput(f"{path}: nothing fits this pattern")
    yield from fitting


def _look_through(directory: Path, found: FoundPath) -> None:
    home = directory.resolve()
    for folder, names, files in os.walk(directory):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(files):
            path = Path(folder, name)
            if reason := _unwanted(path, home):
                found.left_out.append((path, reason))
            else:
                found.add(path)


def _unwanted(path: Path, home: Path) -> str | None:
    """Why a file of a directory is left out."""
    if path.name.startswith("."):
        return "hidden"
    if path.is_symlink() and not path.exists():
        return "a link to nowhere"
    if path.is_symlink() and not path.resolve().is_relative_to(home):
        return "a link to outside"
    if not path.is_file():
        return "not a file"
    return None if is_readable(path) else f"no reader for {path.suffix or 'files without a suffix'}"


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """A file's content. Raises `InvalidInput` where it cannot be read or is larger than `limit`, what a document may be
    at most."""
    try:
        with open_named(path) as file:
            raw = file.read(limit + 1)
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(raw) > limit:
        raise InvalidInput(f"{path}: larger than {limit:,} bytes")
    return raw


def asset_id(path: Path, home: Path) -> Name:
    """What a document is called for ever: its path below `home`, the directory of the personas, else its whole path.

    A path that is too long or not printable keeps its end, behind a digest of the whole.
    """
    real, below = path.resolve(), home.resolve()
    name = (real.relative_to(below) if real.is_relative_to(below) else real).as_posix()
    if len(name) <= _LONGEST and name.isprintable() and name == name.strip():
        return name
    tail = "".join(ch if ch.isprintable() else "?" for ch in name[-_KEPT:]).strip()
    return f"{sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:16]}…{tail}"
