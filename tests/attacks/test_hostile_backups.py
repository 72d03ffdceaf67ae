"""A backup from elsewhere: whatever it is, it is refused in one line, and the store stays as it is."""

import json
import sqlite3
import zlib
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentmem.adapters.journal.backups.snapshot import MAGIC, MAX_MANIFEST
from agentmem.adapters.journal.schema import VERSION
from agentmem.errors import AgentMemError, InvalidInput
from tests.support.copying import lived
from tests.support.journals import Place, said
from tests.support.nodes import NOON

Change = Callable[[sqlite3.Connection], object]


@pytest.fixture
async def sound(tmp_path: Path) -> Path:
    """A backup as it must be, with the database that is in it beside it."""
    place = Place(f"sqlite:///{tmp_path / 'from' / 'journal.db'}")
    async with place.journal() as journal:
        await lived(journal)
        await journal.events.append([said("a", number) for number in range(3)], now=NOON)
        await journal.backups.write(tmp_path / "sound.backup", now=NOON)
    (tmp_path / "sound.db").write_bytes(_unpacked(tmp_path / "sound.backup"))
    return tmp_path / "sound.backup"


def forged(sound: Path, change: Change | None = None, fields: Mapping[str, object] | None = None) -> Path:
    """A backup whose digest is right, of a database that somebody changed; `fields` change the manifest."""
    raw = sound.read_bytes()
    manifest = json.loads(raw[len(MAGIC) : raw.index(b"\n", len(MAGIC))])
    database = sound.with_suffix(".db")
    if change is not None:
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA writable_schema=ON")
            change(connection)
        connection.close()
    body = database.read_bytes()
    manifest |= {"size": len(body), "sha256": sha256(body).hexdigest()} | dict(fields or {})
    file = sound.with_name("forged.backup")
    file.write_bytes(MAGIC + json.dumps(manifest).encode() + b"\n" + zlib.compress(body))
    return file


async def refused(file: Path, tmp_path: Path) -> str:
    """The line with which a store refuses the file; it holds what it held."""
    async with Place(f"sqlite:///{tmp_path / 'to' / 'journal.db'}").journal() as journal:
        await journal.events.append([said("mine", 0)], now=NOON)
        with pytest.raises(AgentMemError) as error:
            await journal.backups.restore(file)
        assert len(await journal.events.of_lane(said("mine", 0).lane, after=0, limit=9)) == 1
        assert list((tmp_path / "to" / "backups").glob("*")) == []
    assert isinstance(error.value, InvalidInput)
    assert "\n" not in str(error.value)
    return str(error.value)


SCHEMAS: dict[str, Change] = {
    "a trigger": lambda db: db.execute("CREATE TRIGGER t AFTER UPDATE ON memories BEGIN DELETE FROM events; END"),
    "a view in the place of a table": lambda db: db.executescript(
        "DROP TABLE vectors; CREATE VIEW vectors AS SELECT 1 AS fingerprint, 2 AS key, 3 AS vector"
    ),
    "a table of its own": lambda db: db.execute("CREATE TABLE more (x)"),
    "a virtual table": lambda db: db.executescript("DROP TABLE vectors; CREATE VIRTUAL TABLE vectors USING fts5(key)"),
    "a computed column": lambda db: db.executescript(
        "DROP TABLE marks; CREATE TABLE marks (name TEXT, value TEXT AS (upper(name)))"
    ),
    "text for a number": lambda db: db.execute("UPDATE memories SET timestamp = 'soon'"),
    "a number for text": lambda db: db.execute("UPDATE events SET body = x'00ff'"),
    "nothing where something must be": lambda db: db.executescript(
        "DROP TABLE marks; CREATE TABLE marks (name TEXT, value TEXT); INSERT INTO marks VALUES ('x', NULL)"
    ),
    "one number twice": lambda db: db.executescript(
        "CREATE TABLE x AS SELECT * FROM events; DROP TABLE events; ALTER TABLE x RENAME TO events;"
        "INSERT INTO events SELECT * FROM events LIMIT 1"
    ),
    "no counters": lambda db: db.execute("DELETE FROM counters"),
    "a table less": lambda db: db.execute("DROP TABLE dependencies"),
}


@pytest.mark.parametrize("change", SCHEMAS.values(), ids=SCHEMAS)
async def test_a_database_that_is_no_journal_is_refused(sound: Path, tmp_path: Path, change: Change) -> None:
    file = forged(sound, change)
    told = await refused(file, tmp_path)
    assert told.startswith(f"{file}: ")


MANIFESTS: dict[str, dict[str, object]] = {
    "a newer schema": {"schemaVersion": VERSION + 1},
    "an older schema than it has": {"schemaVersion": VERSION - 1},
    "other counts": {"rows": {"events": 7}},
    "another digest": {"sha256": "0" * 64},
    "a smaller size": {"size": 4_096},
    "a larger size": {"size": 1 << 20},
    "no size": {"size": 0},
    "an unknown key": {"run": "rm"},
}


@pytest.mark.parametrize("fields", MANIFESTS.values(), ids=MANIFESTS)
async def test_a_manifest_that_lies_is_refused(sound: Path, tmp_path: Path, fields: dict[str, object]) -> None:
    await refused(forged(sound, fields=fields), tmp_path)


async def test_a_size_beyond_the_disk_is_refused_before_anything_is_unpacked(sound: Path, tmp_path: Path) -> None:
    async with Place(f"sqlite:///{tmp_path / 'to' / 'journal.db'}").journal() as journal:
        with pytest.raises(AgentMemError, match="free space"):
            await journal.backups.check(forged(sound, fields={"size": 1 << 60}))


CONTENTS: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda raw: b"",
    "another file": lambda raw: b"PK\x03\x04" + raw,
    "half of it": lambda raw: raw[: len(raw) // 2],
    "its last byte less": lambda raw: raw[:-1],
    "one byte more": lambda raw: raw + b"x",
    "an endless manifest": lambda raw: MAGIC + b"{" + b" " * (2 * MAX_MANIFEST),
    "a manifest that is none": lambda raw: MAGIC + b"[]\n",
    "a deep manifest": lambda raw: MAGIC + b"[" * 30_000 + b"\n",
    "a bomb": lambda raw: raw[: raw.index(b"\n", len(MAGIC)) + 1] + zlib.compress(bytes(100 << 20)),
}


@pytest.mark.parametrize("damage", CONTENTS.values(), ids=CONTENTS)
async def test_a_damaged_file_is_refused(sound: Path, tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    await refused(changed(sound, damage), tmp_path)


def changed(sound: Path, damage: Callable[[bytes], bytes]) -> Path:
    """A file that was a backup before."""
    file = sound.with_name("changed.backup")
    file.write_bytes(damage(sound.read_bytes()))
    return file


def one_byte(raw: bytes, place: int, mask: int) -> bytes:
    """The same but for some bits of one byte behind the manifest."""
    where = raw.index(b"\n", len(MAGIC)) + 3
    where += place % (len(raw) - where)
    return raw[:where] + bytes([raw[where] ^ mask]) + raw[where + 1 :]


@given(st.integers(0, 1 << 30), st.integers(1, 255))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_no_changed_byte_goes_unnoticed(sound: Path, tmp_path: Path, place: int, mask: int) -> None:
    """Save a bit that nothing reads: then what is unpacked is what was packed."""
    journal = Place(f"sqlite:///{tmp_path / 'to' / 'journal.db'}").journal()
    file = changed(sound, lambda raw: one_byte(raw, place, mask))
    try:
        await journal.backups.check(file)
    except InvalidInput:
        return
    assert _unpacked(file) == _unpacked(sound)


def _unpacked(file: Path) -> bytes:
    raw = file.read_bytes()
    return zlib.decompress(raw[raw.index(b"\n", len(MAGIC)) + 1 :])


@pytest.mark.parametrize("name", ["", "missing.backup", "from"])
async def test_what_is_no_file_is_refused(sound: Path, tmp_path: Path, name: str) -> None:
    await refused(tmp_path / name, tmp_path)
