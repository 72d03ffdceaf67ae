"""Memories as they stood at another time."""

from datetime import UTC, datetime, timedelta

import pytest

from agentmem.retrieval.hindsight import as_known, held_at, is_over
from tests.support.nodes import a_memory

DAY = timedelta(days=1)
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
ENDED = a_memory("x", valid_at=FIRST).ended(at=FIRST + 10 * DAY, now=FIRST + 20 * DAY)
OPEN = a_memory("y", valid_at=FIRST)
LOST = a_memory("z", valid_at=FIRST).revised(store_status="expired")


@pytest.mark.parametrize(("days", "open_then"), [(15, True), (20, False), (25, False)])
def test_an_end_counts_once_it_is_known(days: int, open_then: bool) -> None:
    assert (as_known(ENDED, FIRST + days * DAY).invalid_at is None) == open_then


def test_without_a_time_a_memory_stays_as_it_is() -> None:
    assert as_known(ENDED, None) is ENDED
    assert as_known(OPEN, FIRST) is OPEN


@pytest.mark.parametrize(("days", "held"), [(-1, False), (0, True), (9, True), (10, False), (30, False)])
def test_a_memory_holds_from_its_beginning_until_its_end(days: int, held: bool) -> None:
    assert held_at(ENDED, FIRST + days * DAY) == held


def test_what_ended_nobody_knows_when_is_over() -> None:
    assert is_over(LOST, FIRST)
    assert not is_over(OPEN, FIRST + 999 * DAY)
