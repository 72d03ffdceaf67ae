"""A journal that does not grow for ever: old states folded, text packed, room given back."""

import os
import signal
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentmem.adapters.journal import SqlJournal, maintenance
from agentmem.adapters.journal.transactions import WriteAheadLog
from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.ledger.undo import undo
from agentmem.ports.ledger import Commit, Selection
from tests.support.golden import columns_of, golden, rows_of
from tests.support.journals import Place, begin, ended, said
from tests.support.nodes import AGENT, NOON, TENANT, a_memory

SCOPE = Scope(TENANT, AGENT)
DAY = timedelta(days=1)
LAST_AS_TEXT = 4
"""The last schema that held bodies as text."""
STEPS = st.lists(st.tuples(st.integers(0, 3), st.integers(-5, 40)), min_size=1, max_size=25)
"""Which memory is written, and on what day: days may go backwards."""


async def told(journal: SqlJournal, steps: list[tuple[int, int]]) -> tuple[list[MemoryNode], list[datetime]]:
    """Write memories again and again, one run each; the memories as they are now, and when each run was."""
    nodes = [a_memory(f"memory {number}") for number in range(4)]
    held: dict[int, MemoryNode] = {}
    for run, (which, day) in enumerate(steps):
        before = held.get(which)
        after = nodes[which] if before is None else before.revised(importance=run % 10, revision=before.revision + 1)
        change = Change(act="add" if before is None else "merge", before=before, after=after)
        await journal.ledger.commit(Commit(TENANT, f"run-{run}", "test", NOON + day * DAY, (change,)))
        held[which] = after
    return list(held.values()), [NOON + day * DAY for _, day in steps]


async def folded(journal: SqlJournal, before: datetime, *, now: datetime = NOON + 50 * DAY) -> int:
    """Fold until nothing is left; how many rows went."""
    gone, more = 0, True
    while more:
        step = await journal.storage.fold(before, now=now)
        gone, more = gone + step.rows, step.more
    return gone


async def known(journal: SqlJournal, nodes: list[MemoryNode], at: datetime) -> dict[str, MemoryNode]:
    """What was known of these memories at that time."""
    return await journal.ledger.get(TENANT, [node.memory_id for node in nodes], known_at=at)


@pytest.mark.thorough
@given(STEPS, st.integers(-5, 40), st.integers(1, 4))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_no_question_about_the_horizon_or_later_is_answered_otherwise(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int]], day: int, page: int
) -> None:
    horizon = NOON + day * DAY
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maintenance, "PAGE", page)
        async with Place(f"sqlite:///{tmp_path_factory.mktemp('x') / 'journal.db'}").journal() as journal:
            nodes, runs = await told(journal, steps)
            moments = [NOON + later * DAY for later in range(day, 42)]
            before = [await known(journal, nodes, moment) for moment in moments]
            versions = await journal.ledger.since(0, limit=99)
            gone = await folded(journal, horizon)
            assert await journal.ledger.since(0, limit=99) == versions, "the index is filled from what it was"
            assert [await known(journal, nodes, moment) for moment in moments] == before
            left = [entry for node in nodes for entry in await journal.ledger.history(TENANT, node.memory_id)]
            assert len(left) == len(steps) - gone
            assert await folded(journal, horizon) == 0
            await _check_undo(journal, runs, horizon, gone)


async def _check_undo(journal: SqlJournal, runs: list[datetime], horizon: datetime, gone: int) -> None:
    """A run that is not whole any more is not taken back at all; every later one is as it was."""
    for number in reversed(range(len(runs))):
        entries = await journal.ledger.of_run(TENANT, f"run-{number}")
        if gone and runs[number] <= horizon:
            with pytest.raises(NotFound):
                await undo(journal.ledger, TENANT, f"run-{number}", now=NOON + 50 * DAY)
        else:
            report = await undo(journal.ledger, TENANT, f"run-{number}", now=NOON + 50 * DAY, cascade=True)
            assert report.restored == (entries[0].memory_id,)


async def test_what_is_folded_is_gone_and_asking_for_it_says_so(place: Place, tmp_path: Path) -> None:
    async with place.journal(backups=tmp_path / "aside") as journal:
        nodes, _ = await told(journal, [(0, 0), (0, 1), (0, 2), (0, 30)])
        assert await journal.ledger.folded_until() is None
        assert await folded(journal, NOON + 10 * DAY) == 2
        assert await journal.ledger.folded_until() == NOON + 10 * DAY
        history = await journal.ledger.history(TENANT, nodes[0].memory_id)
        assert [entry.at for entry in history] == [NOON + 2 * DAY, NOON + 30 * DAY]
        assert [entry.change.before is None for entry in history] == [True, False]
        for question in (
            journal.ledger.get(TENANT, [nodes[0].memory_id], known_at=NOON + DAY),
            journal.ledger.select(Selection(SCOPE, known_at=NOON + DAY)),
        ):
            with pytest.raises(InvalidInput, match=r"is not kept \(keep\.history\)"):
                await question


async def test_a_clock_that_ran_ahead_holds_up_no_folding(place: Place, tmp_path: Path) -> None:
    async with place.journal(backups=tmp_path / "aside") as journal:
        await told(journal, [(0, 0), (1, 3_650), (0, 1), (0, 2)])
        assert await folded(journal, NOON + 10 * DAY) == 2


@pytest.mark.parametrize("step", ["before:fold", "after:fold"])
async def test_folding_is_killed_and_goes_on(place: Place, tmp_path: Path, step: str) -> None:
    async with place.journal(backups=tmp_path / "aside") as journal:
        nodes, _ = await told(journal, [(0, day) for day in range(6)])
        later = await known(journal, nodes, NOON + 20 * DAY)
    assert await ended(begin(fold_and_die, place, tmp_path, step)) == -signal.SIGKILL
    async with place.journal(backups=tmp_path / "aside") as journal:
        assert await folded(journal, NOON + 10 * DAY) == (5 if step == "before:fold" else 0)
        assert await known(journal, nodes, NOON + 20 * DAY) == later
        assert len(await journal.ledger.history(TENANT, nodes[0].memory_id)) == 1


async def fold_and_die(place: Place, folder: Path, step: str) -> None:
    """Fold, and be killed before or after a commit."""

    def hear(heard: str) -> None:
        if heard == step:
            os.kill(os.getpid(), signal.SIGKILL)

    async with place.journal(backups=folder / "aside", on_commit=hear) as journal:
        await folded(journal, NOON + 10 * DAY)


async def test_text_of_an_older_store_is_packed_and_says_the_same(tmp_path: Path) -> None:
    file = golden(LAST_AS_TEXT, tmp_path)
    tables = columns_of(file)
    async with Place(f"sqlite:///{file}", file).journal() as journal:
        before, size = rows_of(file, tables), await journal.storage.size()
        reached: int | None = 0
        while reached is not None:
            reached = await journal.storage.pack(reached, limit=50)
        await journal.eraser.scrub()
        assert await journal.storage.size() < size * 0.85
        assert rows_of(file, tables) == before
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM ledger WHERE typeof(after) = 'text'").fetchone() == (0,)


async def test_free_room_goes_back_to_the_disk(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    async with Place(f"sqlite:///{file}", file).journal() as journal:
        turns = [said("a", number).revised(text=f"{number} " + "x" * 9_000) for number in range(1_000)]
        await journal.events.append(turns, now=NOON)
        await journal.purge(SCOPE)
        full = await journal.storage.size()
        while await journal.storage.give_back():
            pass
        await journal.eraser.scrub()
        assert await journal.storage.size() < full / 2


async def test_a_long_log_is_emptied_while_the_journal_is_open(tmp_path: Path) -> None:
    file, clock = tmp_path / "journal.db", iter(range(0, 10_000, 10))
    async with Place(f"sqlite:///{file}", file).journal() as journal:
        log = WriteAheadLog(file, long=100_000, now=lambda: float(next(clock)))
        journal._committer._log = log  # pyright: ignore[reportPrivateUsage] - a shorter log than one in use
        for number in range(60):
            await journal.events.append([said("a", number).revised(text="x" * 9_000)], now=NOON)
        await journal.events.append([said("b", 0)], now=NOON)
        assert file.with_name("journal.db-wal").stat().st_size < 300_000
