"""What each database says differently: the few statements that SQLAlchemy spells differently, and errors, said in the
words of `agentmem.errors`, each with what to do about it.
"""

import shutil
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Column, ColumnElement, Connection, Dialect, Table
from sqlalchemy.exc import DataError, DBAPIError, NoResultFound, SQLAlchemyError

from agentmem.errors import BackendUnavailable, InvalidInput, JournalDamaged

T = TypeVar("T")

Row = dict[str, Any]
"""The columns of one row, on their way into the database."""

# SQLAlchemy 2.0 and 2.1 count the type parameters of these two differently, so neither way of writing them serves both.
Record = Any
"""A row on its way out; its columns are those of the statement."""
Statement = Any
"""A SELECT."""

_CHUNK = 500
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def insert_many(conn: Connection, table: Table, rows: Sequence[Row], conflict: str = "") -> None:
    """Insert rows that have the same columns; `conflict` is an ON CONFLICT clause, which both databases spell alike.

    Goes past SQLAlchemy's work on each value (20 µs a row), of which ours need none. PostgreSQL gets the rows as one
    array per column: one message instead of one per row, which is ten times faster.
    """
    if not rows:
        return
    columns = tuple(rows[0])
    if conn.dialect.name == "postgresql":
        arrays = {name: [row[name] for row in rows] for name in columns}
        conn.exec_driver_sql(_insert_arrays(table, columns, conn.dialect, conflict), arrays)
    else:
        conn.exec_driver_sql(_insert_values(table, columns, conflict), list(rows))


@lru_cache(maxsize=64)
def _insert_values(table: Table, columns: tuple[str, ...], conflict: str) -> str:
    names, places = ", ".join(map(_quoted, columns)), ", ".join(f":{name}" for name in columns)
    return f"INSERT INTO {table.name} ({names}) VALUES ({places}) {conflict}"


@lru_cache(maxsize=64)
def _insert_arrays(table: Table, columns: tuple[str, ...], dialect: Dialect, conflict: str) -> str:
    names = ", ".join(map(_quoted, columns))
    arrays = ", ".join(f"%({name})s::{table.c[name].type.compile(dialect).split()[0]}[]" for name in columns)
    return f"INSERT INTO {table.name} ({names}) SELECT * FROM unnest({arrays}) {conflict}"


def _quoted(name: str) -> str:
    return f'"{name}"'


def beside_the_index(column: Column[str]) -> ColumnElement[str]:
    """The column, but of no use to look rows up by: so that a planner without statistics takes the other index."""
    return column + ""


def key(*parts: str) -> bytes:
    """16 bytes that stand for the parts; a separator that no name may hold keeps them apart."""
    return blake2b("\x1f".join(parts).encode(), digest_size=16).digest()


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Pieces that fit into one IN list."""
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]


def moment(microseconds: int) -> datetime:
    """The time that was stored as microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=microseconds)


_SQLITE = {
    sqlite3.SQLITE_FULL: "the disk that holds {store} is full: free space and try again",
    sqlite3.SQLITE_BUSY: "{store} is being written by another process: try again, and end that process if it hangs",
    sqlite3.SQLITE_LOCKED: "{store} is being written by another process: try again, and end that process if it hangs",
    sqlite3.SQLITE_READONLY: "{store} may not be written: check owner and mode of the file and its folder",
    sqlite3.SQLITE_CANTOPEN: "{store} cannot be opened: check the path, and owner and mode of its folder",
    sqlite3.SQLITE_PERM: "{store} may not be opened: check owner and mode of the file",
    sqlite3.SQLITE_IOERR: "{store} cannot be read or written ({detail}): check the disk",
}
_BEYOND_WAITING = {
    sqlite3.SQLITE_CORRUPT: "{store} is damaged: put a backup back with `agentmem restore FILE --force`",
    sqlite3.SQLITE_NOTADB: "{store} is not a journal: name another file, or put a backup back with "
    "`agentmem restore FILE --force`",
}
_LACKING: Final = "{store} lacks what every journal has: put a backup back with `agentmem restore FILE --force`"
_NO_SUCH: Final = ("no such table", "no such column")
_UNDEFINED: Final = {"42P01", "42703"}
"""PostgreSQL: no such table, no such column."""
_RETRY_AFTER = 1.0
_FULL: Final = 256 << 10
"""Free bytes below which an I/O error is for want of room: SQLite reports a log it cannot extend as one."""
_TRY_AGAIN = {"40P01", "40001", "55P03"}
"""PostgreSQL: deadlock, serialization failure, lock not available."""


def closed(store: str) -> BackendUnavailable:
    """What whoever comes after `store` was closed is told."""
    return BackendUnavailable(f"{store} is closed", of_the_machine=True)


def translated(error: SQLAlchemyError | sqlite3.Error, store: str) -> Exception:
    """What to raise instead of `error`; `store` names the database for a reader, without secrets."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(error, DataError):
        return InvalidInput(f"the journal cannot hold a value: {_first_line(cause)}")
    if _lacks_something(error, cause):
        return JournalDamaged(_LACKING.format(store=store))
    code = getattr(cause, "sqlite_errorcode", None)
    if isinstance(code, int):
        if hopeless := _BEYOND_WAITING.get(code & 0xFF):
            return JournalDamaged(hopeless.format(store=store))
        code = sqlite3.SQLITE_FULL if _is_for_want_of_room(code, store) else code
        known = _SQLITE.get(code & 0xFF, "{store} failed ({detail}): try again")
        told = known.format(store=store, detail=_first_line(cause))
    else:
        told = f"{store} does not answer ({_first_line(cause)}): check that the server runs"
    return BackendUnavailable(told, retry_after=_RETRY_AFTER, of_the_machine=True)


def _lacks_something(error: SQLAlchemyError | sqlite3.Error, cause: object) -> bool:
    """Whether a table, a column, or the one row of a table that has one, is not there."""
    named = isinstance(error, DBAPIError) and str(cause).startswith(_NO_SUCH)
    return named or isinstance(error, NoResultFound) or getattr(cause, "sqlstate", None) in _UNDEFINED


def _is_for_want_of_room(code: int, store: str) -> bool:
    """Whether an I/O error came from a full disk; `store` is `journal` and the path of the file."""
    if code & 0xFF != sqlite3.SQLITE_IOERR:
        return False
    try:
        return shutil.disk_usage(Path(store.removeprefix("journal ")).parent).free < _FULL
    except OSError:
        return False


def worth_repeating(error: SQLAlchemyError) -> bool:
    """Whether the same transaction may well succeed at once, because it only met another one."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _TRY_AGAIN


def is_busy(error: DBAPIError) -> bool:
    """Whether SQLite says that another process is at it."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF == sqlite3.SQLITE_BUSY


def is_damage(error: BaseException) -> bool:
    """Whether an error of ours says that the file of a journal is damaged, or is none."""
    cause: BaseException | None = error
    while cause is not None:
        code = getattr(getattr(cause, "orig", cause), "sqlite_errorcode", None)
        if isinstance(code, int) and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return True
        cause = cause.__cause__
    return isinstance(error, JournalDamaged)


@contextmanager
def translating(store: str) -> Generator[None, None, None]:
    """Errors of the database inside come out as ours."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:  # the latter of what is said to the driver itself
        raise translated(error, store) from error


def _first_line(error: object) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
