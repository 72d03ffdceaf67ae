"""Every test of the journal's contract runs over SQLite and over PostgreSQL, in a schema of its own."""

from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from agentmem.adapters.journal import SqlJournal
from agentmem.adapters.journal.schema import counters, metadata, schema_version
from tests.support.journals import Place
from tests.support.postgres import POSTGRES, new_name, schema

STORES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.external)]


@pytest.fixture(scope="session")
def empty_schemas() -> Generator[list[str]]:
    """Schemas with the tables of a journal and nothing in them."""
    with ExitStack() as stack:
        found: list[str] = []
        yield found
        for name in found:
            stack.enter_context(schema(name))


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path, empty_schemas: list[str]) -> Generator[Place]:
    """A place for a journal with nothing in it, though its tables may be there: to make and drop them takes PostgreSQL
    longer than most tests take."""
    if request.param == "sqlite":
        yield _in_a_file(tmp_path)
    else:
        with _lent(empty_schemas) as found:
            yield found


@pytest.fixture(params=STORES)
def bare_place(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Place]:
    """A place where no journal was ever opened, and whose tables may be changed."""
    if request.param == "sqlite":
        yield _in_a_file(tmp_path)
    else:
        with schema() as name:
            yield _in_a_schema(name)


@pytest.fixture
def other_place(place: Place, tmp_path: Path, empty_schemas: list[str]) -> Generator[Place]:
    """A second place of the same kind that holds nothing either."""
    if place.file is not None:
        yield _in_a_file(tmp_path / "other")
    else:
        with _lent(empty_schemas) as found:
            yield found


@pytest.fixture
async def journal(place: Place) -> AsyncGenerator[SqlJournal, None]:
    """An open, empty journal."""
    async with place.journal() as opened:
        yield opened


def _in_a_file(folder: Path) -> Place:
    file = folder / "data" / "journal.db"
    return Place(f"sqlite:///{file}", file)


def _in_a_schema(name: str) -> Place:
    return Place(f"{POSTGRES}?schema={name}")


@contextmanager
def _lent(empty_schemas: list[str]) -> Generator[Place]:
    """One that another test has left empty, else a new one; left empty for the next."""
    name = empty_schemas.pop() if empty_schemas else new_name()
    yield _in_a_schema(name)
    _empty(name)
    empty_schemas.append(name)


def _empty(name: str) -> None:
    """Make a journal's schema as it was when its tables had just been made."""
    tables = [Identifier(table.name) for table in reversed(metadata.sorted_tables) if table is not schema_version]
    emptying = SQL("; ").join(SQL("DELETE FROM {}").format(table) for table in tables)
    zeros = SQL("INSERT INTO {} VALUES (1, {})").format(
        Identifier(counters.name), SQL(", ").join([SQL("0")] * (len(counters.columns) - 1))
    )
    with psycopg.connect(POSTGRES, autocommit=True, options=f"-csearch_path={name}") as connection:
        connection.execute(SQL("; ").join([emptying, zeros]))
