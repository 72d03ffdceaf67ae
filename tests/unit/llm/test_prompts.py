"""What a model is told: each field is explained where it is offered, days are days, and what is shown may change."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest

from agentmem.adapters.cognition.llm import prompts_en, prompts_zh
from agentmem.adapters.cognition.llm.limits import estimated
from agentmem.adapters.cognition.llm.output_schemas import TASKS
from agentmem.adapters.cognition.llm.prompts import Prompt, read_prompt, reflect_prompt
from agentmem.adapters.cognition.llm.spoken_of import MAX_HELD, spoken_of
from agentmem.domain.event import Person
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Modality
from agentmem.domain.statement import Held, Window
from tests.fixtures.windows import START, window
from tests.unit.llm.test_hostile_answers import REQUEST, observation

ANN = Person(name="Ann Lee")


def held(*texts: str, days: int = 30, **fields: Any) -> tuple[Held, ...]:
    """Statements that have been held for so many days."""
    said_at = START - timedelta(days=days)
    return tuple(
        Held(memory_id=derived_id("held", number), content=text, since=said_at, said_at=said_at, **fields)
        for number, text in enumerate(texts, start=1)
    )


def told(*words: str) -> Window:
    return window(tuple((False, text) for text in words), context=(), person=ANN, language="en")


def asked(talk: Window) -> Prompt:
    return read_prompt(talk, spoken_of(talk), 4_000, lambda: "mark")


def fields(schema: dict[str, Any]) -> Iterator[str]:
    for name, inner in schema.get("properties", {}).items():
        yield name
        yield from fields(inner.get("items", inner))


@pytest.mark.parametrize("words", [prompts_en, prompts_zh], ids=["en", "zh"])
@pytest.mark.parametrize(
    ("task", "parts"),
    [
        ("read", ("READ",)),
        ("read_held", ("READ", "HELD")),
        ("judge", ("JUDGE",)),
        ("reflect", ("REFLECT", "HELD_INSIGHTS")),
        ("reflect_doubts", ("REFLECT", "HELD_INSIGHTS", "DOUBTS")),
    ],
)
def test_every_field_that_is_offered_is_explained(task: str, parts: tuple[str, ...], words: ModuleType) -> None:
    text = "\n".join(getattr(words, part) for part in parts)
    # A list holds items of the same name, which the sentence about the list explains.
    listed = {"name", "pair", "verdicts"}
    unknown = [name for name in fields(TASKS[task].schema) if name not in listed and not re.search(rf"\b{name}", text)]
    assert unknown == []


def test_what_is_held_is_explained_and_asked_for_only_where_something_is_held() -> None:
    first, later = asked(told("I keep bees")), asked(told("I keep bees").revised(held=held("Ann Lee keeps hens")))
    assert (first.task, later.task) == ("read", "read_held")
    assert "no_longer_true" not in first.instructions
    assert later.instructions.startswith(first.instructions)
    assert TASKS["read"].name == TASKS["read_held"].name == "read"


@pytest.mark.parametrize(
    ("words", "shown"),
    [("then back to the first date", True), ("make it the 19th", False), ("还是最早那天吧", True), ("改到19号", False)],
)
def test_what_a_held_line_took_the_place_of_is_shown_to_who_may_go_back_to_it(words: str, *, shown: bool) -> None:
    now, first, second = held("Ann Lee moves in on 3 June", "Ann Lee moves in on 1 May", "Ann Lee moves in on 9 May")
    over = tuple(each.revised(by=now.content, since=START - timedelta(days=60)) for each in (first, second))
    text = asked(told(words).revised(held=(*over, now))).text
    before = " (before: Ann Lee moves in on 1 May) (before: Ann Lee moves in on 9 May)" if shown else ""
    assert f"held 1 (2026-02-03): Ann Lee moves in on 3 June (2026-06-03){before}\n" in text


def test_doubts_are_explained_and_asked_for_only_where_something_is_in_doubt() -> None:
    doubtful = reflect_prompt(REQUEST, 4_000, lambda: "mark")
    sure = reflect_prompt(replace(REQUEST, doubtful=()), 4_000, lambda: "mark")
    assert (doubtful.task, sure.task) == ("reflect_doubts", "reflect")
    assert "doubts" in doubtful.instructions
    assert "doubts" not in sure.instructions


def test_an_insight_in_doubt_is_not_shown_as_one_that_is_held_too() -> None:
    insight = observation(9, "软件工程师罗小东看重预算").revised(attribute="关注", value="预算")
    text = reflect_prompt(replace(REQUEST, insights=(insight,), doubtful=(insight,)), 4_000, lambda: "mark").text
    assert "存疑 1: 软件工程师罗小东看重预算" in text
    assert "已有洞察" not in text


def test_an_observation_that_is_a_guess_is_shown_as_one() -> None:
    sure, guess = REQUEST.observations
    doubted = (sure, guess.revised(modality=Modality.HYPOTHESIS))
    lines = reflect_prompt(replace(REQUEST, observations=doubted), 4_000, lambda: "mark").text.splitlines()
    assert f"1 ({sure.dt}) {sure.content}" in lines
    assert f"2 ({guess.dt}, 未必) {guess.content}" in lines


def test_from_when_and_until_when_an_observation_holds_is_shown_where_that_is_known() -> None:
    sure, other = REQUEST.observations
    later = sure.revised(valid_at=sure.valid_at + timedelta(days=3))
    ending = other.revised(invalid_at=other.valid_at + timedelta(days=5))
    lines = reflect_prompt(replace(REQUEST, observations=(later, ending)), 4_000, lambda: "mark").text.splitlines()
    assert f"1 ({sure.dt}, 始于 {later.valid_at.date()}) {sure.content}" in lines
    assert f"2 ({other.dt}, 止于 {ending.invalid_at.date()}) {other.content}" in lines  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("words", "dates"),
    [
        ("I was there on Friday and it rained", "Friday = 2026-02-27 or 2026-03-06"),
        ("see you on Friday", "Friday = 2026-02-27 or 2026-03-06"),
        ("Thursday is my day", "Thursday = 2026-02-26, 2026-03-05 or 2026-03-12"),
        ("we meet next Friday", "next Friday = 2026-03-13"),
        ("周五来过了", "周五 = 2026-02-27 or 2026-03-06"),
        ("I swim every Tuesday", None),
        ("Tuesdays suit me", None),
        ("每周二晚上", None),
        ("先订每月第一个周一的上午", None),
        ("改到第二个周三上午", None),
        ("the second Wednesday suits me", None),
        ("the rent is due on the 5th", None),
        ("it comes on the 5th of the month", None),
        ("paid on the 5th of every month", None),
        ("每月5号交房租", None),
        ("排练在三号厅", None),
        ("她是二号选手", None),
        ("十一号线那边", None),
        ("当天就能取", None),
        ("当晚住哪", None),
        ("收拾完当日就走", None),
        ("考试当天早上七点叫我", None),
        ("水费一月一交", None),
        ("下周三当天", "下周三当天 = 2026-03-11"),
        ("they rang again the next day", None),
        ("the Saturday fair is loud", None),
        ("he plays in a Sunday band", None),
        ("I read the Sunday Times", None),
        ("on the Monday morning shift", None),
        ("see you Saturday morning", "Saturday morning = 2026-02-28 or 2026-03-07"),
        ("交稿宽限到4月20号了", "4月20号 = 2025-04-20 or 2026-04-20"),
        ("改成4月20号", "4月20号 = 2026-04-20"),
        ("the wedding will be on December 10", "December 10 = 2025-12-10 or 2026-12-10"),
        ("Thursday 19th, 9 o'clock", "Thursday 19th, 9 o'clock = 2026-03-19T09:00"),
        ("Thursday 2 April at 9", "Thursday 2 April at 9 = 2026-04-02T09:00"),
        ("Thursday 2 April at 2", "Thursday 2 April at 2 = 2026-04-02"),
        ("Thursday 2 April at 3:30", "Thursday 2 April at 3:30 = 2026-04-02"),
        ("Thursday 2 April at 2 am", "Thursday 2 April at 2 am = 2026-04-02T02:00"),
        ("on Monday, March 23", "Monday, March 23 = 2026-03-23"),
        ("Thursday at 9", "Thursday at 9 = 2026-02-26, 2026-03-05 or 2026-03-12"),
        ("周四19号上午", "周四19号上午 = 2026-03-19"),
        ("周四上午十点", "周四上午十点 = 2026-02-26, 2026-03-05 or 2026-03-12"),
    ],
)
def test_a_weekday_is_the_last_today_or_the_next_and_what_recurs_or_is_no_day_has_no_date(
    words: str, dates: str | None
) -> None:
    line = asked(told(words)).text.splitlines()[-2]
    said = re.search(r"\(2026-03-05 Thu 10:00(?:; (.*?))?\): ", line)
    assert said is not None
    assert said[1] == dates


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("Ann Lee has a visit tomorrow at three", "Ann Lee has a visit tomorrow at three (2026-02-24)"),
        ("Ann Lee has a visit on Friday (2026-02-27)", "Ann Lee has a visit on Friday (2026-02-27)"),
        ("Ann Lee can do Monday rehearsals only", "Ann Lee can do Monday rehearsals only"),
        ("Ann Lee's rent is due on the 5th", "Ann Lee's rent is due on the 5th"),
        ("李安周三上午不安排别的事", "李安周三上午不安排别的事"),
        ("李安订了每月第一个周一的上午", "李安订了每月第一个周一的上午"),
        ("李安的女儿上一年级", "李安的女儿上一年级"),
        ("李安明天出差", "李安明天 (2026-02-24)出差"),
        ("Ann Lee comes home only at Christmas", "Ann Lee comes home only at Christmas"),
        ("Ann Lee sails this Christmas Eve", "Ann Lee sails this Christmas Eve (2026-12-24)"),
        ("李安国庆节值班", "李安国庆节值班"),
        ("Ann Lee met Flo at Christmas last year", "Ann Lee met Flo at Christmas last year (2025-12-25)"),
        ("Ann Lee hosts Halloween this year", "Ann Lee hosts Halloween this year (2026-10-31)"),
    ],
)
def test_a_relative_day_of_a_held_statement_is_shown_with_its_date(content: str, shown: str) -> None:
    text = asked(told("about the visit").revised(held=held(content, days=10))).text
    assert f"held 1 (2026-02-23): {shown}\n" in text


def test_of_what_is_held_of_others_that_is_shown_first_which_is_spoken_of() -> None:
    spoken = held("Ann Lee's sister Flo plays chess", days=90, own=False)
    boats = (f"Ann Lee's neighbour Jim sells boat {number}" for number in range(MAX_HELD))
    others = tuple(each.revised(memory_id=derived_id("boat", each.content)) for each in held(*boats, own=False))
    shown = spoken_of(told("my sister has given it up").revised(others=(*spoken, *others)))
    assert [each.content for each in shown][:2] == [spoken[0].content, "Ann Lee's neighbour Jim sells boat 1"]
    assert len(shown) == MAX_HELD


def test_what_is_held_of_others_fills_the_room_that_the_person_leaves() -> None:
    own = held(*(f"Ann Lee read novel {number}" for number in range(MAX_HELD - 1)), days=90)
    others = held("Flo plays chess", "Jim sells boats", days=10, own=False)
    shown = spoken_of(told("quiet house now").revised(held=own, others=others))
    assert [each.content for each in shown if not each.own] == ["Jim sells boats"]


def test_a_guess_that_is_held_is_shown_as_one() -> None:
    guess = held("Ann Lee signs at 13.80", days=10, maybe=True)
    assert "held 1 (2026-02-23, maybe): Ann Lee signs at 13.80\n" in asked(told("hello").revised(held=guess)).text


@pytest.mark.parametrize(
    ("since", "until", "shown"),
    [
        (None, None, "(2026-02-23)"),
        (None, timedelta(days=12), "(2026-02-23, until 2026-03-07)"),
        (timedelta(days=20), None, "(2026-02-23, from 2026-03-15)"),
        (timedelta(days=20), timedelta(days=40), "(2026-02-23, from 2026-03-15, until 2026-04-04)"),
    ],
)
def test_from_when_and_until_when_a_held_line_holds_is_shown_where_that_is_known(
    since: timedelta | None, until: timedelta | None, shown: str
) -> None:
    (line,) = held("Ann Lee lends out her van", days=10)
    said = line.said_at or START
    dated = line.revised(since=said + (since or timedelta()), until=said + until if until else None)
    assert f"held 1 {shown}: Ann Lee lends out her van\n" in asked(told("hello").revised(held=(dated,))).text


def test_the_end_of_a_day_is_shown_as_that_day() -> None:
    midnight = START.replace(hour=0, minute=0)
    line = held("Ann Lee lends out her van", days=10)[0].revised(until=midnight + timedelta(days=3))
    assert f"until {(midnight + timedelta(days=2)).date()}" in asked(told("hello").revised(held=(line,))).text


@pytest.mark.parametrize("words", [prompts_en, prompts_zh], ids=["en", "zh"])
def test_the_form_that_is_shown_has_the_fields_that_say_when_and_of_whom(words: ModuleType) -> None:
    for task in ("read", "read_held"):
        assert all(f'"{name}":""' in words.SHAPES[task] for name in ("since", "until", "about", "relation"))
    assert all(f'"{name}":[' in words.SHAPES["read_held"] for name in ("replaces", "adds_to"))


@pytest.mark.parametrize(("words", "most"), [(prompts_en, 1_320), (prompts_zh, 1_680)], ids=["en", "zh"])
def test_what_goes_with_every_reading_stays_short(words: ModuleType, most: int) -> None:
    assert sum(map(estimated, (words.READ, words.HELD, words.SHAPES["read_held"]))) <= most


def test_all_that_is_held_of_the_person_is_shown_while_it_is_little_what_he_denied_too() -> None:
    stated = held(*(f"Ann Lee read novel {number}" for number in range(13)))
    denied = held("Ann Lee does not want a coach", days=60)[0].revised(memory_id=derived_id("denied"))
    shown = spoken_of(told("quiet house now").revised(held=stated, others=(denied,)))
    assert len(shown) == 14
    assert denied in shown


def test_other_names_of_the_person_are_not_shown() -> None:
    aliases = held("Ann Lee is also called Annie", attribute="alias", value="Annie")
    assert spoken_of(told("Annie here, I keep bees").revised(held=aliases)) == []


def test_the_persons_own_attributes_say_whether_they_may_have_several_values() -> None:
    text = asked(told("hello").revised(attributes={"part": "single", "likes": "multi"})).text
    assert "more attributes: part, likes (several)" in text
