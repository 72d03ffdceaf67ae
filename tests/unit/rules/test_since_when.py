"""What is so since a time is not said to begin in the future."""

import pytest

from tests.unit.rules.support import START, english, read


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


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        ("From 1 September my phone number will be 555 0142.", "2026-09-01"),
        ("As of next month my e-mail will be kit@calder.example.", "2026-04-01"),
        ("从下周一起我的电话是13900139000。", "2026-03-09"),
        ("下个月起我的预算改成八千元。", "2026-04-01"),
    ],
)
def test_what_will_be_so_from_a_day_to_come_does_not_hold_before(line: str, begins: str) -> None:
    reading = english(line) if line.isascii() else read(line)
    (slot,) = (each for each in reading.statements if each.value)
    assert slot.valid_at is not None
    assert slot.valid_at.date().isoformat() == begins


@pytest.mark.parametrize(
    "line",
    [
        "My phone number is 555 0142, I'll be back from Tuesday on.",
        "My phone number is 555 0142. I'll ring you next week.",
        "You can reach me on 555 0142 on Friday.",
        "我的电话是13900139000,下周起我休假。",
        "My budget is 900 euros for next month's trip.",
    ],
)
def test_a_day_beside_a_value_is_not_when_that_begins(line: str) -> None:
    reading = english(line) if line.isascii() else read(line)
    slots = [each for each in reading.statements if each.attribute in ("phone", "budget")]
    assert slots
    assert all(each.valid_at is None for each in slots)


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("My budget is 300 euros", "From 1 April my budget will be 500 euros"),
        ("我的预算是30万", "下个月起我的预算是50万"),
    ],
)
def test_a_value_that_is_to_come_begins_on_its_day(held: str, said: str) -> None:
    found = (english if held.isascii() else read)(held, said).statements
    assert [each.valid_at is not None and each.valid_at > START for each in found if each.attribute == "budget"] == [
        False,
        True,
    ]
