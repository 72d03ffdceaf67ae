"""Killed with SIGKILL at any moment, the system has what it said it has: once, whole, and in order.

`make soak` does the same a thousand times. The last tests break what the promise rests on, and see that it shows.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random
from signal import SIGKILL

import pytest

from agentmem.runtime.composition.opened import migrate_embedder
from agentmem.runtime.composition.opening import open_app
from tests.support.cognition import ScriptedCognition
from tests.support.killed import STEPS, Round, settings
from tests.support.kills import Plan, Reaper, campaign
from tests.support.nodes import a_turn
from tests.support.oracle import Faults
from tests.support.spine import payloads

pytestmark = pytest.mark.thorough

BETWEEN_WRITES = ("between:writes",)


@pytest.fixture(scope="module")
def reaper() -> Iterator[Reaper]:
    """Lets processes live, and kills them."""
    with Reaper() as opened:
        yield opened


@pytest.mark.timeout(180)
@pytest.mark.parametrize("half", [0, 1])
def test_twenty_kills_lose_double_and_halve_nothing(reaper: Reaper, half: int, tmp_path: Path) -> None:
    steps = STEPS[half::2]
    result = campaign(tmp_path, Plan(20, steps), Random(half), reaper)
    assert not result.broken, result
    assert not result.faults.any, result.faults
    assert result.turns > 40, result
    assert set(result.at_steps) == set(steps), "each named step was died at"


MIGRATION = ("before:upsert", "amid:upsert", "after:upsert", "before:flush", "after:flush", "before:mark", "after:mark")


async def test_a_move_to_another_embedder_that_is_killed_at_every_step_arrives(reaper: Reaper, tmp_path: Path) -> None:
    data = tmp_path / "place"
    async with open_app(settings(data), cognition=ScriptedCognition()) as app:
        await app.accept([a_turn(f"第{number}句", number) for number in range(30)])
        await app.drain()
        held = await payloads(app)
    statuses: list[int] = []
    for number, step in enumerate(MIGRATION):
        life = Round(str(data), number, step, migrate_to="hash-128")
        statuses += (await asyncio.to_thread(reaper.kill, life, after=20))[1]
    assert statuses == [SIGKILL] * len(MIGRATION)
    cognition = ScriptedCognition()
    await migrate_embedder(settings(data, "hash-128"), lambda done, of: None)
    async with open_app(settings(data, "hash-128"), cognition=cognition) as app:
        assert app.searchable.rebuilt is None
        assert (await app.index.verify()).ok
        assert await payloads(app) == held
    assert cognition.windows == []
    assert len([path for path in (data / "index").iterdir() if path.is_dir()]) == 1


def broken_by(fault: str, root: Path, reaper: Reaper) -> Iterator[Faults]:
    """What is seen in one place after the other, each of four kills: what a life thinks is drawn as it lives, so a kill
    need not leave the mark."""
    for place in range(8):
        result = campaign(root / str(place), Plan(4, BETWEEN_WRITES, fault, at_any_moment=False), Random(place), reaper)
        assert result.at_steps.total() == 4
        yield result.faults


def test_ids_drawn_anew_would_be_seen_as_duplicates(reaper: Reaper, tmp_path: Path) -> None:
    assert any(faults.duplicate for faults in broken_by("random_ids", tmp_path, reaper))


def test_answers_that_are_not_staged_would_be_seen_mixed(reaper: Reaper, tmp_path: Path) -> None:
    assert any(faults.mixed for faults in broken_by("no_staging", tmp_path, reaper))


def test_jobs_ended_before_their_changes_are_written_would_be_seen_missing(reaper: Reaper, tmp_path: Path) -> None:
    assert any(faults.missing for faults in broken_by("mark_first", tmp_path, reaper))
