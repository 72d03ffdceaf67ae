"""Stores that earlier versions of the schema wrote: brought forward, whatever interrupts it, with nothing lost."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentmem.adapters.journal import SqlJournal
from agentmem.adapters.journal.schema import VERSION
from agentmem.domain.change import Change
from agentmem.domain.memory import Ending, MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.domain.payload import (
    CloseWindow,
    CustomPayload,
    ExtractFacts,
    KeepInsights,
    LinkMemories,
    Payload,
    Reflect,
    RegroupCommunities,
)
from agentmem.domain.scope import Scope
from agentmem.errors import NeedsRepair
from agentmem.ports.ledger import Commit, Selection
from agentmem.ports.work_queue import Done
from tests.support.golden import VERSIONS, columns_of, golden, rows_of, version_of
from tests.support.journals import Place, begin, ended, open_until, said
from tests.support.nodes import NOON

WORKERS = ("conversation", "insight", "reflection", "graph", "communities", "extraction", "my_worker")
DESK = Scope("default", "harbour_desk")
OLDER = [version for version in VERSIONS if version < VERSION]
KILLS = (1, 3, 8, 20)
"""Statements sent to the database before the process is killed."""
ALL_KILLS = range(1, 41, 2)
"""In `make soak`."""


def place_of(file: Path) -> Place:
    """The journal as a place."""
    return Place(f"sqlite:///{file}", file)


def test_every_schema_that_was_released_has_a_store_of_its_time() -> None:
    assert VERSIONS[: VERSION - 1] == list(range(1, VERSION))


@pytest.mark.parametrize("version", OLDER)
async def test_nothing_is_lost_on_the_way_to_today(version: int, tmp_path: Path) -> None:
    file = golden(version, tmp_path)
    tables = {name: [each for each in columns if each != '"note"'] for name, columns in columns_of(file).items()}
    before = rows_of(file, tables)
    async with place_of(file).journal() as journal:
        nodes = await everything(journal)
    assert version_of(file) == VERSION
    assert rows_of(file, tables) == before
    assert {node.memory_id for node in nodes} == {row[0] for row in ids_of(file)}
    async with place_of(file).journal() as journal:
        assert await everything(journal) == nodes
        await journal.events.append([said("a", 0)], now=NOON)


@pytest.mark.parametrize("version", OLDER)
async def test_the_store_as_it_was_is_kept_and_leads_to_the_same(version: int, tmp_path: Path) -> None:
    file = golden(version, tmp_path)
    async with place_of(file).journal() as journal:
        migrated = rows_of(file, columns_of(file))
    (kept,) = (file.parent / "backups").iterdir()
    other = place_of(tmp_path / "other" / "journal.db")
    async with other.journal() as journal:
        done = await journal.backups.restore(kept)
    assert done.manifest.schema_version == version
    assert other.file is not None
    assert _without(rows_of(other.file, columns_of(other.file))) == _without(migrated)


@pytest.mark.longer
@pytest.mark.parametrize("version", OLDER)
async def test_a_kill_half_way_leaves_the_old_store_or_the_new_one(version: int, tmp_path: Path, longer: int) -> None:
    whole = golden(version, tmp_path / "whole")
    async with place_of(whole).journal():
        pass
    for statements in KILLS if longer == 1 else ALL_KILLS:
        file = golden(version, tmp_path / str(statements))
        code = await ended(begin(open_until, place_of(file), statements))
        assert code in (0, -signal.SIGKILL)
        assert version_of(file) in (version, VERSION)
        async with place_of(file).journal():
            pass
        assert rows_of(file) == rows_of(whole)


@pytest.mark.parametrize("version", OLDER)
async def test_what_was_over_before_memories_said_why_says_so_and_can_be_written_on(
    version: int, tmp_path: Path
) -> None:
    async with place_of(golden(version, tmp_path)).journal() as journal:
        over = [node for node in await everything(journal) if node.store_status is not StoreStatus.VALID]
        of_documents = {Ending.ENDED, Ending.RECORD} if version >= 10 else set[Ending]()
        assert {node.ending for node in over} <= {Ending.SUPERSEDED, Ending.RETIRED, Ending.FORGOTTEN} | of_documents
        (ended,) = [node for node in over if node.ending is Ending.SUPERSEDED][:1]
        forgotten = Change(act="forget", before=ended, after=ended.forgotten())
        await journal.ledger.commit(Commit(ended.tenant, "forget", "test", NOON, (forgotten,)))
        (kept,) = (await journal.ledger.get(ended.tenant, [ended.memory_id], forgotten=True)).values()
        assert kept.ending is Ending.FORGOTTEN


async def test_what_waits_says_what_it_carries(tmp_path: Path) -> None:
    async with place_of(golden(7, tmp_path)).journal() as journal:
        found: dict[str, list[Payload | None]] = {}
        while (claim := await journal.queue.claim(dict.fromkeys(WORKERS, 1))) is not None:
            (job,) = claim.jobs
            assert job.unreadable is None
            found.setdefault(job.worker, []).append(job.payload)
            await journal.queue.finish(claim, Done())
        (aside,) = await journal.set_asides.all()
        assert [letter.memory_id for letter in await journal.dead.dead(tenant="default", limit=9)] == [aside.memory_id]
    (insights,) = found.pop("insight")
    assert isinstance(insights, KeepInsights)
    assert [each.statement.content for each in insights.found] == ["Zoe loves trail running."]
    (linked,) = found.pop("graph")
    assert isinstance(linked, LinkMemories)
    assert len(linked.memory_ids) == 3
    (pieces,) = found.pop("extraction")
    assert isinstance(pieces, ExtractFacts)
    assert found == {
        "conversation": [None, CloseWindow()],
        "reflection": [Reflect(trigger="hand")],
        "communities": [RegroupCommunities(), linked],
        "my_worker": [CustomPayload(data="words of my own")],
    }


async def test_tenants_of_an_older_store_take_turns(tmp_path: Path) -> None:
    async with place_of(golden(8, tmp_path)).journal() as journal:
        claims = [await journal.queue.claim(dict.fromkeys(WORKERS, 1)) for _ in range(3)]
        assert [claim.lane.tenant for claim in claims if claim] == ["default", "globex", "default"]


async def test_documents_of_an_older_store_are_listed_without_what_ended_beside_them(tmp_path: Path) -> None:
    async with place_of(golden(10, tmp_path)).journal() as journal:
        ended = Selection(DESK, (MemoryType.LONGTERM,), (StoreStatus.EXPIRED,))
        assert {node.record for node in await journal.ledger.select(ended)} == {None, RecordType.DOCUMENT}
        records = await journal.ledger.select(Selection(DESK, record=RecordType.DOCUMENT))
        assert [node.content for node in records] == ["Old", "Guide"]


async def test_a_newer_store_is_left_as_it_is(tmp_path: Path) -> None:
    file = golden(OLDER[-1], tmp_path)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(f"UPDATE schema_version SET version = {VERSION + 1}")
    before = file.read_bytes()
    with pytest.raises(NeedsRepair, match="newer agentmem"):
        async with place_of(file).journal():
            pass
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


async def everything(journal: SqlJournal) -> list[MemoryNode]:
    """Every memory as it is now; each can be read."""
    versions = await journal.ledger.since(0, limit=10_000)
    return [version.node for version in versions if version.node is not None]


def ids_of(file: Path) -> list[tuple[object, ...]]:
    """The ids of the memories that were not taken out."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT memory_id FROM memories WHERE status IS NOT NULL").fetchall()


def _without(rows: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    """What a restore gives back as it was: without marks of the index, what counts fences, and tokens, which stay those
    of the store."""
    return {name: kept for name, kept in rows.items() if name not in ("marks", "counters", "leases", "tokens")}
