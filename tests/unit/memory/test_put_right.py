"""Which clauses put a value right that is forgotten, by where they stand and by what they say."""

from collections.abc import Sequence

import pytest

from agentmem.domain.memory import Evidence, MemoryNode
from agentmem.memory.put_right import REACH, PutRight
from agentmem.questions.question import asked_for
from tests.support.nodes import a_memory
from tests.support.owned import a_talk


def told_in(turns: Sequence[MemoryNode], words: str, attribute: str | None, value: str) -> MemoryNode:
    """What these words of a turn were read as."""
    turn = next(each for each in turns if words in each.content)
    start = turn.content.index(words)
    part = Evidence(memory_id=turn.memory_id, start=start, end=start + len(words))
    return a_memory(f"罗小东: {words}", attribute=attribute, value=value, evidence=(part,))


def righted(lines: Sequence[str], attribute: str | None, value: str, *staying: tuple[str, str, str]) -> list[str]:
    """The clauses that put the value right, where facts of these words, attributes and values stay."""
    turns = a_talk(lines, "Nora")
    fact = told_in(turns, next(line for line in lines if value in line), attribute, value)
    stay = [told_in(turns, *each) for each in staying]
    found = PutRight.beside(turns, stay, asked_for).clauses_of([fact])
    return [turn.content[slice(*cut)] for turn, cut in found]


BIRTHDAY, DAY = "birthday", "May 12"
FIRST = "My birthday is May 12."
OSLO = "I live in Oslo."


@pytest.mark.parametrize(
    ("lines", "attribute", "value", "right"),
    [
        ([FIRST, "No, sorry, it's May 13."], BIRTHDAY, DAY, ["it's May 13"]),
        ([FIRST, "Sorry, May 13."], BIRTHDAY, DAY, ["May 13"]),
        (["My birthday is May 12, no, May 13."], BIRTHDAY, DAY, ["May 13"]),
        ([FIRST, "My birthday is May 13, actually."], BIRTHDAY, DAY, ["My birthday is May 13"]),
        ([FIRST, "agent: Sorry, May 13?"], BIRTHDAY, DAY, ["May 13"]),
        ([FIRST, "I like tea.", "Sorry, May 13."], BIRTHDAY, DAY, ["May 13"]),
        (["My phone is 5550142887.", "Wait, 5550143887."], "phone", "5550142887", ["5550143887"]),
        (["My phone is 5550142887.", "Sorry, it's 5550143887."], "phone", "5550142887", ["it's 5550143887"]),
        (["我的手机号是13900002222。", "不对,是13900003333。"], "phone", "13900002222", ["是13900003333"]),
        (["My budget is 40 thousand dollars.", "Actually 55 thousand."], "budget", "40", ["Actually 55 thousand"]),
        ([OSLO, "No wait, Bergen."], "city", "Oslo", ["Bergen"]),
        ([OSLO, "Sorry, it's New York, the rent is high."], "city", "Oslo", ["it's New York"]),
        ([OSLO, "Sorry, it's New York."], None, "Oslo", ["it's New York"]),
        (["我住在杭州。", "说错了,苏州。"], "city", "杭州", ["苏州"]),
        (["我的生日是5月12号。", "不对,是5月13号"], BIRTHDAY, "5月12号", ["是5月13号"]),
    ],
)
def test_a_value_of_the_same_type_puts_it_right_where_a_slip_is_told(
    lines: list[str], attribute: str | None, value: str, right: list[str]
) -> None:
    assert righted(lines, attribute, value) == right


@pytest.mark.parametrize(
    ("lines", "attribute", "value"),
    [
        ([FIRST, "I start work on May 20 at Acme."], BIRTHDAY, DAY),
        ([FIRST, "May 20."], BIRTHDAY, DAY),
        ([FIRST, "Sorry, can we meet on May 20?"], BIRTHDAY, DAY),
        ([FIRST, "Sorry, my budget is 40 thousand dollars."], BIRTHDAY, DAY),
        ([FIRST, "Sorry, 3 cups."], BIRTHDAY, DAY),
        ([FIRST, "Sorry, 40 thousand dollars."], BIRTHDAY, DAY),
        ([FIRST, "I start work on May 20 at Acme.", "Sorry, May 21."], BIRTHDAY, DAY),
        ([FIRST, "Our wedding anniversary is May 20.", "Sorry, May 21."], BIRTHDAY, DAY),
        (["My phone is 5550142887.", "Sorry, Ann called from 5550143887."], "phone", "5550142887"),
        (["My phone is 5550142887.", "5550143887 rang."], "phone", "5550142887"),
        ([OSLO, "agent: Sorry, it's New York."], "city", "Oslo"),
        ([OSLO, "I like tea.", "Sorry, it's New York."], "city", "Oslo"),
        ([OSLO, "It's New York."], "city", "Oslo"),
        ([OSLO, "Sorry, the doctor rang."], "city", "Oslo"),
        ([OSLO, "Actually Ann called."], "city", "Oslo"),
        (["我住在杭州。", "天气应该是不错的。"], "city", "杭州"),
        ([FIRST, *["Well."] * REACH, "Sorry, May 13."], BIRTHDAY, DAY),
        (["Sorry, May 11.", FIRST], BIRTHDAY, DAY),
        (["No, May 13 it isn't, my birthday is May 12."], BIRTHDAY, DAY),
    ],
)
def test_what_is_of_another_type_or_matter_or_too_far_off_puts_nothing_right(
    lines: list[str], attribute: str | None, value: str
) -> None:
    assert righted(lines, attribute, value) == []


def test_what_a_fact_says_that_stays_puts_nothing_right() -> None:
    lines = [FIRST, "Sorry, May 13."]
    assert righted(lines, BIRTHDAY, DAY, ("May 13", "wedding", "May 13")) == []
    assert righted(lines, BIRTHDAY, DAY, ("Sorry", "mood", "Sorry")) == ["May 13"]
    assert righted([OSLO, "Sorry, it's Bergen."], "city", "Oslo", ("it's Bergen", "home town", "Bergen")) == []


def test_up_to_as_many_turns_as_it_reaches_and_only_of_the_same_talk() -> None:
    lines = [FIRST, *["Well."] * (REACH - 1), "Sorry, May 13."]
    assert righted(lines, BIRTHDAY, DAY) == ["May 13"]
    first, second = a_talk([FIRST, "Sorry, May 13."], "Nora")
    fact = told_in([first], FIRST, BIRTHDAY, DAY)
    elsewhere = second.revised(run_id="another talk")
    assert list(PutRight.beside([first, elsewhere], [], asked_for).clauses_of([fact])) == []


def test_of_a_fact_without_a_value_or_of_no_turn_nothing_is_put_right() -> None:
    turns = a_talk([FIRST, "Sorry, May 13."], "Nora")
    valueless = told_in(turns, FIRST, BIRTHDAY, DAY).revised(value=None)
    unknown = told_in(a_talk([FIRST], "Nora"), FIRST, BIRTHDAY, DAY)
    assert list(PutRight.beside(turns, [], asked_for).clauses_of([valueless, unknown])) == []
