"""Seeded lives of the whole system, with faults: nothing is lost, doubled, halved or mixed; one seed is one life.

Ten thousand of them: `python -m tests.soak simulated --lives 10000`.
"""

from pathlib import Path

import pytest

from tests.support.simulated import examined, simulate


def test_a_life_loses_doubles_and_halves_nothing(tmp_path: Path) -> None:
    assert list(examined(tmp_path, 1)) == []


@pytest.mark.thorough
def test_the_same_seed_is_the_same_life_to_the_last_byte(tmp_path: Path) -> None:
    assert simulate(tmp_path / "once", 3) == simulate(tmp_path / "again", 3)


@pytest.mark.thorough
def test_jobs_ended_before_their_changes_are_written_would_be_seen_missing(tmp_path: Path) -> None:
    faults = examined(tmp_path, 5, fault="mark_first")
    assert faults.missing or faults.half
