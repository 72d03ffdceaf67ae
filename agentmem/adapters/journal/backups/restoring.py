"""A backup put in the place of what is there: judged first, brought up to date aside, then copied row by row in one
transaction.

The database in the file is outside input. It is opened with nothing of its schema trusted, has to consist of our tables
and nothing else, and only its rows are taken over, each value of the type its column has.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Column, Connection, LargeBinary, Table, Text, delete, func, select
from sqlalchemy.exc import DataError, IntegrityError

from agentmem.adapters.journal.backups.container import unpack
from agentmem.adapters.journal.backups.snapshot import describe
from agentmem.adapters.journal.dialect import Row, insert_many, key
from agentmem.adapters.journal.engine import parse, writing_engine
from agentmem.adapters.journal.migrations import bring_up_to_date
from agentmem.adapters.journal.schema import (
    VERSION,
    Body,
    counters,
    dependencies,
    events,
    jobs,
    lanes,
    leases,
    ledger,
    marks,
    memories,
    metadata,
    schema_version,
    tombstones,
)
from agentmem.adapters.journal.tombstones import memory_key
from agentmem.adapters.journal.unit import Unit
from agentmem.domain.packed import kept
from agentmem.errors import InvalidInput, NeedsRepair
from agentmem.ledger.projection import marks_of_another_index
from agentmem.ports.backup import BackupManifest, Restored

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
    for table in reversed(metadata.sorted_tables):
        if table not in (schema_version, tombstones, counters):
            conn.execute(delete(table))
    with closing(_untrusted(database)) as source:
        copy = _Copy(file, source, conn, held, _newly_erased(source, held))
        for table in metadata.sorted_tables:
            if table not in (schema_version, counters, marks):
                copy.take(table)
        copy.take_marks()
        conn.execute(counters.update().values(_numbers(source, held)))
    conn.execute(leases.update().values(holder=None, jobs=0))
    return Restored(manifest, copy.rows, copy.erased)


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
    """What outlives the store that is replaced: what was erased from it, by owner, its numbers, the marks it had."""

    erased: Mapping[bytes, bytes]
    numbers: Mapping[str, int]
    marks: Mapping[str, str]

    @classmethod
    def of(cls, conn: Connection) -> "_Held":
        """Of the store as it is now. The fence is above every one that is held."""
        erased = {bytes(row.key): bytes(row.owner) for row in conn.execute(select(tombstones))}
        numbers = dict(conn.execute(select(counters)).mappings().one())
        highest = conn.execute(select(func.max(leases.c.fence))).scalar() or 0
        numbers["fence"] = max(numbers["fence"], highest)
        return cls(erased, numbers, {row.name: row.value for row in conn.execute(select(marks))})

    @property
    def surviving(self) -> dict[str, str]:
        """The marks of erasures: what is left to clean up, and the key that signs receipts."""
        return {name: value for name, value in self.marks.items() if name.startswith(_OF_ERASURES)}


def _newly_erased(source: sqlite3.Connection, held: _Held) -> set[bytes]:
    """The owners who erased something since the backup was made."""
    known = {bytes(row[0]) for row in source.execute("SELECT key FROM tombstones")}
    return {owner for erased, owner in held.erased.items() if erased not in known}


def _numbers(source: sqlite3.Connection, held: _Held) -> dict[str, int]:
    """Nothing that is written from now on gets a number that was given out before, here or there."""
    row = source.execute(f"SELECT {', '.join(_NUMBERS)} FROM counters").fetchone()
    highest = {name: max(int(value), held.numbers[name]) for name, value in zip(_NUMBERS, row, strict=True)}
    waiting = source.execute("SELECT count(*) FROM jobs WHERE died IS NULL").fetchone()[0]
    return {**highest, "backlog": int(waiting)}


class _Copy:
    """Rows on their way from the backup into the store. `erased` counts what was left out as erased."""

    def __init__(
        self, file: Path, source: sqlite3.Connection, conn: Connection, held: _Held, owners: Collection[bytes]
    ) -> None:
        self._file, self._source, self._conn, self._held = file, source, conn, held
        self._thoughtless = self._lanes_of(owners)
        self._gone: set[str] = set()
        self.rows: dict[str, int] = {}
        self.erased = 0
        if held.erased:
            known = source.execute("SELECT tenant, memory_id FROM memories")
            self._gone = {row[1] for row in known if memory_key(row[0], row[1]) in held.erased}

    def take(self, table: Table) -> None:
        """All rows of one table that come in."""
        columns = list(table.columns)
        names = ", ".join(f'"{column.name}"' for column in columns)
        cursor = self._source.execute(f'SELECT {names} FROM "{table.name}"')
        change = self._changes().get(table.name)
        count = 0
        while some := cursor.fetchmany(_BATCH):
            rows = [self._row(table, columns, values) for values in some]
            kept = rows if change is None else list(change(rows))
            if kept:
                insert_many(self._conn, table, kept, "ON CONFLICT DO NOTHING" if table is tombstones else "")
            count += len(kept)
        self.rows[table.name] = count

    def take_marks(self) -> None:
        """The marks, few as they are, with those of the old store that outlive it."""
        columns = list(marks.columns)
        found = self._source.execute("SELECT name, value FROM marks").fetchall()
        there = {row["name"]: row["value"] for row in (self._row(marks, columns, values) for values in found)}
        changed = marks_of_another_index({**self._held.surviving, **there}, self._held.marks)
        insert_many(self._conn, marks, [{"name": name, "value": value} for name, value in changed.items()])
        self.rows[marks.name] = len(changed)

    def _changes(self) -> dict[str, Callable[[list[Row]], Iterator[Row]]]:
        return {
            events.name: self._events,
            memories.name: lambda rows: self._memories(rows, counted=True),
            ledger.name: self._memories,
            dependencies.name: self._dependencies,
            jobs.name: self._jobs,
        }

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

    def _events(self, rows: list[Row]) -> Iterator[Row]:
        for row in rows:
            if row["event_key"] in self._held.erased:
                self.erased += 1
            else:
                yield row

    def _memories(self, rows: list[Row], *, counted: bool = False) -> Iterator[Row]:
        for row in rows:
            if row["memory_id"] not in self._gone:
                yield row
            elif counted:
                self.erased += 1

    def _dependencies(self, rows: list[Row]) -> Iterator[Row]:
        return (row for row in rows if self._gone.isdisjoint((row["memory_id"], row["source_id"])))

    def _jobs(self, rows: list[Row]) -> Iterator[Row]:
        """What a model made of words that were erased since is thought anew, of those that are left."""
        return (row | {"staged": None} if row["lane_id"] in self._thoughtless else row for row in rows)

    def _lanes_of(self, owners: Collection[bytes]) -> set[int]:
        if not owners:
            return set()
        known = self._source.execute("SELECT lane_id, tenant, agent FROM lanes")
        return {lane_id for lane_id, tenant, agent in known if key(tenant, agent) in owners}


def _fits(column: Column[object], value: object) -> bool:
    if value is None:
        return bool(column.nullable)
    if isinstance(column.type, Body):
        return isinstance(value, bytes | str)
    if isinstance(column.type, LargeBinary):
        return isinstance(value, bytes)
    return isinstance(value, str) if isinstance(column.type, Text) else isinstance(value, int)
