"""The copies of the whole store that agentmem makes by itself and keeps: before a migration, before a restore.

They lie below the data directory and hold what the store held when they were made, so an erasure throws them away.
Copies that the owner made with `agentmem backup` lie where he put them and are his to keep.
"""

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import AwareDatetime, TypeAdapter

from agentmem.domain.ids import Name
from agentmem.domain.value import Value
from agentmem.errors import BackendUnavailable
from agentmem.ports.ledger import Marks
from agentmem.ports.upkeep import BackupManifest
from agentmem.private_files import make_folder

FOLDER = "backups"
_MADE = "backups.made"
_REMEMBERED = 100


class BackupMade(Value):
    """A backup that the owner made: where he put it, and the digest of what is in it."""

    made_at: AwareDatetime
    file: str
    sha256: Name


_LIST = TypeAdapter(tuple[BackupMade, ...])


async def remember_backup(marks: Marks, file: Path, manifest: BackupManifest) -> None:
    """Note where a backup went, an absolute path; the last 100 are remembered."""
    made = BackupMade(made_at=manifest.made_at, file=str(file), sha256=manifest.sha256)
    known = (*await backups_made(marks), made)[-_REMEMBERED:]
    await marks.set_mark(_MADE, _LIST.dump_json(known, by_alias=True).decode())


async def backups_made(marks: Marks) -> tuple[BackupMade, ...]:
    """The last backups that the owner made, oldest first. No erasure reaches them."""
    known = await marks.mark(_MADE)
    return () if known is None else _LIST.validate_json(known)


def put_journal_aside(data: Path, now: datetime) -> Path:
    """Move the files of an embedded journal that cannot be read to where copies are kept; the folder they are in."""
    folder = data / FOLDER / f"damaged-{now:%Y%m%dT%H%M%SZ}"
    make_folder(folder)
    for name in ("journal.db-wal", "journal.db-shm", "journal.db"):
        if (data / name).exists():
            (data / name).rename(folder / name)
    return folder


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
            raise BackendUnavailable(
                f"{kept.path}: cannot be removed: {error.strerror or error}", of_the_machine=True
            ) from error
    return gone


def _kept(path: Path) -> KeptBackup:
    told = path.lstat()
    inside = path.rglob("*") if path.is_dir() and not path.is_symlink() else ()
    size = sum((each.lstat().st_size for each in inside if each.is_file()), start=told.st_size)
    return KeptBackup(path, size, datetime.fromtimestamp(told.st_mtime, UTC))
