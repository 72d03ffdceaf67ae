"""What an agent says because it had just been told so is marked, and nothing is learned from it."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentmem.agents.talk.reply import echoes, repeats
from agentmem.domain.event import ECHOES, TurnSpoken, covered, echoes_of
from agentmem.domain.persona import Persona
from agentmem.domain.statement import Quote, Reading, Statement
from agentmem.memory.intake import checked, window_of
from tests.support.nodes import NOON, a_turn, numbered

TOLD = ["罗小东的电话是13800138000", "Mary works at Foo Ltd as an engineer"]


def marked(text: str) -> list[str]:
    return [text[start:end] for start, end in echoes(text, TOLD)]


@pytest.mark.parametrize(
    ("text", "echo"),
    [
        ("您的电话是13800138000,对吗?", ["您的电话是13800138000"]),
        ("我周一下午给您打过去。", []),
        ("You work at Foo Ltd as an engineer. I will call on Monday at three.", ["You work at Foo Ltd as an engineer"]),
        ("Shall I send the catalogue?", []),
        ("", []),
    ],
)
def test_clauses_that_repeat_what_was_told_are_marked(text: str, echo: list[str]) -> None:
    assert marked(text) == echo


def test_where_nothing_was_told_nothing_is_an_echo() -> None:
    assert echoes("您的电话是13800138000", []) == []
    assert not repeats("您的电话是13800138000", [])
    assert repeats("电话13800138000", TOLD)


@settings(max_examples=60)
@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=3))
def test_marks_lie_apart_and_within_the_text(text: str, told: list[str]) -> None:
    last = 0
    for start, end in echoes(text, told):
        assert last <= start < end <= len(text)
        last = end


@pytest.mark.parametrize("wrong", [None, 5, "x", [5], [[1]], [["a", "b"]], [[1, 2, 3]], {"a": 1}])
def test_what_is_no_mark_is_passed_over(wrong: object) -> None:
    turn = a_turn("x", 1).revised(meta={ECHOES: wrong})
    assert echoes_of(turn.meta) == ()


def test_half_of_the_words_decide() -> None:
    assert covered(0, 10, ((0, 5),))
    assert not covered(0, 10, ((0, 4),))
    assert covered(2, 4, ((0, 3), (3, 9)))


def _turns(*, echoed: bool) -> tuple[TurnSpoken, TurnSpoken]:
    text = "您的电话是13800138000"
    meta = {ECHOES: [[0, len(text)]]} if echoed else {}
    said = a_turn(text, 1, by_agent=True).revised(meta=meta)
    return said, a_turn("对,没错", 2).revised(at=NOON + timedelta(seconds=20))


def _kept(turns: tuple[TurnSpoken, TurnSpoken], *quoted: int) -> int:
    window = window_of("w", (), numbered(*turns), Persona(id="seller", name="小美"))
    quotes = tuple(Quote(turn_id=window.turns[n].turn_id, start=0, end=len(window.turns[n].text)) for n in quoted)
    statement = Statement(content="罗小东的电话号码是13800138000。", quotes=quotes)
    return len(checked(Reading(statements=(statement,)), window).statements)


def test_nothing_is_learned_from_an_echo_alone() -> None:
    assert _kept(_turns(echoed=True), 0) == 0
    assert _kept(_turns(echoed=False), 0) == 1


def test_what_the_person_confirms_is_learned_from_him() -> None:
    assert _kept(_turns(echoed=True), 0, 1) == 1
