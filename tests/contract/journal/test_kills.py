"""A process is killed right before or right after each commit: nothing accepted is missing, nothing is there twice."""

import os
import signal
from pathlib import Path

import pytest

from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Selection
from agentmem.ports.work_queue import Depth
from tests.support.journals import (
    Place,
    append_until,
    begin,
    claim_and_hang,
    ended,
    message_queue,
    said,
    verbatim,
    work_off,
    work_until,
    work_with_others,
)
from tests.support.nodes import AGENT, NOON, TENANT

TURNS = [said(lane, number) for number in range(6) for lane in "abc"]


async def holds_exactly_the_turns(place: Place) -> None:
    """All work done, one memory per turn, each written once."""
    async with place.journal(lease_seconds=10_000) as journal:
        await journal.events.append(TURNS, now=NOON)
        await work_off(journal)
        kept = await journal.ledger.select(Selection(Scope(TENANT, AGENT)))
        assert {node.memory_id for node in kept} == {verbatim(turn).memory_id for turn in TURNS}
        assert await journal.ledger.head() == len(TURNS)
        assert await journal.queue.depth() == Depth(0, 0, 0, 0)


@pytest.mark.parametrize(("step", "stored"), [("before:append", 0), ("after:append", 1)])
async def test_a_kill_while_appending_loses_nothing_that_was_answered(
    place: Place, tmp_path: Path, step: str, stored: int
) -> None:
    answers = tmp_path / "answers"
    answers.touch()
    process = begin(append_until, place, step, TURNS, str(answers))
    assert await ended(process) == -signal.SIGKILL
    assert answers.read_text() == "", "no caller was answered before its event was on disk"
    async with place.journal() as journal:
        assert len(await journal.events.uncut(TURNS[0].lane, through=10**9)) == stored
    await holds_exactly_the_turns(place)


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("step", ["claim", "stage", "finish"])
async def test_a_kill_while_working_leaves_nothing_half_done(place: Place, step: str, moment: str) -> None:
    async with place.journal() as journal:
        await journal.events.append(TURNS, now=NOON)
    assert await ended(begin(work_until, place, f"{moment}:{step}")) == -signal.SIGKILL
    await holds_exactly_the_turns(place)


async def test_three_processes_share_the_work_while_one_is_killed(place: Place) -> None:
    async with place.journal() as journal:
        await journal.events.append(TURNS, now=NOON)
        victim_holds = message_queue()
        victim = begin(claim_and_hang, place, victim_holds)
        assert victim_holds.get(timeout=10) is not None
        others = [begin(work_with_others, place, len(TURNS)) for _ in range(2)]
        assert victim.pid
        os.kill(victim.pid, signal.SIGKILL)
        assert [await ended(process) for process in (victim, *others)] == [-signal.SIGKILL, 0, 0]
    await holds_exactly_the_turns(place)
