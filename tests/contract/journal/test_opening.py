"""Opening, closing, and what happens when the database does not do as it should."""

import asyncio
import secrets
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Engine, event, make_url, text

from agentmem.adapters.journal import SqlJournal
from agentmem.adapters.journal.connections import parse, reading_engine
from agentmem.adapters.journal.schema import VERSION
from agentmem.domain.event import TurnSpoken
from agentmem.domain.scope import Scope
from agentmem.errors import BackendUnavailable, InvalidInput, NeedsRepair
from agentmem.ports.ledger import Selection
from agentmem.ports.work_queue import Done
from tests.support.copying import clone_of_seller, copied, lived
from tests.support.journals import (
    CONVERSATION,
    ROUTES,
    Place,
    append_all,
    begin,
    ended,
    open_until,
    said,
    until,
    work_off,
)
from tests.support.nodes import AGENT, NOON, TENANT
from tests.support.postgres import POSTGRES

EVER = 10**12


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a SQLite journal may be made, in a folder that is not there yet."""
    return tmp_path / "new" / "data" / "journal.db"


@pytest.fixture
def sqlite_place(file: Path) -> Place:
    """That file as a place."""
    return Place(f"sqlite:///{file}", file)


def content(file: Path | None) -> bytes:
    """The bytes of a file, none where there is none."""
    return file.read_bytes() if file else b""


@contextmanager
def sql(place: Place) -> Generator[Any, None, None]:
    """A plain connection to the tables of a place."""
    if place.file is not None:
        with sqlite3.connect(place.file) as connection:
            yield connection
        connection.close()
        return
    url = make_url(place.url)
    plain = url.difference_update_query(["schema"]).render_as_string(hide_password=False)
    with psycopg.connect(plain, options=f"-csearch_path={url.query['schema']}") as connection:
        yield connection


@contextmanager
def pages_limited() -> Generator[list[int], None, None]:
    """SQLite connections opened inside find the disk full at so many pages."""
    limit = [1_000_000]

    def connected(connection: Any, _record: object) -> None:
        connection.execute(f"PRAGMA max_page_count={limit[0]}")

    event.listen(Engine, "connect", connected)
    try:
        yield limit
    finally:
        event.remove(Engine, "connect", connected)


async def test_constructing_does_nothing(sqlite_place: Place, file: Path) -> None:
    journal = sqlite_place.journal()
    assert not file.parent.exists()
    with pytest.raises(BackendUnavailable, match="closed"):
        await journal.events.append([said("a", 0)], now=NOON)


async def test_the_file_is_for_its_owner_only(sqlite_place: Place, file: Path) -> None:
    async with sqlite_place.journal() as journal:
        await journal.events.append([said("a", 0)], now=NOON)
        assert file.parent.stat().st_mode & 0o777 == 0o700
        assert {path.stat().st_mode & 0o777 for path in file.parent.iterdir()} == {0o600}


async def test_every_commit_is_synced_to_disk(sqlite_place: Place) -> None:
    connections: list[Any] = []

    def connected(connection: Any, _record: object) -> None:
        connections.append(connection)

    event.listen(Engine, "connect", connected)
    try:
        async with sqlite_place.journal() as journal:
            await journal.ledger.head()
            for connection in connections:
                assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
                assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    finally:
        event.remove(Engine, "connect", connected)


async def test_what_was_accepted_is_there_after_reopening(place: Place) -> None:
    async with place.journal() as journal:
        await journal.events.append([said("a", 0)], now=NOON)
    async with place.journal() as journal:
        assert len(await journal.events.uncut(said("a", 0).lane, through=EVER)) == 1


async def test_data_of_a_newer_version_is_refused_untouched(bare_place: Place) -> None:
    async with bare_place.journal() as journal:
        await journal.events.append([said("a", 0)], now=NOON)
    with sql(bare_place) as connection:
        connection.execute("UPDATE schema_version SET version = 99")
    before = content(bare_place.file)
    with pytest.raises(NeedsRepair, match=rf"newer agentmem \(schema 99, this one knows {VERSION}\)"):
        async with bare_place.journal():
            pass
    assert content(bare_place.file) == before
    with sql(bare_place) as connection:
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (1,)


async def test_a_database_of_something_else_is_refused_untouched(sqlite_place: Place, file: Path) -> None:
    file.parent.mkdir(parents=True)
    with sql(sqlite_place) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    before = content(file)
    with pytest.raises(NeedsRepair, match="something else"):
        async with sqlite_place.journal():
            pass
    assert content(file) == before


async def test_a_file_that_is_no_database_is_refused_untouched(sqlite_place: Place, file: Path) -> None:
    file.parent.mkdir(parents=True)
    shutil.copy(__file__, file)
    with pytest.raises(NeedsRepair, match="is not a journal"):
        async with sqlite_place.journal():
            pass
    assert content(file) == content(Path(__file__))


async def test_a_place_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BackendUnavailable, match="cannot be created"):
        async with SqlJournal(f"sqlite:///{tmp_path}/file/journal.db", routes=ROUTES):
            pass


@pytest.mark.parametrize("url", ["", "journal.db", "mysql://me:secret@host/db", "sqlite://", "sqlite:///:memory:"])
def test_another_kind_of_url_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(InvalidInput, match="sqlite:///FILE or postgresql://") as refused:
        SqlJournal(url, routes=ROUTES)
    assert "secret" not in str(refused.value)


async def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    journal = SqlJournal("postgresql://me:secret@127.0.0.1:1/db", routes=ROUTES)
    async with asyncio.timeout(10):
        with pytest.raises(BackendUnavailable, match=r"127\.0\.0\.1:1/db does not answer") as refused:
            await journal.__aenter__()
    assert "secret" not in str(refused.value)


async def test_four_processes_may_open_an_empty_place_at_once(bare_place: Place) -> None:
    processes = [begin(append_all, bare_place, [said(f"lane-{n}", 0)]) for n in range(4)]
    assert [await ended(process) for process in processes] == [0, 0, 0, 0]
    async with bare_place.journal() as journal:
        assert len(await journal.events.lanes(Scope(TENANT, AGENT))) == 4


async def test_a_kill_while_the_tables_are_made_leaves_no_half_of_them(bare_place: Place) -> None:
    for statements in (4, 12, 25, 40):
        await ended(begin(open_until, bare_place, statements))
    async with bare_place.journal() as journal:
        await journal.events.append([said("a", 0)], now=NOON)
        assert await work_off(journal) == 1


async def test_many_callers_share_a_commit(place: Place) -> None:
    steps: list[str] = []
    async with place.journal(on_commit=steps.append) as journal:
        await asyncio.gather(*(journal.events.append([said(f"lane-{n}", n)], now=NOON) for n in range(200)))
    assert 1 <= steps.count("after:append") == steps.count("before:append") < 50


async def test_closing_answers_everybody(place: Place) -> None:
    async with place.journal() as journal:
        calls = [asyncio.create_task(journal.events.append([said("a", n)], now=NOON)) for n in range(50)]
        await asyncio.sleep(0)
    async with asyncio.timeout(10):
        answers = await asyncio.gather(*calls, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, BaseException)]
    assert all(isinstance(answer, BackendUnavailable) for answer in refused)
    async with place.journal() as journal:
        assert len(await journal.events.uncut(said("a", 0).lane, through=EVER)) == 50 - len(refused)


async def test_a_full_disk_refuses_loses_nothing_and_heals(sqlite_place: Place) -> None:
    with pages_limited() as limit:
        async with sqlite_place.journal() as journal:
            await journal.events.append([said("a", 0)], now=NOON)
        limit[0] = 60
        async with sqlite_place.journal() as journal:
            long = [said("a", number).revised(text="x" * 2_000) for number in range(1, 200)]
            answers = [await _tried(journal, event) for event in long]
            refused = [answer for answer in answers if answer is not None]
            assert refused
            assert all("is full: free space" in str(error) for error in refused)
            limit[0] = 1_000_000
            kept = await journal.events.uncut(said("a", 0).lane, through=EVER)
            assert len(kept) == 1 + len(long) - len(refused)
            assert [await _tried(journal, event) for event in long] == [None] * len(long)


async def _tried(journal: SqlJournal, turn: TurnSpoken) -> BackendUnavailable | None:
    try:
        await journal.events.append([turn], now=NOON)
    except BackendUnavailable as error:
        return error
    return None


async def test_a_file_locked_by_another_process_is_refused_in_time_and_heals(sqlite_place: Place, file: Path) -> None:
    async with sqlite_place.journal(patience=0.1) as journal:
        await journal.events.append([said("a", 0)], now=NOON)
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BackendUnavailable, match="written by another process") as refused:
            await journal.events.append([said("a", 1)], now=NOON)
        assert refused.value.retry_after
        assert await journal.ledger.head() == 0, "readers wait for no writer"
        other.execute("ROLLBACK")
        other.close()
        await journal.events.append([said("a", 1)], now=NOON)


@pytest.mark.external
async def test_options_of_the_environment_hold_beside_the_journal_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGOPTIONS", "-c work_mem=5MB -c statement_timeout=1")
    engine = reading_engine(parse(POSTGRES, "public"), patience=9)
    with engine.connect() as connection:
        told = [connection.execute(text(f"SHOW {name}")).scalar() for name in ("work_mem", "statement_timeout")]
    engine.dispose()
    assert told == ["5MB", "9s"]


@pytest.mark.external
async def test_postgresql_compiles_no_plan_however_dear_it_counts() -> None:
    engine = reading_engine(parse(POSTGRES, "public"), patience=9)
    with engine.connect() as connection:
        connection.execute(text("CREATE TEMPORARY TABLE unindexed (word TEXT)"))
        plan = connection.execute(text("EXPLAIN (ANALYZE) SELECT count(*) FROM unindexed WHERE word <> ''"))
        told = "\n".join(plan.scalars())
    engine.dispose()
    assert "Seq Scan" in told, "no index serves it, so it counts as dear beyond all measure"
    assert "JIT" not in told


@pytest.mark.external
async def test_a_server_that_drops_its_connections_is_found_again() -> None:
    schema = f"agentmem_{secrets.token_hex(6)}"
    with psycopg.connect(POSTGRES, autocommit=True) as admin:
        async with SqlJournal(POSTGRES, schema=schema, routes=ROUTES) as journal:
            await journal.events.append([said("a", 0)], now=NOON)
            async with asyncio.timeout(10):
                for number in (1, 2):
                    _drop_connections(admin, schema)
                    [taken] = await journal.events.append([said("a", number)], now=NOON)
                    assert not taken.duplicate
                _drop_connections(admin, schema)
                assert await journal.ledger.head() == 0
        admin.execute("SET client_min_messages = warning")
        admin.execute(f'DROP SCHEMA "{schema}" CASCADE'.encode())


@pytest.mark.external
async def test_what_may_have_been_committed_when_its_connection_broke_is_not_done_again() -> None:
    schema = f"agentmem_{secrets.token_hex(6)}"
    tried: list[str] = []

    def hear(step: str) -> None:
        if step == "before:append":
            tried.append(step)
            if len(tried) == 1:
                _drop_connections(admin, schema)

    with psycopg.connect(POSTGRES, autocommit=True) as admin:
        async with SqlJournal(POSTGRES, schema=schema, routes=ROUTES, on_commit=hear) as journal:
            with pytest.raises(BackendUnavailable, match="does not answer"):
                await journal.events.append([said("a", 0)], now=NOON)
            assert len(tried) == 1
            [taken] = await journal.events.append([said("a", 0)], now=NOON)
            assert not taken.duplicate
        admin.execute("SET client_min_messages = warning")
        admin.execute(f'DROP SCHEMA "{schema}" CASCADE'.encode())


def _drop_connections(admin: psycopg.Connection[Any], schema: str) -> None:
    mine = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s"
    admin.execute(mine, (f"agentmem {schema}",))


async def test_an_error_in_a_caller_s_work_reaches_that_caller(place: Place) -> None:
    steps: list[str] = []

    def hear(step: str) -> None:
        steps.append(step)
        if step == "before:finish":
            raise ArithmeticError("a bug")

    async with place.journal(on_commit=hear) as journal:
        await journal.events.append([said("a", 0)], now=NOON)
        claim = await journal.queue.claim(CONVERSATION)
        assert claim
        with pytest.raises(ArithmeticError, match="a bug"):
            await journal.queue.finish(claim, Done())
        await journal.queue.release(claim)
        assert (await journal.queue.depth()).ready == 1
    await until(lambda: "after:close" in steps)


UNCOUNTED = (
    "DROP TABLE tokens",
    "DROP TABLE windows",
    "ALTER TABLE jobs RENAME COLUMN payload TO note",
    "ALTER TABLE leases DROP COLUMN worker",
    "ALTER TABLE jobs DROP COLUMN crashes",
    "DROP INDEX memories_recorded",
    "ALTER TABLE memories DROP COLUMN record",
    "DROP INDEX heads_of_tenant",
    "ALTER TABLE heads DROP COLUMN tenant",
    "CREATE INDEX heads_by_age ON heads (ordinal, job_no, worker, due, lane_id)",
)
WITHOUT_COPIES = (*UNCOUNTED, "DROP TABLE lineages", "DROP INDEX ledger_of_agent")


async def test_a_journal_from_before_there_were_copies_is_brought_up_to_date(bare_place: Place) -> None:
    async with bare_place.journal() as journal:
        held = await lived(journal)
    with sql(bare_place) as connection:
        for statement in (*WITHOUT_COPIES, "UPDATE schema_version SET version = 3"):
            connection.execute(statement)
    async with bare_place.journal() as journal:
        copy = await copied(journal, await journal.copies.begin(clone_of_seller(), now=NOON))
        await journal.copies.complete(copy, now=NOON)
        assert len(await journal.ledger.select(Selection(Scope(TENANT, copy.agent_id)))) == len(held)


async def test_a_journal_from_before_there_were_tombstones_is_brought_up_to_date(bare_place: Place) -> None:
    async with bare_place.journal() as journal:
        await journal.events.append([said("a", 0)], now=NOON)
    with sql(bare_place) as connection:
        for statement in (*WITHOUT_COPIES, "DROP TABLE tombstones", "UPDATE schema_version SET version = 2"):
            connection.execute(statement)
    async with bare_place.journal() as journal:
        (answer,) = await journal.events.append([said("a", 0)], now=NOON)
        assert answer.duplicate
