"""The few statements that SQLAlchemy spells differently for each database."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import Connection, Dialect, Table
from sqlalchemy.dialects import postgresql, sqlite

T = TypeVar("T")

Insert = sqlite.Insert | postgresql.Insert
Row = dict[str, Any]
"""The columns of one row, on their way into the database."""

# SQLAlchemy 2.0 and 2.1 count the type parameters of these two differently, so neither way of writing them serves both.
Record = Any
"""A row on its way out; its columns are those of the statement."""
Statement = Any
"""A SELECT."""

_CHUNK = 500
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def insert(conn: Connection, table: Table) -> Insert:
    """INSERT that understands ON CONFLICT."""
    return postgresql.insert(table) if conn.dialect.name == "postgresql" else sqlite.insert(table)


@lru_cache(maxsize=64)
def _insert_sql(table: Table, columns: tuple[str, ...], dialect: Dialect) -> str:
    return str(table.insert().compile(dialect=dialect, column_keys=list(columns)))


def insert_many(conn: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows with the same columns, past SQLAlchemy's work on each value (20 µs a row): ours need none."""
    if rows:
        conn.exec_driver_sql(_insert_sql(table, tuple(rows[0]), conn.dialect), list(rows))


def insert_new(conn: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows; one whose key is there already is passed over."""
    if rows:
        conn.execute(insert(conn, table).on_conflict_do_nothing(), rows)


def chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Pieces that fit into one IN list."""
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]


def moment(microseconds: int) -> datetime:
    """The time that was stored as microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=microseconds)
