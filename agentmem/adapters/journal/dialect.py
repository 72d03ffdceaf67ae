"""The few statements that SQLAlchemy spells differently for each database."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from typing import Any, TypeVar

from sqlalchemy import Column, ColumnElement, Connection, Dialect, Table

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
