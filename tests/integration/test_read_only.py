"""Data that may only be read can be read, and is left as it is."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.cli import agentmem, started
from tests.support.mounts import read_only

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("embedded_index_throughout")]

PHONE = "My phone number is 555 0100"
READING = (
    ("recall", "phone", "--agent", "aip_sales"),
    ("context", "phone", "--agent", "aip_sales"),
    ("ask", "phone", "--agent", "aip_sales"),
    ("memories", "--agent", "aip_sales"),
)


def told(data: Path) -> Path:
    """A store in which a phone number was told."""
    said = agentmem("say", "aip_sales", "--from", "Ben", PHONE, "--end", "--data", data, "--json")
    assert said.json["processed"], said
    return data


def left_by_a_kill(data: Path) -> None:
    """As a killed process leaves it: the write-ahead log beside the file, and no seal of the index."""
    journal, copy = data / "journal.db", data / "copy.db"
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint=0")
        connection.execute("INSERT INTO marks VALUES ('test.mark', 'in the log')")
        shutil.copyfile(journal, copy)
        shutil.copyfile(f"{journal}-wal", data / "copy.db-wal")
    copy.replace(journal)
    (data / "copy.db-wal").replace(data / "journal.db-wal")
    for seal in data.glob("index/*.seal"):
        seal.unlink()


def broken(data: Path) -> None:
    """With an index that cannot be opened."""
    for seal in data.glob("index/*.seal"):
        seal.write_text("{}")


def without_index(data: Path) -> None:
    """With no index at all."""
    shutil.rmtree(data / "index")


def test_what_may_only_be_read_can_be_read(tmp_path: Path) -> None:
    data = told(tmp_path / "data")
    before = content(data)
    with read_only(data, tmp_path / "mount") as mounted:
        for command in READING:
            ran = agentmem(*command, "--data", mounted, "--json")
            assert (ran.code, "555 0100" in ran.out) == (0, True), (command, ran)
        for command in (("queue",), ("doctor",), ("index", "verify"), ("dead", "list")):
            ran = agentmem(*command, "--data", mounted, "--json")
            assert ran.code == 0, (command, ran)
            assert command != ("doctor",) or "mounted read-only" in ran.out
        shown = agentmem("memories", "--agent", "aip_sales", "--data", mounted, "--json").json["memories"][0][
            "memoryId"
        ]
        assert agentmem("show", shown, "--data", mounted).code == 0
        out = tmp_path / "out.md"
        assert agentmem("export", "aip_sales", out, "--data", mounted).code == 0
        assert "555 0100" in out.read_text()
        assert agentmem("export", "aip_sales", tmp_path / "out.zip", "--data", mounted).code == 0
        refuses_to_write(mounted)
    assert content(data) == before


@pytest.mark.parametrize("damage", [left_by_a_kill, broken, without_index])
def test_what_is_damaged_and_may_only_be_read_can_be_read(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    data = told(tmp_path / "data")
    damage(data)
    before = content(data)
    with read_only(data, tmp_path / "mount") as mounted:
        for command in READING[:1]:
            ran = agentmem(*command, "--data", mounted, "--json")
            assert (ran.code, "555 0100" in ran.out) == (0, True), (command, ran)
        refuses_to_write(mounted)
    assert content(data) == before


def test_what_makes_no_sense_where_nothing_is_written_is_refused_in_one_line(tmp_path: Path) -> None:
    data = told(tmp_path / "data")
    assert agentmem("backup", data / "b.zip", "--data", data).code == 0
    before = content(data)
    with read_only(data, tmp_path / "mount") as mounted:
        for command in (
            ("worker",),
            ("restore", mounted / "b.zip", "--force"),
            ("index", "rebuild"),
            ("embedder", "migrate", "--set", "embedder=hash-128"),
        ):
            ran = agentmem(*command, "--data", mounted)
            assert (ran.code, len(ran.err.splitlines())) == (4, 1), (command, ran)
    assert content(data) == before


def test_an_index_alone_that_may_only_be_read_misses_nothing_later(tmp_path: Path) -> None:
    data = told(tmp_path / "data")
    with read_only(data / "index", data / "index"):
        for words in ("I live in Oslo", "My budget is 30k"):
            said = agentmem("say", "aip_sales", "--from", "Ben", words, "--end", "--data", data)
            assert said.code == 0, said
        assert "Oslo" in agentmem("recall", "where does Ben live", "--agent", "aip_sales", "--data", data).out
        assert agentmem("index", "rebuild", "--data", data).code == 4
    verified = agentmem("index", "verify", "--data", data)
    assert verified.code == 0, verified
    assert "Oslo" in agentmem("recall", "where does Ben live", "--agent", "aip_sales", "--data", data).out


def test_nothing_is_erased_while_the_index_may_only_be_read(tmp_path: Path) -> None:
    data = told(tmp_path / "data")
    erase = ("forget", "--agent", "aip_sales", "--about", "Ben", "--erase", "--yes", "--data", data)
    with read_only(data / "index", data / "index"):
        refused = agentmem(*erase)
        assert refused.code == 4, refused
        assert "not cleaned up yet" in refused.err
        assert not list(data.glob("receipts/*"))
    assert agentmem("recall", "phone", "--agent", "aip_sales", "--data", data).code == 0  # which cleans up
    assert b"555 0100" not in b"".join(content(data).values())


def refuses_to_write(mounted: Path) -> None:
    """A turn is not taken in, and why is one line."""
    refused = agentmem("say", "aip_sales", "--from", "Ben", "hello", "--data", mounted)
    assert refused.code == 4
    assert refused.err.count("\n") == 1
    assert "may not be written" in refused.err


def content(data: Path) -> dict[Path, bytes]:
    """All that is in a folder, by path."""
    return {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}


def test_a_store_that_is_being_written_is_read_beside_its_writer(tmp_path: Path) -> None:
    data = told(tmp_path / "data")
    with read_only(data, tmp_path / "mount") as mounted, started("-m", "agentmem", "worker", "--data", data) as worker:
        assert worker.stderr is not None
        assert "ready" in worker.stderr.readline()
        assert "555 0100" in agentmem("memories", "--agent", "aip_sales", "--data", mounted).out
        through = agentmem("recall", "phone", "--agent", "aip_sales", "--data", mounted)
        assert (through.code, "555 0100" in through.out) == (0, True)
        worker.terminate()


def test_a_journal_of_an_older_version_is_refused_with_what_to_do(tmp_path: Path) -> None:
    data = told(tmp_path / "data")
    with closing(sqlite3.connect(data / "journal.db", isolation_level=None)) as connection:
        connection.execute("UPDATE schema_version SET version = 1")
    with read_only(data, tmp_path / "mount") as mounted:
        ran = agentmem("memories", "--agent", "aip_sales", "--data", mounted, "--json")
        assert ran.code == 4
        assert "open it once where it may be" in ran.err
