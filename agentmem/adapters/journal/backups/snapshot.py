"""The whole store as of one moment, in a SQLite file of its own, checked; and the file of a backup it is packed into:
one line that says what it is, one line of manifest, then that database, compressed.

A file from elsewhere may lie: the manifest is bounded before it is read, no more is unpacked than it promises and
than the disk has room for, and what was unpacked must have the promised digest.
"""

import os
import shutil
import sqlite3
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import ValidationError
from sqlalchemy import Column, Connection, MetaData, Table, create_engine, inspect, select
from sqlalchemy.exc import DBAPIError

from agentmem import patterns as re
from agentmem.adapters.journal.connections import SqliteFile, Store, reading_engine
from agentmem.adapters.journal.dialect import Row, insert_many, translated, translating
from agentmem.adapters.journal.leases import Holder
from agentmem.adapters.journal.schema import metadata
from agentmem.agents.bundle.atomic_file import draft
from agentmem.domain.packed import kept
from agentmem.errors import PUT_BACK, BackendUnavailable, InvalidInput, JournalDamaged
from agentmem.ports.upkeep import BackupManifest
from agentmem.private_files import make_folder, open_named, open_private

MAGIC = b"agentmem backup\n"
MAX_MANIFEST = 1 << 16
_BLOCK = 1 << 20
_LEVEL = 3
_RESERVE = 64 << 20
"""Bytes of the disk that unpacking leaves free."""


def digest_of(database: Path) -> tuple[int, str]:
    """Length and SHA-256 of a file."""
    digest, size = sha256(), 0
    with database.open("rb") as file:
        for block in _blocks(file):
            digest.update(block)
            size += len(block)
    return size, digest.hexdigest()


def pack(database: Path, manifest: BackupManifest, file: BinaryIO) -> None:
    """Write a database behind its manifest."""
    file.write(MAGIC + manifest.model_dump_json(by_alias=True).encode() + b"\n")
    packer = zlib.compressobj(_LEVEL)
    with database.open("rb") as source:
        for block in _blocks(source):
            file.write(packer.compress(block))
    file.write(packer.flush())


def unpack(path: Path, database: Path) -> BackupManifest:
    """Write the database that a backup holds into a new file. Raises `InvalidInput` for anything that is not as a
    backup must be, `BackendUnavailable` where there is no room for it."""
    with _opened(path) as file:
        manifest = _manifest(path, file)
        if manifest.size + _RESERVE > shutil.disk_usage(database.parent).free:
            raise BackendUnavailable(
                f"{path}: needs {manifest.size:,} bytes in {database.parent}: free space there", of_the_machine=True
            )
        with _private(database) as target:
            _copy(path, file, target, manifest)
    return manifest


def _manifest(path: Path, file: BinaryIO) -> BackupManifest:
    if file.read(len(MAGIC)) != MAGIC:
        raise InvalidInput(f"{path}: is no backup made by `agentmem backup`")
    line = file.readline(MAX_MANIFEST + 1)
    try:
        return BackupManifest.model_validate_json(line)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"])) or "as a whole"
        raise InvalidInput(f"{path}: its manifest cannot be read: {where}: {fault['msg']}") from error


def _copy(path: Path, source: BinaryIO, target: BinaryIO, manifest: BackupManifest) -> None:
    digest, size = sha256(), 0
    for block in _unpacked(path, source):
        size += len(block)
        if size > manifest.size:
            break
        digest.update(block)
        target.write(block)
    if size != manifest.size or digest.hexdigest() != manifest.sha256:
        raise InvalidInput(f"{path}: is damaged: its content is not what its manifest says")


def _unpacked(path: Path, source: BinaryIO) -> Iterator[bytes]:
    unpacker = zlib.decompressobj()
    try:
        for block in _blocks(source):
            rest = block
            while rest and not unpacker.eof:
                yield unpacker.decompress(rest, _BLOCK)
                rest = unpacker.unconsumed_tail
            if unpacker.eof and (unpacker.unused_data or source.read(1)):
                raise InvalidInput(f"{path}: is damaged: something follows its end")
        yield unpacker.flush()
    except zlib.error as error:
        raise InvalidInput(f"{path}: is damaged: {error}") from error
    if not unpacker.eof:
        raise InvalidInput(f"{path}: is damaged: it ends too early")


def _opened(path: Path) -> BinaryIO:
    """The file for reading; a pipe or a device would be read for ever."""
    try:
        return open_named(path)
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from error


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    while block := file.read(_BLOCK):
        yield block


@contextmanager
def _private(path: Path) -> Generator[BinaryIO]:
    """A new file for its owner only."""
    try:
        with os.fdopen(open_private(path, os.O_RDWR | os.O_CREAT | os.O_EXCL), "w+b") as file:
            yield file
    except OSError as error:
        raise BackendUnavailable(
            f"{path}: cannot be written: {error.strerror or error}", of_the_machine=True
        ) from error


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
        raise BackendUnavailable(f"{folder}: cannot be made: {error.strerror or error}", of_the_machine=True) from error
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
    """Check a database whole, and count what is in it. Raises `JournalDamaged`."""
    with closing(sqlite3.connect(database)) as connection:
        answer = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if answer != "ok":
            raise JournalDamaged(f"the journal is damaged ({answer}): {PUT_BACK}")
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
