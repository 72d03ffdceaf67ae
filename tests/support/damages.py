"""Every damage that tests do to a store, so that each is shown to `doctor` as well.

To add one, write a function that damages a closed data directory, and put `@damage("name", says=…, mend=…)` over it:
`says` is a piece of the line in which `agentmem doctor` names the damage, `mend` the command (or the words, where no
command mends it) which that line ends in; in it FILE is a backup of the sound store, NAME and TEXT are what to say.
`tests/integration/test_doctor.py` then makes it in a copy of a sound store, looks for that line, and where `mends` is
True runs the command and looks for a sound store. A damage that only its own fixtures can make (a disk, a server, a
second process) gives `of_files` or `of_journal` in `agentmem.runtime.facade.checkup` what they would see, beside the
test that makes it.
"""

import asyncio
import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from agentmem.adapters.journal.leases import Holder
from agentmem.domain.packed import packed, unpacked
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from tests.support.cli import agentmem

Make = Callable[[Path], None]
RESTORE = "agentmem restore FILE --force"
NOTHING = "nothing is to be done"
"""What is said where opening the store has mended it."""


@dataclass(frozen=True, slots=True)
class Damage:
    """`make` does it to a closed data directory; `says` and `mend` are what `doctor` says of it; `options` are what its
    command line needs besides. `mends`: the command named may be run here, and leaves a sound store."""

    name: str
    make: Make
    says: str
    mend: str
    mends: bool
    options: tuple[str, ...]


DAMAGES: list[Damage] = []


def damage(
    name: str, *, says: str, mend: str, mends: bool = False, options: tuple[str, ...] = ()
) -> Callable[[Make], Make]:
    """Put what is decorated on the list."""

    def add(make: Make) -> Make:
        assert name not in {known.name for known in DAMAGES}
        DAMAGES.append(Damage(name, make, says, mend, mends, options))
        return make

    return add


def removed(file: Path) -> None:
    """The file is not there any more."""
    file.unlink()


def emptied(file: Path) -> None:
    """The file has no content."""
    os.truncate(file, 0)


def halved(file: Path) -> None:
    """The second half of the file is gone."""
    os.truncate(file, file.stat().st_size // 2)


def flipped(file: Path) -> None:
    """The first byte that is not zero becomes its opposite; in a file of zeros, the one in the middle."""
    content = file.read_bytes()
    place = next((number for number, byte in enumerate(content[:100_000]) if byte), len(content) // 2)
    with file.open("r+b") as opened:
        opened.seek(place)
        opened.write(bytes([content[place] ^ 0xFF]))


FILE_DAMAGES: list[Make] = [removed, emptied, halved, flipped]
"""What may become of one file."""

INDEX_FILES = (
    "edge_config.json",
    "segments/*/segment.json",
    "segments/*/mutable_id_tracker.mappings",
    "segments/*/payload_storage/page_0.dat",
    "segments/*/payload_storage/tracker.dat",
    "segments/*/payload_index/*-tenant-map/page_0.dat",
    "segments/*/vector_storage-content/vectors/chunk_0.mmap",
    "segments/*/vector_storage-keys/offsets/chunk_0.mmap",
    "segments/*/vector_storage-lexical/store/page_0.dat",
    "wal/open-*",
)
"""One of each sort of file that an embedded index has, as patterns below its folder."""


def index_of(data: Path) -> Path:
    """The folder of the embedded index."""
    [folder] = [path for path in (data / "index").iterdir() if path.is_dir()]
    return folder


def execute(data: Path, statement: str, *given: object) -> None:
    """Write into the journal by the back door."""
    with closing(sqlite3.connect(data / "journal.db")) as connection, connection:
        connection.create_function("packed", 1, packed)
        connection.create_function("unpacked", 1, unpacked)
        connection.execute(statement, given)


def _in_index(hurt: Make, pattern: str) -> Make:
    return lambda data: hurt(min(index_of(data).glob(pattern)))


# A file in each way; the contract tests of the embedded index do all to all files.
for _pattern, _hurt in zip(INDEX_FILES, FILE_DAMAGES, strict=False):
    damage(f"index {_pattern} {_hurt.__name__}", says="the index had to be filled anew", mend=NOTHING)(
        _in_index(_hurt, _pattern)
    )


@damage("index folder missing", says="the index had to be filled anew (the index was empty)", mend=NOTHING)
def _(data: Path) -> None:
    shutil.rmtree(data / "index")


@damage("seal damaged", says="the index had to be filled anew", mend=NOTHING)
def _(data: Path) -> None:
    [seal] = (data / "index").glob("*.seal")
    seal.write_text('{"a": 1}')


@damage("journal missing", says="journal.db is missing", mend=RESTORE, mends=True)
def _(data: Path) -> None:
    for file in data.glob("journal.db*"):
        file.unlink()


@damage("journal empty", says="journal.db is empty", mend=RESTORE, mends=True)
def _(data: Path) -> None:
    for file in data.glob("journal.db*"):
        emptied(file)


@damage("journal newer", says="was written by a newer agentmem", mend="pip install --upgrade agentmem-framework")
def _(data: Path) -> None:
    execute(data, "UPDATE schema_version SET version = 999")


@damage("journal a folder", says="journal.db is a folder", mend=RESTORE, mends=True)
def _(data: Path) -> None:
    (data / "journal.db").unlink()
    (data / "journal.db").mkdir()


@damage("journal overwritten", says="is not a journal", mend=RESTORE, mends=True)
def _(data: Path) -> None:
    (data / "journal.db").write_bytes(b"somebody wrote something else here\n" * 1_000)


@damage("journal halved", says="is damaged", mend=RESTORE, mends=True)
def _(data: Path) -> None:
    halved(data / "journal.db")


@damage("journal of another store", says="journal knows nothing", mend=RESTORE, mends=True)
def _(data: Path) -> None:
    """With as many changes as this one had."""
    other = data.parent / "other"
    personas = ("--set", f"personas={data.parent / 'personas'}")
    assert agentmem("say", "clerk", "你好", "--from", "李雷", "--end", "--data", other, *personas).code == 0
    shutil.copyfile(other / "journal.db", data / "journal.db")
    execute(data, "DELETE FROM marks")


for _table in ("heads", "marks", "lanes", "ledger"):

    @damage(f"table {_table} gone", says="lacks what every journal has", mend=RESTORE, mends=True)
    def _(data: Path, table: str = _table) -> None:
        execute(data, f"DROP TABLE {table}")


for _table in ("counters", "schema_version"):

    @damage(f"row of {_table} gone", says="lacks what every journal has", mend=RESTORE, mends=True)
    def _(data: Path, table: str = _table) -> None:
        execute(data, f"DELETE FROM {table}")


TORN = {
    "1 × memory points at a state that is not there": "DELETE FROM ledger WHERE seq = (SELECT min(seq) FROM memories)",
    "1 × memory is not where its last state is": "DELETE FROM memories WHERE seq = (SELECT min(seq) FROM memories)",
    "1 × job waits in no line": "INSERT INTO jobs (job_no, job_id, lane_id, worker, ordinal, seqs, payload) "
    "SELECT 1, 'x', min(lane_id), 'conversation', 1, '[]', '' FROM lanes",
    "4 × event is of nobody": "UPDATE events SET lane_id = 1000000",
    "1 × number would be given out twice": "UPDATE counters SET ledger = 0",
}
"""A row here and there is lost, or one from before came back, as where a file is put together from two."""

for _says, _statement in TORN.items():

    @damage(f"torn: {_says}", says=_says, mend=RESTORE, mends=True)
    def _(data: Path, statement: str = _statement) -> None:
        execute(data, statement)


@damage("journal write-protected", says="journal.db may not be written", mend="chmod -R u+rwX", mends=True)
def _(data: Path) -> None:
    (data / "journal.db").chmod(0o400)


@damage("folder write-protected", says="data may not be written", mend="chmod -R u+rwX", mends=True)
def _(data: Path) -> None:
    data.chmod(0o500)


@damage("journal open to others", says="others on this machine may read", mend="chmod -R go=", mends=True)
def _(data: Path) -> None:
    data.chmod(0o755)
    (data / "journal.db").chmod(0o644)


@damage("draft left behind", says="was begun and never finished", mend="rm ", mends=True)
def _(data: Path) -> None:
    (data / ".agent.bundle.01ab23cd.draft").write_text("half of a bundle")


@damage(
    "foreign embedder",
    says="the index holds vectors of",
    mend="agentmem embedder migrate",
    mends=True,
    options=("--set", "embedder=hash-64"),
)
def _(data: Path) -> None:
    """The configuration says another one than the store was made with."""


@damage("index behind", says="index and journal differ", mend="agentmem index rebuild", mends=True)
def _(data: Path) -> None:
    with closing(sqlite3.connect(data / "journal.db")) as connection:
        [(seq, body)] = connection.execute("SELECT seq, after FROM ledger WHERE seq = (SELECT min(seq) FROM memories)")
    wire = json.loads(unpacked(body)) | {"importance": 9}
    execute(data, "UPDATE ledger SET after = ? WHERE seq = ?", json.dumps(wire).encode(), seq)


@damage("dead letter", says="1 jobs were given up", mend="agentmem dead retry --all", mends=True)
def _(data: Path) -> None:
    execute(
        data,
        "INSERT INTO jobs (job_no, job_id, lane_id, worker, ordinal, seqs, payload, attempts, died, died_at, reason) "
        "SELECT 1000000, 'x', min(lane_id), 'conversation', 1000000, '[]', '', 5, 1, 1, 'ValueError: no' FROM lanes",
    )


def _poisoned(data: Path, table: str, column: str, key: str) -> None:
    execute(data, f"UPDATE {table} SET {column} = '[]' WHERE {key} = (SELECT min({key}) FROM {table})")


@damage("memory unreadable", says="1 × memory of tenant default cannot be read", mend=RESTORE, mends=True)
def _(data: Path) -> None:
    _poisoned(data, "ledger", "after", "seq")


@damage(
    "earlier state unreadable",
    says="1 × earlier state of a memory of tenant default cannot be read",
    mend=RESTORE,
    mends=True,
)
def _(data: Path) -> None:
    execute(
        data,
        "UPDATE ledger SET after = '[]' WHERE seq = "
        "(SELECT min(seq) FROM ledger WHERE seq NOT IN (SELECT seq FROM memories))",
    )


@damage("memory misplaced", says="it stands in the list at another time than its own", mend=RESTORE, mends=True)
def _(data: Path) -> None:
    """Pages of what is known would begin with it for ever."""
    execute(data, "UPDATE memories SET timestamp = 9223372036854775807 WHERE seq = (SELECT min(seq) FROM memories)")


async def _said_and_not_read(data: Path) -> None:
    async with open_app(Settings(data=data), index=False) as app:
        await app.say("clerk", "李雷", "你好", end=True)


for _column in ("payload", "seqs"):

    @damage(f"{_column} of a job unreadable", says="1 jobs were given up", mend="agentmem dead retry --all")
    def _(data: Path, column: str = _column) -> None:
        """Known once a worker came to it."""
        asyncio.run(_said_and_not_read(data))
        execute(data, f"UPDATE jobs SET {column} = '[9' WHERE job_no = (SELECT min(job_no) FROM jobs)")
        assert agentmem("worker", "--once", "--data", data).code in (0, 1)


@damage("memory set aside", says="1 memories were set aside", mend="agentmem dead retry --all", mends=True)
def _(data: Path) -> None:
    """As an earlier version did, which could not take it in."""
    execute(
        data,
        "INSERT INTO jobs (job_no, job_id, lane_id, worker, ordinal, seqs, payload, attempts, died, died_at, reason) "
        "SELECT 1000000, 'x', lane_id, 'projection', seq, '[]', "
        "json_object('kind', 'project_memory', 'memoryId', memory_id), 1, 1, 1, 'OverflowError in points_of' "
        "FROM memories, lanes ORDER BY seq LIMIT 1",
    )


@damage("event unreadable", says="1 × event of tenant default cannot be read", mend=RESTORE, mends=True)
def _(data: Path) -> None:
    _poisoned(data, "events", "body", "seq")


@damage(
    "persona unreadable",
    says="1 × persona of tenant default cannot be read",
    mend="agentmem say clerk TEXT",
    mends=True,
)
def _(data: Path) -> None:
    _poisoned(data, "agents", "persona", "agent")


@damage("debt unreadable", says="1 × debt of an erasure cannot be read", mend="agentmem dead drop owed/1", mends=True)
def _(data: Path) -> None:
    execute(data, "INSERT INTO marks (name, value) VALUES ('owed/1', '[]')")


@damage("lane held by nobody", says="1 lanes are held by processes that are gone", mend="agentmem worker", mends=True)
def _(data: Path) -> None:
    me = str(Holder.of_this_process()).split("/")
    gone = "/".join((*me[:3], "4194305", "1", "abcdef"))
    execute(data, "UPDATE leases SET holder = ?, jobs = 1 WHERE lane_id = (SELECT min(lane_id) FROM leases)", gone)


@damage(
    "erasure undone",
    says="are here again: a backup from before it was put back",
    mend="agentmem forget",
    mends=True,
)
def _(data: Path) -> None:
    """The journal that knew of the erasure is lost."""
    backup, options = data.parent / "before.backup", ("--data", data)
    assert agentmem("backup", backup, *options).code == 0
    assert agentmem("forget", "--agent", "clerk", "--about", "王芳", "--erase", "--yes", *options).code == 0
    for file in data.glob("journal.db*"):
        file.unlink()
    assert agentmem("restore", backup, *options).code == 0


@damage("clock behind", says="the newest event was accepted at", mend="timedatectl set-ntp true")
def _(data: Path) -> None:
    execute(data, "UPDATE events SET accepted_at = accepted_at + 86400000000")
