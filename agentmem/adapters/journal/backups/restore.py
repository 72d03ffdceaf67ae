"""The `Backups` port over SQL; and a backup put in the place of what is there: judged first, brought up to date aside,
then copied row by row in one transaction.

The database in the file is outside input. It is opened with nothing of its schema trusted, has to consist of our
tables and nothing else, and only its rows are taken over, each value of the type its column has.
"""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Column, Connection, LargeBinary, Table, Text, delete, func, select
from sqlalchemy.exc import DataError, IntegrityError

from agentmem.adapters.journal.backups.erased_since import ErasedSince, Filter, Tombstones
from agentmem.adapters.journal.backups.snapshot import describe, scratch, unpack, write_backup
from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.connections import Store, parse, writing_engine
from agentmem.adapters.journal.dialect import Row, insert_many
from agentmem.adapters.journal.migrations import bring_up_to_date
from agentmem.adapters.journal.schema import (
    VERSION,
    Body,
    counters,
    events,
    jobs,
    lanes,
    leases,
    ledger,
    marks,
    metadata,
    schema_version,
    tokens,
    tombstones,
)
from agentmem.adapters.journal.transactions import ReadPool, Unit
from agentmem.domain.packed import kept
from agentmem.errors import InvalidInput, NeedsRepair
from agentmem.ledger.projection import marks_of_another_index
from agentmem.ports.ledger import GRAPH_THROUGH
from agentmem.ports.upkeep import BackupManifest, Restored

_BATCH = 1_000
_PATIENCE = 30.0
_NUMBERS = ("event", "ledger", "job", "lane", "fence")
_OF_ERASURES = ("forgetting/", "owed/", "receipts.")


def unpack_checked(file: Path, database: Path) -> BackupManifest:
    """The database of a backup in a new file, checked and in today's schema. Raises `InvalidInput`."""
    manifest = unpack(file, database)
    if manifest.schema_version > VERSION:
        raise InvalidInput(
            f"{file}: was made by a newer agentmem (schema {manifest.schema_version}, this one knows {VERSION}): "
            "update agentmem; nothing was changed"
        )
    try:
        _judge(file, database)
        found = describe(database, manifest.made_at)
        if (found.schema_version, found.rows) != (manifest.schema_version, manifest.rows):
            raise InvalidInput(f"{file}: is damaged: it does not hold the rows that its manifest says")
        _migrate(database, manifest.schema_version)
    except sqlite3.Error as error:
        raise InvalidInput(f"{file}: is damaged: {error}") from error
    except NeedsRepair as error:
        raise InvalidInput(f"{file}: is damaged: {error}") from error
    return manifest


def is_empty(conn: Connection) -> bool:
    """Whether no event was accepted and no memory written."""
    return all(conn.execute(select(table).limit(1)).first() is None for table in (events, ledger, lanes))


def replace_all(unit: Unit, file: Path, database: Path, manifest: BackupManifest) -> Restored:
    """Put the rows of a checked database in the place of all that is there."""
    try:
        return _replaced(unit.conn, file, database, manifest)
    except (DataError, IntegrityError) as error:
        raise InvalidInput(f"{file}: is damaged: its rows contradict each other ({error.orig})") from error


def _replaced(conn: Connection, file: Path, database: Path, manifest: BackupManifest) -> Restored:
    held = _Held.of(conn)
    with closing(_untrusted(database)) as source:
        numbers = _numbers(source, held)
        since = ErasedSince.of(source, conn, held.erased, numbers["ledger"])
        for table in reversed(metadata.sorted_tables):
            if table not in (schema_version, tombstones, counters, tokens):
                conn.execute(delete(table))
        copy = _Copy(file, source, conn, since.filters)
        for table in metadata.sorted_tables:
            if table not in (schema_version, counters, marks, tokens):
                copy.take(table)
        copy.take_marks(held, told_anew=since.told_anew)
    since.put_in_place(conn)
    waiting = conn.execute(select(func.count()).select_from(jobs).where(jobs.c.died.is_(None))).scalar_one()
    changed = {"ledger": numbers["ledger"] + len(since.changed), "backlog": waiting}
    conn.execute(counters.update().values(numbers | changed))
    conn.execute(leases.update().values(holder=None, jobs=0))
    return Restored(manifest, copy.rows, since.count)


def _judge(file: Path, database: Path) -> None:
    """Refuse everything in a schema that could run, compute or point elsewhere: our tables and their indexes pass."""
    with closing(_untrusted(database)) as connection:
        for kind, name, table, sql in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"):
            ours = kind in ("table", "index") and table in metadata.tables
            plain = sql is None or (sql.upper().startswith("CREATE ") and "VIRTUAL" not in sql.upper())
            if not (ours and plain):
                raise InvalidInput(f"{file}: holds {kind} {str(name)[:80]!r}, which no journal has")
        for name in metadata.tables:
            if any(column[6] for column in connection.execute(f'PRAGMA table_xinfo("{name}")')):
                raise InvalidInput(f"{file}: table {name} computes a column, which no journal does")


def _untrusted(database: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(database, isolation_level=None)
    for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "foreign_keys=OFF", "query_only=ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _migrate(database: Path, version: int) -> None:
    engine = writing_engine(parse(f"sqlite:///{database}", None), _PATIENCE)
    try:
        with engine.begin() as conn:
            bring_up_to_date(conn, version)
    finally:
        engine.dispose()


@dataclass(frozen=True, slots=True)
class _Held:
    """What outlives the store that is replaced: what was erased from it, its numbers, the marks it had."""

    erased: Tombstones
    numbers: Mapping[str, int]
    marks: Mapping[str, str]

    @classmethod
    def of(cls, conn: Connection) -> "_Held":
        """Of the store as it is now. The fence is above every one that is held."""
        erased = {bytes(row.key): (bytes(row.owner), row.seq) for row in conn.execute(select(tombstones))}
        numbers = dict(conn.execute(select(counters)).mappings().one())
        highest = conn.execute(select(func.max(leases.c.fence))).scalar() or 0
        numbers["fence"] = max(numbers["fence"], highest)
        return cls(erased, numbers, {row.name: row.value for row in conn.execute(select(marks))})

    @property
    def surviving(self) -> dict[str, str]:
        """The marks of erasures: what is left to clean up, and the key that signs receipts."""
        return {name: value for name, value in self.marks.items() if name.startswith(_OF_ERASURES)}


def _numbers(source: sqlite3.Connection, held: _Held) -> dict[str, int]:
    """Nothing that is written from now on gets a number that was given out before, here or there."""
    row = source.execute(f"SELECT {', '.join(_NUMBERS)} FROM counters").fetchone()
    return {name: max(int(value), held.numbers[name]) for name, value in zip(_NUMBERS, row, strict=True)}


class _Copy:
    """Rows on their way from the backup into the store, through a filter where their table has one."""

    def __init__(self, file: Path, source: sqlite3.Connection, conn: Connection, filters: Mapping[str, Filter]) -> None:
        self._file, self._source, self._conn, self._filters = file, source, conn, filters
        self.rows: dict[str, int] = {}

    def take(self, table: Table) -> None:
        """All rows of one table that come in."""
        columns = list(table.columns)
        names = ", ".join(f'"{column.name}"' for column in columns)
        cursor = self._source.execute(f'SELECT {names} FROM "{table.name}"')
        change = self._filters.get(table.name)
        count = 0
        while some := cursor.fetchmany(_BATCH):
            rows = [self._row(table, columns, values) for values in some]
            kept = rows if change is None else list(change(rows))
            if kept:
                insert_many(self._conn, table, kept, "ON CONFLICT DO NOTHING" if table is tombstones else "")
            count += len(kept)
        self.rows[table.name] = count

    def take_marks(self, held: _Held, *, told_anew: bool) -> None:
        """The marks, few as they are, with those of the old store that outlive it; `told_anew`: all memories are handed
        on once more to whoever tells what is between them."""
        columns = list(marks.columns)
        found = self._source.execute("SELECT name, value FROM marks").fetchall()
        there = {row["name"]: row["value"] for row in (self._row(marks, columns, values) for values in found)}
        changed = marks_of_another_index({**held.surviving, **there}, held.marks)
        if told_anew:
            changed.pop(GRAPH_THROUGH, None)
        insert_many(self._conn, marks, [{"name": name, "value": value} for name, value in changed.items()])
        self.rows[marks.name] = len(changed)

    def _row(self, table: Table, columns: Sequence[Column[object]], values: Sequence[object]) -> Row:
        for column, value in zip(columns, values, strict=True):
            if not _fits(column, value):
                raise InvalidInput(
                    f"{self._file}: table {table.name} holds {type(value).__name__} in column {column.name}, "
                    "which no journal does"
                )
        row: Row = {column.name: value for column, value in zip(columns, values, strict=True)}
        if table is ledger and isinstance(row["after"], str):
            row["after"] = kept(row["after"])
        return row


def _fits(column: Column[object], value: object) -> bool:
    if value is None:
        return bool(column.nullable)
    if isinstance(column.type, Body):
        return isinstance(value, bytes | str)
    if isinstance(column.type, LargeBinary):
        return isinstance(value, bytes)
    return isinstance(value, str) if isinstance(column.type, Text) else isinstance(value, int)


class SqlBackups:
    """Reads on a connection of its own; writes through the committer. `folder` holds what is made on the way."""

    def __init__(self, store: Store, committer: Committer, reader: ReadPool, folder: Path | None) -> None:
        self._store, self._committer, self._reader, self._aside = store, committer, reader, folder

    async def write(self, file: Path, *, now: datetime, force: bool = False) -> BackupManifest:
        """See `Backups`."""
        folder = file.parent if self._store.read_only else self._folder
        return await asyncio.to_thread(write_backup, self._store, file, folder, now=now, force=force)

    async def check(self, file: Path) -> BackupManifest:
        """See `Backups`."""
        with scratch(self._folder) as database:
            return await asyncio.to_thread(unpack_checked, file, database)

    async def is_empty(self) -> bool:
        """See `Backups`."""
        return await self._reader.read(is_empty)

    async def restore(self, file: Path) -> Restored:
        """See `Backups`."""
        with scratch(self._folder) as database:
            manifest = await asyncio.to_thread(unpack_checked, file, database)
            return await self._committer.submit(
                "restore", lambda unit: replace_all(unit, file, database, manifest), numbered=False
            )

    @property
    def _folder(self) -> Path:
        if self._aside is None:
            raise InvalidInput("a backup needs a folder to be made in: open the journal with `backups`")
        return self._aside
