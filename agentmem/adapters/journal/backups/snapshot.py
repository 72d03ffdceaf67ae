"""The whole store as of one moment, in a SQLite file of its own, checked: what a backup is packed from.

SQLite copies itself within one reading transaction (`VACUUM INTO`), without the bytes of what was deleted. From
PostgreSQL the rows are read in one repeatable-read transaction. Neither waits for writers, nor they for it.
"""

import os
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, MetaData, Table, create_engine, inspect, select
from sqlalchemy.exc import DBAPIError

from agentmem import patterns as re
from agentmem.adapters.journal.backups.container import digest_of, pack
from agentmem.adapters.journal.dialect import Row, insert_many
from agentmem.adapters.journal.engine import Store, reading_engine
from agentmem.adapters.journal.failure import translated, translating
from agentmem.adapters.journal.holder import Holder
from agentmem.adapters.journal.schema import metadata
from agentmem.adapters.journal.sqlite_file import SqliteFile
from agentmem.agents.bundle.draft import draft
from agentmem.domain.packed import kept
from agentmem.errors import BackendUnavailable, NeedsRepair
from agentmem.ports.backup import BackupManifest
from agentmem.private_files import make_folder, open_private

_DRAFT = ".draft-"
_BEHIND_NAME = re.compile(r"\.db(-wal|-shm|-journal)?$")
_BATCH = 1_000
_PATIENCE = 30.0


def write_backup(store: Store, file: Path, folder: Path, *, now: datetime, force: bool) -> BackupManifest:
    """Write a backup of the store, in whatever schema it has; what is made on the way lies in `folder`."""
    with draft(file, force=force) as target, scratch(folder) as database:
        if store.file is not None:
            _copy_file(store.file, store.name, database)
        else:
            _copy_rows(store, database)
        manifest = describe(database, now)
        pack(database, manifest, target)
    return manifest


@contextmanager
def scratch(folder: Path) -> Generator[Path]:
    """A place in `folder` for a database that is not there yet; gone afterwards, as is what killed processes left."""
    try:
        make_folder(folder)
    except OSError as error:
        raise BackendUnavailable(f"{folder}: cannot be made: {error.strerror or error}") from error
    me = Holder.of_this_process()
    for left in folder.glob(f"{_DRAFT}*"):
        holder = Holder.parse(_BEHIND_NAME.sub("", left.name.removeprefix(_DRAFT)).replace("~", "/"))
        if holder is not None and holder.is_gone(me, local=True):
            left.unlink(missing_ok=True)
    path = folder / f"{_DRAFT}{str(me).replace('/', '~')}.db"
    try:
        yield path
    finally:
        for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))):
            each.unlink(missing_ok=True)


def describe(database: Path, now: datetime) -> BackupManifest:
    """Check a database whole, and count what is in it. Raises `NeedsRepair` where it is damaged."""
    with closing(sqlite3.connect(database)) as connection:
        answer = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if answer != "ok":
            raise NeedsRepair(f"the journal is damaged ({answer}): restore it from a backup")
        rows = dict(_counts(connection))
        schema = int(connection.execute("SELECT version FROM schema_version").fetchone()[0])
    size, digest = digest_of(database)
    return BackupManifest(schema_version=schema, made_at=now, made_by=_program(), rows=rows, size=size, sha256=digest)


def _counts(connection: sqlite3.Connection) -> Iterator[tuple[str, int]]:
    known = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    for (name,) in known.fetchall():
        quoted = '"' + str(name).replace('"', '""') + '"'
        yield name, connection.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0]


def _program() -> str:
    with suppress(PackageNotFoundError):
        return f"agentmem {version('agentmem-framework')}"
    return "agentmem"


def _copy_file(file: SqliteFile, name: str, database: Path) -> None:
    """On a connection of its own: those of the readers would be missed for as long as it takes."""
    _make_private(database)
    try:
        with closing(file.connect(_PATIENCE)) as connection:
            connection.execute("PRAGMA query_only=OFF")  # the copy is written, not the file
            connection.execute("VACUUM INTO ?", (str(database),))
    except sqlite3.Error as error:
        raise translated(DBAPIError(None, None, error), name) from error


def _make_private(database: Path) -> None:
    os.close(open_private(database, os.O_CREAT | os.O_EXCL | os.O_RDWR))


def _copy_rows(store: Store, database: Path) -> None:
    source = reading_engine(store, _PATIENCE)
    _make_private(database)
    target = create_engine(f"sqlite:///{database}", paramstyle="named")
    try:
        with translating(store.name), source.connect() as reading, target.begin() as writing:
            _settle(reading)
            for table in _present(reading, store):
                table.create(writing)
                _copy_table(reading, writing, table)
    finally:
        target.dispose()
        source.dispose()


def _settle(reading: Connection) -> None:
    """Begin the one transaction in which everything is read, however long it takes."""
    reading.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    for name in ("statement_timeout", "idle_in_transaction_session_timeout"):
        reading.exec_driver_sql(f"SET LOCAL {name} = 0")


def _present(reading: Connection, store: Store) -> list[Table]:
    """Our tables as far as the store has them, with the columns it has: an older schema has fewer."""
    there, found = inspect(reading), MetaData()
    names = set(there.get_table_names(schema=store.schema))
    for table in metadata.sorted_tables:
        if table.name in names:
            columns = {column["name"] for column in there.get_columns(table.name, schema=store.schema)}
            Table(table.name, found, *(_bare(column) for column in table.columns if column.name in columns))
    return found.sorted_tables


def _kept(row: dict[Any, Any]) -> Row:
    """A row as it is written: what was read of a memory's body is packed again."""
    return {str(name): kept(value) if name == "after" and value else value for name, value in row.items()}


def _bare(column: Column[Any]) -> Column[Any]:
    return Column(column.name, column.type, primary_key=column.primary_key, nullable=column.nullable)


def _copy_table(reading: Connection, writing: Connection, table: Table) -> None:
    streamed = reading.execution_options(stream_results=True, yield_per=_BATCH).execute(select(table))
    for some in streamed.mappings().partitions(_BATCH):
        insert_many(writing, table, [_kept(dict(row)) for row in some])
