"""What one says of oneself comes in the place of nothing that is told of a relative, an animal or anybody else."""

import pytest

from agentmem.domain.statement import Reading
from tests.unit.rules.support import english, folded, read


def replaced(reading: Reading) -> list[tuple[str, str]]:
    return [(folded(old), folded(each.content)) for each in reading.statements for old in each.replaces]


@pytest.mark.parametrize(
    ("of_another", "of_oneself"),
    [
        ("My son is 7 years old.", "I am 45 years old."),
        ("My dog weighs 12 kg.", "I weigh 80 kg."),
        ("My dog weighs 12 kg.", "I now weigh 80 kg."),
        ("My wife is 170 cm tall.", "I am 182 cm tall."),
        ("My wife works 30 hours a week.", "I work 40 hours a week."),
        ("My wife works 30 hours a week.", "I now work 40 hours a week."),
        ("My boss earns 9000 euros.", "I earn 4000 euros."),
        ("My friend Anna has 2 kids.", "I have 3 kids."),
        ("Our competitor has 200 employees.", "We have 80 employees."),
        ("My son's flight is at 11 am.", "My flight is at 9 am."),
        ("My son's flight is at 11 am.", "My flight is now at 9 am."),
        ("The rent of my neighbour is 500 euros.", "My rent is 900 euros."),
        ("My car is 12 years old.", "I am 45 years old."),
    ],
)
def test_words_about_oneself_leave_what_is_told_of_another(of_another: str, of_oneself: str) -> None:
    reading = english(of_another, of_oneself)
    assert replaced(reading) == []
    assert any("tomhale" in folded(each.content) and each.about is None for each in reading.statements)


@pytest.mark.parametrize(
    ("of_another", "of_oneself"),
    [
        ("我弟弟有2个孩子。", "我有3个孩子。"),
        ("我儿子7岁。", "我45岁。"),
        ("我儿子身高120厘米。", "我身高180厘米。"),
        ("我老婆每周上班30小时。", "我现在每周上班40小时了。"),
        ("我老板工资9000元。", "我工资4000元。"),
        ("我儿子的航班11点。", "我的航班9点。"),
    ],
)
def test_words_about_oneself_leave_what_is_told_of_another_in_chinese(of_another: str, of_oneself: str) -> None:
    assert replaced(read(of_another, of_oneself)) == []


@pytest.mark.parametrize(
    ("before", "change", "now"),
    [
        ("My daughter's party is on Thursday.", "I moved the party to Friday.", "daughter's party is on Friday"),
        ("My wife's lesson is on Tuesday.", "The lesson is now on Friday.", "wife's lesson is on Friday"),
        ("Our team has 12 people.", "We have 14 people now.", "team has 14 people"),
        ("My rent is 900 euros.", "My rent is now 950 euros.", "rent is 950 euros"),
    ],
)
def test_changes_of_what_is_anothers_or_ones_own_still_take_its_place(before: str, change: str, now: str) -> None:
    assert [folded(now) in new for _, new in replaced(english(before, "a: Noted.", change))] == [True]


def test_changes_of_what_is_anothers_still_take_its_place_in_chinese() -> None:
    changes = replaced(read("我女儿的生日会在周四。", "a: 好的", "我把生日会改到周五了。"))
    assert ["女儿的生日会在周五" in new for _, new in changes] == [True]
    assert ["身高是182厘米" in new for _, new in replaced(read("我的身高是180厘米。", "a: 好", "我身高182厘米。"))] == [
        True
    ]
