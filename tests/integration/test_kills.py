"""Killed with SIGKILL at any moment, the system has what it said it has: once, whole, and in order.

`make soak` does the same a thousand times. The last tests break what the promise rests on, and see that it shows.
"""

from pathlib import Path
from random import Random

import pytest

from tests.support.killed import STEPS
from tests.support.kills import Campaign, Plan, campaign

BETWEEN_WRITES = ("between:writes",)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("half", [0, 1])
def test_fifty_kills_lose_double_and_halve_nothing(half: int, tmp_path: Path) -> None:
    steps = STEPS[half::2]
    result = campaign(tmp_path, Plan(50, steps), Random(half))
    assert not result.broken, result
    assert not result.faults.any, result.faults
    assert result.turns > 100, result
    assert set(result.at_steps) == set(steps), "each named step was died at"


def broken_by(fault: str, root: Path) -> Campaign:
    plan = Plan(8, BETWEEN_WRITES, fault, at_any_moment=False)
    result = campaign(root, plan, Random(fault))
    assert result.at_steps.total() == 8
    return result


def test_ids_drawn_anew_would_be_seen_as_duplicates(tmp_path: Path) -> None:
    assert broken_by("random_ids", tmp_path).faults.duplicate


def test_answers_that_are_not_staged_would_be_seen_mixed(tmp_path: Path) -> None:
    assert broken_by("no_staging", tmp_path).faults.mixed


def test_jobs_ended_before_their_changes_are_written_would_be_seen_missing(tmp_path: Path) -> None:
    assert broken_by("mark_first", tmp_path).faults.missing
