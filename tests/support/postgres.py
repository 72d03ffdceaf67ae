"""The PostgreSQL that tests may use: where it is, whether it answers, and a schema of one's own."""

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache

import psycopg
from psycopg.sql import SQL, Identifier

POSTGRES = os.environ.get("AGENTMEM_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/test")


@cache
def unreachable() -> str | None:
    """Why there is no PostgreSQL to test with, or None where there is one."""
    try:
        psycopg.connect(POSTGRES, connect_timeout=3).close()
    except psycopg.OperationalError as error:
        return f"no PostgreSQL at {POSTGRES} (AGENTMEM_TEST_POSTGRES): {error}"
    return None


def new_name() -> str:
    """The name of a schema nobody else uses."""
    return f"agentmem_{secrets.token_hex(6)}"


@contextmanager
def schema(name: str | None = None) -> Generator[str]:
    """A schema, else one nobody else uses; dropped afterwards with all that is in it."""
    name = name or new_name()
    try:
        yield name
    finally:
        with psycopg.connect(POSTGRES, autocommit=True) as connection:
            connection.execute("SET client_min_messages = warning")
            connection.execute(SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(Identifier(name)))
