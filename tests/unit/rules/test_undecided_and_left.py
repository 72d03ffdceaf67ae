"""What is not decided ends nothing; who leaves his work for another is told of as he is now."""

import pytest

from tests.unit.rules.support import english, read


@pytest.mark.parametrize(
    "lines",
    [
        ("I live in Lisbon.", "We're moving to Madrid in May, but I'm not sure yet."),
        ("I live in Lisbon.", "We're moving to Madrid in May, though we haven't decided."),
        ("我住在上海。", "我五月要搬到杭州，不过还没定。"),
        ("我住在上海。", "我们打算搬到杭州，不一定。"),
    ],
)
def test_an_undecided_move_is_no_home(lines: tuple[str, str]) -> None:
    reading = english(*lines) if lines[0].isascii() else read(*lines)
    homes = [each for each in reading.statements if each.attribute == "city"]
    assert [each.value for each in homes] in (["Lisbon"], ["上海"])
    assert homes[0].invalid_at is None


def test_a_decided_move_is_the_home_to_come() -> None:
    reading = english("We're moving to Madrid in May.")
    assert [each.value for each in reading.statements if each.attribute == "city"] == ["Madrid"]


@pytest.mark.parametrize(
    ("lines", "over"),
    [
        (("我是小学老师。", "我辞职了，开了一家花店。"), True),
        (("我是护士。", "我上个月离职了，自己开了家咖啡店。"), True),
        (("我是护士。", "我辞职了。"), False),
        (("I'm a teacher.", "I quit my job and opened a flower shop."), True),
        (("I'm a nurse.", "I've resigned, and I started my own bakery."), True),
        (("I'm a nurse.", "I was laid off."), False),
    ],
)
def test_who_leaves_his_work_for_another_is_what_he_was_no_more(lines: tuple[str, str], over: bool) -> None:
    reading = english(*lines) if lines[0].isascii() else read(*lines)
    held = reading.statements[0]
    replaced = {old for each in reading.statements for old in each.replaces}
    assert (held.content in replaced or held.invalid_at is not None) is over


def test_who_introduces_himself_with_what_he_is_is_not_called_so() -> None:
    told = [each.content for each in english("I'm Tom Hale, head of logistics at Nordwind.").statements]
    assert "Tom Hale is head of logistics at Nordwind" in told
    assert not any("Tom Hale is Tom Hale" in each for each in told)


@pytest.mark.parametrize("line", ["We can spend 12,000 euros.", "We can spend up to 900 pounds."])
def test_what_can_be_spent_is_the_budget_in_any_currency(line: str) -> None:
    assert [each.attribute for each in english(line).statements] == ["budget"]


def test_what_is_planned_lies_ahead() -> None:
    told = english("I have a Lisbon trip planned in February.").statements
    assert ["(2027-02)" in each.content for each in told] == [True]


@pytest.mark.parametrize(
    ("lines", "over"),
    [
        (("I'm a carpenter in Graz.", "I sold the shop and retired in June."), True),
        (("I'm a teacher.", "I retired last year."), True),
        (("I work at Boots.", "I've retired."), True),
        (("I'm a doctor.", "I'm retired, and I live with my daughter."), True),
        (("我是老师。", "我六月退休了。"), True),
        (("我在中行上班。", "我去年退休了。"), True),
        (("I'm a carpenter.", "I want to sell the shop and retire in June."), False),
        (("I'm a carpenter.", "My brother sold his shop and retired in June."), False),
        (("I'm an engineer.", "I retired the old server last week."), False),
        (("I'm a baker.", "I'm not retired yet."), False),
        (("我是老师。", "我爸退休了。"), False),
        (("我是老师。", "我明年退休。"), False),
        (("我是老师。", "我还没退休。"), False),
    ],
)
def test_who_has_retired_is_what_he_was_no_more(lines: tuple[str, str], over: bool) -> None:
    reading = english(*lines) if lines[0].isascii() else read(*lines)
    replaced = {old for each in reading.statements for old in each.replaces}
    assert (reading.statements[0].content in replaced) is over
