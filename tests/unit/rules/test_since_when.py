"""What is so since a time is not said to begin in the future."""

import pytest

from tests.unit.rules.support import english, read


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("I eat fish again since May.", "(2025-05)"),
        ("I have been vegan since August.", "(2025-08)"),
        ("我自五月以来一直吃素。", "(2025-05)"),
        ("我打算从五月开始学游泳。", "(2026-05)"),
        ("我从去年五月开始学游泳。", "(2025-05)"),
    ],
)
def test_what_is_so_since_a_month_began_in_the_past(line: str, day: str) -> None:
    reading = english(line) if line.isascii() else read(line)
    assert [day in each.content for each in reading.statements] == [True]


@pytest.mark.parametrize("line", ["我从五月开始学游泳。", "我们从八月起用这个系统。", "I teach in Leeds from August."])
def test_a_month_that_may_be_past_or_to_come_gets_no_year(line: str) -> None:
    reading = english(line) if line.isascii() else read(line)
    assert reading.statements
    assert not any("(20" in each.content for each in reading.statements)
