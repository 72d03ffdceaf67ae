"""Copies of the whole store in one file, as a port: made while it runs, put in its place later."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, Protocol

from pydantic import AwareDatetime, Field, StringConstraints

from agentmem.domain.ids import Name
from agentmem.domain.value import Value

MAX_TABLES = 100


class BackupManifest(Value):
    """What a backup promises of itself: the store's `schema_version`, how many rows each table has, and length and
    digest of the database in it."""

    version: Literal[1] = 1
    schema_version: int = Field(ge=1, le=10_000)
    made_at: AwareDatetime
    made_by: Name
    rows: dict[Name, Annotated[int, Field(ge=0)]] = Field(max_length=MAX_TABLES)
    size: int = Field(ge=1)
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put in place: rows by table. `erased` counts events and memories of the backup that were left out
    because the store it went into knows them as erased."""

    manifest: BackupManifest
    rows: Mapping[str, int]
    erased: int


class Backups(Protocol):
    """Whole copies of the store. The index is not in them: it is filled anew from what is."""

    async def write(self, file: Path, *, now: datetime, force: bool = False) -> BackupManifest:
        """Write all that was committed when this began, as of one moment, into a file that appears whole and checked.
        Readers and writers go on meanwhile.

        Raises `InvalidInput` where the file is there and `force` is not given, `BackendUnavailable` where it cannot be
        written, `NeedsRepair` where the store itself is damaged.
        """
        ...

    async def check(self, file: Path) -> BackupManifest:
        """What a backup holds, once all of it was read and found to be as promised. Raises as `restore` does."""
        ...

    async def is_empty(self) -> bool:
        """Whether nothing was ever said or written here."""
        ...

    async def restore(self, file: Path) -> Restored:
        """Put what the file holds in the place of everything that is here, in one transaction. No lease survives, and
        what was erased here does not come back with it.

        Raises `InvalidInput`, having changed nothing, for a file that is no backup, is damaged, or is of a newer
        schema.
        """
        ...
