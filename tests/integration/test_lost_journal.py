"""A journal that another process holds up, or that is gone: who reads waits for nobody, and nothing seems forgotten."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentmem.errors import NeedsRepair
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from tests.support.cli import agentmem
from tests.support.nodes import a_turn
from tests.support.spine import quiet_persona

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("embedded_index_throughout")]

READING = (
    ("queue",),
    ("dead", "list"),
    ("doctor",),
    ("memories", "--agent", "aip_sales"),
    ("recall", "phone", "--agent", "aip_sales"),
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A store in which a phone number was told."""
    told = tmp_path / "data"
    assert (
        agentmem("say", "aip_sales", "--from", "Ben", "My phone number is 555 0100", "--end", "--data", told).code == 0
    )
    return told


def test_who_reads_waits_for_no_writer_that_was_stopped(data: Path) -> None:
    with closing(sqlite3.connect(data / "journal.db", isolation_level=None)) as stopped:
        stopped.execute("BEGIN IMMEDIATE")
        for command in READING:
            ran = agentmem(*command, "--data", data, "--json")
            assert ran.code == 0, (command, ran)
        stopped.execute("ROLLBACK")


@pytest.mark.parametrize("lost", ["missing", "empty"])
def test_a_journal_lost_beside_a_full_index_is_refused_by_every_command(data: Path, lost: str) -> None:
    journal = data / "journal.db"
    journal.unlink()
    if lost == "empty":
        journal.touch()
    index = sorted(path for path in data.glob("index/**/*") if path.is_file())
    for command in (*READING, ("say", "aip_sales", "--from", "Ben", "hello")):
        ran = agentmem(*command, "--data", data)
        assert ran.code == 4, (command, ran)
        assert lost in " ".join((ran.out + ran.err).split())
        assert "agentmem restore" in " ".join((ran.out + ran.err).split())
        assert command[0] == "doctor" or len(ran.err.splitlines()) == 1, (command, ran)
    assert not journal.exists() or journal.stat().st_size == 0
    assert sorted(path for path in data.glob("index/**/*") if path.is_file()) == index


def test_with_its_index_moved_away_a_lost_journal_begins_anew(data: Path, tmp_path: Path) -> None:
    (data / "journal.db").unlink()
    (data / "index").rename(tmp_path / "kept")
    assert agentmem("queue", "--data", data).code == 0


async def test_another_journal_than_that_of_the_index_is_refused(tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for place in (ours, theirs):
        async with open_app(Settings(data=place)) as app:
            await app.know_agent(quiet_persona())
            if place == ours:
                await app.accept([a_turn("hello", 1, tenant=app.tenant)])
                await app.drain()
    (theirs / "journal.db").replace(ours / "journal.db")
    with pytest.raises(NeedsRepair, match="of which the journal knows nothing"):
        async with open_app(Settings(data=ours)):
            pass
