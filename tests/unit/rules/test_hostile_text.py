"""No text breaks the reading, and none takes long."""

import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.rules.support import read

_BITS = [
    "我",
    "我们",
    "您",
    "你们",
    "想",
    "不",
    "要",
    "的",
    "是",
    "在",
    ",",
    "。",
    "?",
    "13800138000",
    "a@b.cn",
    "预算",
    "万",
    "三",
    "下周四",
    "系统",
    "老",
    "如果",
    "对",
    "不是",
    "不对,",
    "I",
    "we",
    "you",
    "need",
    "don't",
    "my",
    "so",
    "but",
    "if",
    "4k",
    "Tom",
    "tomorrow",
    "(\n",
]


WHOLE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=200)
"""What a turn may hold: any text without NUL and without half a surrogate pair."""


@settings(max_examples=150, deadline=None)
@given(WHOLE, WHOLE)
def test_any_text_can_be_read(asked: str, said: str) -> None:
    reading = read(f"a: {asked}.", f"c: {said}.", f"c: {asked}", context=1)
    assert all(0 <= quote.start < quote.end for statement in reading.statements for quote in statement.quotes)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(_BITS), max_size=40), st.lists(st.sampled_from(_BITS), max_size=40))
def test_any_heap_of_familiar_words_can_be_read(asked: list[str], said: list[str]) -> None:
    lines = (f"a: {''.join(asked)}.", f"c: {''.join(said)}.", f"c: {' '.join(asked)}.")
    texts = [line[3:] for line in lines]
    reading = read(*lines)
    for statement in reading.statements:
        assert all(quote.end <= max(map(len, texts)) for quote in statement.quotes)
    assert reading == read(*lines)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "12 ",
        "一",
        "我",
        "我,",
        "我要\n",
        "I and ",
        "really ",
        "a@",
        "no wait ",
        "不对,",
        "1-",
        "我的同事",
        "您希望",
        "(",
        " ",
    ],
)
@pytest.mark.parametrize("who", ["a", "c"])
@pytest.mark.longer
def test_a_hostile_turn_of_many_thousand_characters_is_read_at_once(unit: str, who: str, longer: int) -> None:
    length = 50_000 if longer > 1 else 10_000
    text = (unit * (length // len(unit)))[:length] + "."
    began = time.process_time()
    read("a: How many people? 您用什么系统?", f"{who}: {text}")
    assert time.process_time() - began < (5 if longer > 1 else 2.5)


@pytest.mark.thorough
@pytest.mark.parametrize("form", ["${}。", "预算{}万。"])
def test_four_times_as_many_values_in_a_turn_are_not_compared_sixteen_times_as_often(form: str) -> None:
    few, many = (_calls(form, amounts) for amounts in (range(1_000, 1_200), range(2_000, 2_800)))
    assert many < 6 * few


def _calls(form: str, amounts: range) -> int:
    """Functions that are called for reading what was not read before."""
    count = 0

    def counted(_frame: object, event: str, _given: object) -> None:
        nonlocal count
        count += event == "call"

    said = "".join(map(form.format, amounts))
    sys.setprofile(counted)
    try:
        read(f"c: {said}")
    finally:
        sys.setprofile(None)
    return count
