"""The upkeep of a store, as ports: backups, room on the disk, and what is wrong inside a journal."""

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


@dataclass(frozen=True, slots=True)
class Folded:
    """What one step of folding did: rows of the ledger that went, and whether more may be waiting."""

    rows: int
    more: bool


class Storage(Protocol):
    """Every step is a short transaction; killed in between, the next one goes on where the last one ended."""

    async def fold(self, before: datetime, *, now: datetime) -> Folded:
        """Of each memory's states written by `before` keep the last alone, for the next few rows of the ledger.

        No memory changes, and nothing that any question about `before` or later is told. What was known earlier, and
        runs of that time, cannot be asked for or taken back any more (`Ledger.folded_until`). Rows dated ahead of `now`
        stay; while an agent is being made from another one nothing is folded.
        """
        ...

    async def pack(self, after: int, *, limit: int) -> int | None:
        """Pack what rows of the ledger behind number `after` hold as text, as older versions wrote it; the number to
        go on from, None behind the last row."""
        ...

    async def give_back(self) -> bool:
        """Return some of the free room inside the store to the disk; whether there may be more."""
        ...

    async def size(self) -> int:
        """Bytes the store takes, its log included."""
        ...


@dataclass(frozen=True, slots=True)
class UnreadableRows:
    """Rows of one kind and tenant that cannot be read by this version: how many, one of them, and why that one."""

    kind: str
    tenant: str
    count: int
    example: str
    reason: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """`unread` rows; `set_aside`: memories that the index could not take in; `abandoned`: leases whose holders are
    gone; `newest`: when the newest event was accepted; `torn`: what rows that are lost have left, how often."""

    unread: tuple[UnreadableRows, ...]
    set_aside: int
    abandoned: int
    newest: datetime | None
    torn: Mapping[str, int]


class Diagnostics(Protocol):
    """Looks and writes nothing."""

    async def diagnose(self) -> Diagnosis:
        """Look at every row of events, last states of memories, personas, lineages and debts of erasures."""
        ...
