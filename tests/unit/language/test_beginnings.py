"""What begins on a day, or comes again with it, and what only happens then."""

import pytest

from agentmem.language.time import begins


@pytest.mark.parametrize(
    "words",
    [
        "plans to work in Leeds from Friday",
        "the course runs from May 3",
        "is on leave from April (2026-04-01)",
        "starts at the bakery on Friday",
        "retires on Friday",
        "is marrying on Friday",
        "从周五起做培训",
        "4月起休产假",
        "3月20日起住在苏州",
        "周五入职",
        "周五开始上课",
    ],
)
def test_what_begins_on_a_day_is_told_by_its_words(words: str) -> None:
    assert begins(words)


@pytest.mark.parametrize(
    "words",
    [
        "stays at the Marriott on Friday",
        "drives to Open Range on Friday",
        "picks them up from the airport on Friday",
        "is open to a visit from 3 to 5 on Friday",
        "switches tyres on Friday",
        "周五一起吃饭",
        "周五自己去医院",
        "周五去换轮胎",
        "周五起床就去机场",
        "周五从公司去看牙",
    ],
)
def test_what_only_happens_on_a_day_is_no_beginning(words: str) -> None:
    assert not begins(words)
