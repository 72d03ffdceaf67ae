"""Copies of the whole store: of one moment, checked, and put in place whole or not at all."""

import asyncio
import os
import signal
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from agentmem.adapters.journal import SqlJournal
from agentmem.adapters.journal.schema import counters, events, leases, marks, metadata, schema_version
from agentmem.domain.change import Change
from agentmem.domain.scope import Scope
from agentmem.errors import AgentMemError, InvalidInput
from agentmem.ports.erasure import Erasure
from agentmem.ports.ledger import Commit
from tests.support.copying import lived
from tests.support.journals import CONVERSATION, Place, begin, ended, said, verbatim, work_off
from tests.support.nodes import AGENT, NOON, TENANT

SCOPE = Scope(TENANT, AGENT)
ROUNDS, ALL_ROUNDS = 3, 50
"""Backups beside writers; the second in `make soak`."""


async def content(journal: SqlJournal) -> dict[str, str]:
    """A digest of the rows of each table that a backup brings back as they were."""
    left_out = {schema_version, counters, leases, marks}
    return {table.name: await _digest(journal, table) for table in metadata.sorted_tables if table not in left_out}


async def _digest(journal: SqlJournal, table: Any) -> str:
    rows = await journal._reader.rows(select(table))  # pyright: ignore[reportPrivateUsage] - no port lists all rows
    return sha256("\n".join(sorted(map(repr, rows))).encode()).hexdigest()


async def filled(journal: SqlJournal) -> None:
    """Somebody with a past, turns that were read, and one that waits."""
    await lived(journal)
    await journal.events.append([said("a", number) for number in range(5)], now=NOON)
    await work_off(journal)
    await journal.events.append([said("b", 0)], now=NOON)
    await journal.vectors.put("f", {"00" * 32: b"\x01\x02"})


async def test_what_is_restored_elsewhere_is_what_was_backed_up(
    place: Place, other_place: Place, tmp_path: Path
) -> None:
    file = tmp_path / "x.backup"
    async with place.journal(backups=tmp_path / "aside") as journal:
        await filled(journal)
        held, manifest = await content(journal), await journal.backups.write(file, now=NOON)
        assert not await journal.backups.is_empty()
    assert file.stat().st_mode & 0o777 == 0o600
    async with other_place.journal(backups=tmp_path / "there") as journal:
        assert await journal.backups.is_empty()
        done = await journal.backups.restore(file)
        assert (done.manifest, done.erased) == (manifest, 0)
        assert await content(journal) == held
        assert (await journal.queue.depth()).ready == 1
        assert await work_off(journal) == 1
    assert list((tmp_path / "aside").iterdir()) == list((tmp_path / "there").iterdir()) == []


async def test_a_backup_of_one_kind_of_database_is_restored_into_the_other(
    tmp_path: Path, place: Place, request: pytest.FixtureRequest
) -> None:
    if place.file is not None:
        pytest.skip("goes from SQLite into the other kind")
    file = tmp_path / "x.backup"
    async with Place(f"sqlite:///{tmp_path / 'from' / 'journal.db'}").journal() as journal:
        await filled(journal)
        held = await content(journal)
        await journal.backups.write(file, now=NOON)
    async with place.journal(backups=tmp_path) as journal:
        await journal.backups.restore(file)
        assert await content(journal) == held


@pytest.mark.longer
async def test_a_backup_holds_one_moment_while_others_write(place: Place, tmp_path: Path, longer: int) -> None:
    """Events come in pairs: no copy holds half of one, or lacks one that was acknowledged before it began."""
    async with place.journal(backups=tmp_path / "aside") as journal:
        for round_ in range(ROUNDS if longer == 1 else ALL_ROUNDS):
            stop = asyncio.Event()
            async with asyncio.TaskGroup() as tasks:
                for number in range(3):
                    tasks.create_task(write_pairs(journal, f"{round_}/{number}", stop))
                await until_more(journal, 20)
                before = await events_of(journal)
                file = tmp_path / f"{round_}.backup"
                manifest = await journal.backups.write(file, now=NOON)
                stop.set()
            assert before <= manifest.rows["events"] <= await events_of(journal)
            assert manifest.rows["events"] % 2 == 0
            assert await journal.backups.check(file) == manifest


async def write_pairs(journal: SqlJournal, lane: str, stop: asyncio.Event) -> None:
    """Accept two events at a time, until told to stop."""
    number = 0
    while not stop.is_set():
        await journal.events.append([said(lane, number), said(f"{lane}x", number)], now=NOON)
        number += 1


async def until_more(journal: SqlJournal, count: int) -> None:
    """Return when so many more events were accepted."""
    wanted = await events_of(journal) + count
    while await events_of(journal) < wanted:
        pass


async def events_of(journal: SqlJournal) -> int:
    """How many events there are."""
    rows = await journal._reader.rows(select(func.count()).select_from(events))  # pyright: ignore[reportPrivateUsage] - no port counts them
    return int(rows[0][0])


async def test_a_file_that_is_there_is_not_written_over(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "x.backup"
    file.write_text("mine")
    async with place.journal(backups=tmp_path / "aside") as journal:
        with pytest.raises(InvalidInput, match="is there already"):
            await journal.backups.write(file, now=NOON)
        assert file.read_text() == "mine"
        await journal.backups.write(file, now=NOON, force=True)
        await journal.backups.check(file)


async def test_what_was_erased_since_does_not_come_back_with_a_backup(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "x.backup"
    async with place.journal(backups=tmp_path / "aside") as journal:
        turns = [said("a", number) for number in range(3)]
        await journal.events.append(turns, now=NOON)
        await work_off(journal)
        await journal.backups.write(file, now=NOON)
        gone = verbatim(turns[0]).memory_id
        head = await journal.ledger.head()
        nothing = Commit(TENANT, "erasing", "erase", NOON, ())
        await journal.eraser.erase(Erasure(nothing, AGENT, head, memory_ids=(gone,), seqs=(1,)))
        done = await journal.backups.restore(file)
        assert done.erased == 2
        assert await journal.ledger.get(TENANT, [gone]) == {}
        assert await journal.events.find(TENANT, AGENT, turns[0].event_id) is None
        assert len(await journal.events.of_lane(turns[0].lane, after=0, limit=9)) == 2
        (answer,) = await journal.events.append([turns[0]], now=NOON)
        assert answer.duplicate
        assert len(await journal.eraser.unfinished()) == 1, "what is left to clean up is still known"


async def test_a_worker_of_before_writes_nothing_into_what_was_restored(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "x.backup"
    async with place.journal(backups=tmp_path / "aside") as journal:
        await journal.events.append([said("a", 0)], now=NOON)
        await journal.backups.write(file, now=NOON)
        claim = await journal.queue.claim(CONVERSATION)
        assert claim is not None
        await journal.backups.restore(file)
        with pytest.raises(AgentMemError, match="taken over"):
            await journal.queue.stage(claim, claim.jobs[0].job_id, "{}")
        assert await work_off(journal) == 1


async def test_numbers_given_out_before_are_not_given_out_again(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "x.backup"
    async with place.journal(backups=tmp_path / "aside") as journal:
        await filled(journal)
        await journal.backups.write(file, now=NOON)
        later = verbatim(said("z", 0))
        head = await journal.ledger.commit(Commit(TENANT, "late", "test", NOON, (Change(act="add", after=later),)))
        await journal.backups.restore(file)
        assert await journal.ledger.get(TENANT, [later.memory_id]) == {}
        again = await journal.ledger.commit(Commit(TENANT, "late", "test", NOON, (Change(act="add", after=later),)))
        assert again == head + 1


@pytest.mark.thorough
@pytest.mark.parametrize("step", ["before:restore", "after:restore"])
async def test_a_kill_leaves_the_old_store_or_the_new_one(place: Place, tmp_path: Path, step: str) -> None:
    file = tmp_path / "x.backup"
    async with place.journal(backups=tmp_path / "aside") as journal:
        await filled(journal)
        new = await content(journal)
        await journal.backups.write(file, now=NOON)
        await journal.events.append([said("later", 0)], now=NOON)
        old = await content(journal)
    assert await ended(begin(restore_and_die, place, file, step)) == -signal.SIGKILL
    async with place.journal(backups=tmp_path / "aside") as journal:
        assert await content(journal) == (old if step == "before:restore" else new)
        await journal.backups.restore(file)
        assert await content(journal) == new
    assert list((tmp_path / "aside").iterdir()) == [], "what the killed process left is cleared away"


async def restore_and_die(place: Place, file: Path, step: str) -> None:
    """Restore, and be killed before or after the commit."""

    def hear(heard: str) -> None:
        if heard == step:
            os.kill(os.getpid(), signal.SIGKILL)

    async with place.journal(backups=file.parent / "aside", on_commit=hear) as journal:
        await journal.backups.restore(file)
