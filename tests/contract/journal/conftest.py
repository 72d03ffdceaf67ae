"""Every test of the journal's contract runs over SQLite and over PostgreSQL, in a schema of its own."""

import os
import secrets
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from agentmem.adapters.journal import SqlJournal
from tests.support.journals import Place

POSTGRES = os.environ.get("AGENTMEM_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/test")


@pytest.fixture(scope="session")
def postgres() -> str:
    """A PostgreSQL database, or the test is left out."""
    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.OperationalError as error:
        pytest.skip(f"left out: no PostgreSQL at {POSTGRES} (AGENTMEM_TEST_POSTGRES): {error}")
    return POSTGRES


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.external)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Place, None, None]:
    """An empty place for a journal."""
    if request.param == "sqlite":
        file = tmp_path / "data" / "journal.db"
        yield Place(f"sqlite:///{file}", file)
        return
    url: str = request.getfixturevalue("postgres")
    schema = f"agentmem_{secrets.token_hex(6)}"
    try:
        yield Place(f"{url}?schema={schema}")
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SET client_min_messages = warning")
            connection.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(schema)))


@pytest.fixture
async def journal(place: Place) -> AsyncGenerator[SqlJournal, None]:
    """An open, empty journal."""
    async with place.journal() as opened:
        yield opened
