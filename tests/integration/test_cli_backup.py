"""`agentmem backup` and `restore`, as an owner uses them."""

import json
import re
import shutil
from pathlib import Path

import pytest

from agentmem.adapters.journal.schema import VERSION
from agentmem.adapters.memory_index.folder import FolderLock
from agentmem.runtime.composition.backups import kept_backups
from tests.support.cli import Ran, agentmem
from tests.support.golden import golden

KNOWS = "recall", "怎么联系小东", "--agent", "aip_sales", "--json"


def run(data: Path, *arguments: str | Path) -> Ran:
    """A command on this data directory."""
    return agentmem(*arguments, "--data", data)


@pytest.fixture(scope="module")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which somebody told his number; to be copied."""
    data = tmp_path_factory.mktemp("played") / "data"
    assert run(data, "run", "scenarios/aip_sales.yaml").code == 0
    return data


@pytest.fixture
def played(played_once: Path, tmp_path: Path) -> Path:
    """A data directory of one's own with that."""
    return Path(shutil.copytree(played_once, tmp_path / "data"))


def top(data: Path) -> str:
    """What a recall finds first."""
    ran = run(data, *KNOWS)
    assert ran.code == 0, ran.err
    return str(ran.json["hits"][0]["memory"]["content"])


def test_a_store_is_restored_on_another_machine_and_answers_as_before(played: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "x.backup", tmp_path / "other"
    written = run(played, "backup", file, "--json")
    assert written.code == 0, written.err
    assert written.json["schemaVersion"] == VERSION
    restored = run(other, "restore", file, "--json")
    assert restored.code == 0, restored.err
    told = run(other, "restore", file, "--force").out
    assert re.match(r"restored as of \d{4}-\d\d-\d\d \d\d:\d\d: ", told)
    assert "with the forgotten" in told
    assert "that are not forgotten" in told
    assert restored.json["rows"] == written.json["rows"]
    assert restored.json["aside"] is None
    assert top(other) == top(played)
    assert run(other, "index", "verify").code == 0
    assert other.stat().st_mode & 0o777 == 0o700
    doctor = run(played, "doctor", "--json").json
    assert doctor["backups"]["last"] == written.json["madeAt"]


def test_what_is_there_is_kept_or_put_aside_and_can_be_brought_back(played: Path, tmp_path: Path) -> None:
    file, empty = tmp_path / "empty.backup", tmp_path / "empty"
    assert run(empty, "backup", file).code == 0
    told = run(played, "restore", file)
    assert (told.code, "--force" in told.err) == (2, True)
    before = top(played)
    forced = run(played, "restore", file, "--force", "--json")
    assert forced.code == 0, forced.err
    assert run(played, *KNOWS).code == 5
    (kept,) = kept_backups(played)
    assert str(kept.path) == forced.json["aside"]
    assert run(played, "doctor", "--json").json["backups"]["kept"] == [str(kept.path)]
    assert run(played, "restore", kept.path, "--force").code == 0
    assert top(played) == before


def test_a_damaged_journal_is_put_aside_whole_and_replaced(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "x.backup"
    assert run(played, "backup", file).code == 0
    before = top(played)
    journal = played / "journal.db"
    journal.write_bytes(journal.read_bytes()[:4096] + b"\xff" * 20_000)
    assert run(played, "backup", tmp_path / "y.backup").code == 4
    assert not (tmp_path / "y.backup").exists()
    assert run(played, "restore", file).code == 0, "what cannot be read needs no --force to be put aside"
    assert top(played) == before
    (kept,) = kept_backups(played)
    assert (kept.path / "journal.db").stat().st_size == 24_096


@pytest.mark.thorough
@pytest.mark.usefixtures("embedded_index")
@pytest.mark.parametrize("left", ["nothing", "an empty file"])
def test_a_lost_journal_is_put_back_as_doctor_says(played: Path, tmp_path: Path, left: str) -> None:
    file = tmp_path / "x.backup"
    assert run(played, "backup", file).code == 0
    before = top(played)
    (played / "journal.db").unlink()
    if left == "an empty file":
        (played / "journal.db").touch(0o600)
    assert run(played, *KNOWS).code == 4
    assert "agentmem restore FILE --force" in " ".join(run(played, "doctor").out.split())
    assert run(played, "restore", file).code == 0
    assert top(played) == before


def test_a_file_that_is_no_backup_is_refused_and_nothing_is_made(tmp_path: Path) -> None:
    told = run(tmp_path / "data", "restore", "config.yaml", "--json")
    assert (told.code, "no backup" in json.dumps(told.json)) == (3, True)
    assert not (tmp_path / "data" / "journal.db").exists()


def test_a_store_is_backed_up_before_it_is_migrated(tmp_path: Path) -> None:
    data, other = golden(3, tmp_path).parent, tmp_path / "other"
    known = run(data, "memories", "--agent", "running_coach", "--all", "--json")
    assert (known.code, len(known.json["memories"]) > 5) == (0, True)
    (kept,) = kept_backups(data)
    assert kept.path.name == f"before-schema-{VERSION}-from-3.backup"
    restored = run(other, "restore", kept.path, "--json")
    assert (restored.code, restored.json["schemaVersion"]) == (0, 3)
    assert run(other, "memories", "--agent", "running_coach", "--all", "--json").json == known.json
    assert [each.name for each in (other / "backups").iterdir()] == []


def test_an_erasure_reaches_the_copies_that_are_kept_beside_the_store(played: Path, tmp_path: Path) -> None:
    assert run(tmp_path / "empty", "backup", tmp_path / "empty.backup").code == 0
    assert run(played, "restore", tmp_path / "empty.backup", "--force").code == 0
    (kept,) = kept_backups(played)
    assert run(played, "restore", kept.path, "--force").code == 0
    assert kept_backups(played) == [kept]
    erased = run(played, "forget", "--agent", "aip_sales", "--about", "罗小东", "--erase", "--yes")
    assert erased.code == 0, erased.err
    assert kept_backups(played) == []
    assert run(played, "doctor", "--canary", "12345678901").code == 0


@pytest.mark.usefixtures("embedded_index")
def test_a_worker_that_holds_the_index_is_not_restored_under(played: Path, tmp_path: Path) -> None:
    file = tmp_path / "x.backup"
    assert run(played, "backup", file).code == 0
    assert top(played)
    (folder,) = (path for path in (played / "index").iterdir() if path.is_dir())
    lock = FolderLock(folder)
    lock.take()
    assert run(played, "restore", file, "--force").code == 4
    lock.release()
    assert top(played)
