"""Which tick a clock means that strikes late."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from agentmem.runtime.host.scheduler import last_due

NOW = datetime(2026, 3, 9, 12, 0, 7, 250_000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "due"),
    [
        ("* * * * * *", datetime(2026, 3, 9, 12, 0, 7, tzinfo=UTC)),
        ("* * * * *", datetime(2026, 3, 9, 12, 0, tzinfo=UTC)),
        ("30 * * * *", datetime(2026, 3, 9, 11, 30, tzinfo=UTC)),
        ("0 3 * * *", datetime(2026, 3, 9, 3, 0, tzinfo=UTC)),
        ("0 0 1 * *", datetime(2026, 3, 1, tzinfo=UTC)),
        ("0 0 29 2 *", datetime(2024, 2, 29, tzinfo=UTC)),
    ],
)
def test_a_late_strike_means_the_time_that_was_due(line: str, due: datetime) -> None:
    assert last_due(line, NOW) == due


def test_two_late_clocks_mean_the_same_tick() -> None:
    assert last_due("0 12 * * *", NOW) == last_due("0 12 * * *", NOW + timedelta(seconds=40))


def test_the_line_is_read_in_the_offset_of_now() -> None:
    shanghai = timezone(timedelta(hours=8))
    assert last_due("0 3 * * *", NOW.astimezone(shanghai)) == datetime(2026, 3, 9, 3, 0, tzinfo=shanghai)
