"""The failing disk fails where it is told to, and its power cuts take what nobody made durable."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.syscalls import after_power_cut, available, environment

pytestmark = pytest.mark.skipif(not available(), reason="no C compiler, or not Linux")

_WRITER = """
import json, sqlite3, sys
from pathlib import Path
from tests.support.syscalls import Disk
folder, keep, how = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
disk = Disk()
disk.shadow(folder, keep)
store = sqlite3.connect(folder / "journal.db")
store.execute("PRAGMA journal_mode=wal")
store.execute(f"PRAGMA synchronous={how}")
store.execute("CREATE TABLE told (number INTEGER)")
store.commit()
for number in range(20):
    store.execute("INSERT INTO told VALUES (?)", (number,))
    store.commit()
seen = []
for call, outcome in (("fsync", 5), ("write", 28)):
    disk.arm(folder, call, 1, outcome)
    try:
        store.execute("INSERT INTO told VALUES (99)")
        store.commit()
    except sqlite3.OperationalError as error:
        seen.append(str(error))
        store.rollback()
    disk.disarm()
disk.count(folder)
store.execute("INSERT INTO told VALUES (20)")
store.commit()
print(json.dumps([seen, disk.calls]))
"""


def written(tmp_path: Path, how: str) -> tuple[list[str], int, set[int]]:
    """What a writer with this durability saw fail, its calls for one commit, and what a power cut leaves of 21 rows."""
    folder, keep, left = (tmp_path / name for name in ("data", "keep", "left"))
    folder.mkdir()
    ran = subprocess.run(
        [sys.executable, "-c", _WRITER, str(folder), str(keep), how],
        env={**os.environ, **environment()},
        cwd=Path(__file__).parents[2],
        check=True,
        capture_output=True,
    )
    seen, calls = json.loads(ran.stdout)
    after_power_cut(folder, keep, left)
    reader = (
        "import sqlite3, sys; print([n for (n,) in sqlite3.connect(sys.argv[1]).execute('SELECT number FROM told')])"
    )
    found = subprocess.run([sys.executable, "-c", reader, str(left / "journal.db")], capture_output=True, check=False)
    return seen, calls, set(json.loads(found.stdout or b"[]"))


def test_a_disk_fails_at_the_call_it_is_told_and_works_again(tmp_path: Path) -> None:
    seen, calls, left = written(tmp_path, "full")
    assert seen == ["disk I/O error", "database or disk is full"]
    assert calls >= 2
    assert left >= set(range(21))


def test_a_power_cut_takes_what_was_written_and_never_made_durable(tmp_path: Path) -> None:
    _, _, left = written(tmp_path, "off")
    assert not left & set(range(21))
