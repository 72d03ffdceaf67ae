"""The copies of the whole store that agentmem makes by itself and keeps: before a migration, before a restore.

They lie below the data directory and hold what the store held when they were made, so an erasure throws them away.
Copies that the owner made with `agentmem backup` lie where he put them and are his to keep.
"""

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agentmem.errors import BackendUnavailable

FOLDER = "backups"


@dataclass(frozen=True, slots=True)
class KeptBackup:
    """One of them: a file, or the folder of a journal that could not be opened and was put aside."""

    path: Path
    size: int
    made_at: datetime


def kept_backups(data: Path) -> list[KeptBackup]:
    """The copies below the data directory, the oldest first; what a killed process left of one counts as one."""
    folder = data / FOLDER
    if not folder.is_dir():
        return []
    found = [_kept(path) for path in folder.iterdir()]
    return sorted(found, key=lambda kept: (kept.made_at, kept.path.name))


def discard_backups(data: Path) -> list[KeptBackup]:
    """Throw them all away; what there was. Raises `BackendUnavailable` where one stays."""
    gone = kept_backups(data)
    for kept in gone:
        try:
            if kept.path.is_dir() and not kept.path.is_symlink():
                shutil.rmtree(kept.path)
            else:
                kept.path.unlink(missing_ok=True)
        except OSError as error:
            raise BackendUnavailable(f"{kept.path}: cannot be removed: {error.strerror or error}") from error
    return gone


def _kept(path: Path) -> KeptBackup:
    told = path.lstat()
    inside = path.rglob("*") if path.is_dir() and not path.is_symlink() else ()
    size = sum((each.lstat().st_size for each in inside if each.is_file()), start=told.st_size)
    return KeptBackup(path, size, datetime.fromtimestamp(told.st_mtime, UTC))
