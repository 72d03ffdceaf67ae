"""Whatever is typed: no crash, true offsets, linear time."""

from datetime import UTC, datetime
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentmem.language.clauses import clauses, sentences
from agentmem.language.numbers import parse_numbers
from agentmem.language.time import annotate, asked_times, find_times
from agentmem.language.tokens import tokens

WORDS = """
今 明 昨 天 晚 早 下 上 周 个 月 年 日 号 四 十 二〇 三 半 点 分 : ： 到 至 和 之间 从 自 前 后 以前 每 第 最后 初 底
末 农历 过 再过 还剩 小时 两 12 2024 31 9 30 0 99 99999 / - . , ( ) 2026-03-12 next last this Friday Sun may march
at from to between and the first second week month year
weekend of in on for ago later pm am o'clock noon every day hours
3 twenty thousand quarter end early 's christmas each summer of fall 夏天 去年 冬季
"""
MOMENTS = st.datetimes(timezones=st.just(UTC))
PHRASES = st.lists(st.sampled_from(WORDS.split()), max_size=9).flatmap(
    lambda words: st.sampled_from([" ".join(words), "".join(words)])
)


@settings(deadline=None)  # the first example compiles and segments; a busy machine is no defect
@given(st.text(max_size=80), MOMENTS)
def test_any_text_is_read_without_a_crash(text: str, now: datetime):
    check(text, now)
    tokens(text)


@settings(deadline=None)
@given(PHRASES, MOMENTS)
def test_any_sequence_of_time_words_is_read_without_a_crash(text: str, now: datetime):
    check(text, now)


def check(text: str, now: datetime) -> None:
    mentions = find_times(text, now)
    assert all(text[m.start : m.end] == m.text != "" for m in mentions)
    assert all(left.end <= right.start for left, right in pairwise(mentions))
    assert all(m.begins < m.ends for m in mentions if m.begins is not None and m.ends is not None)
    assert all(m.recurring or m.iso for m in mentions)
    assert len(annotate(text, now)) >= len(text)
    assert all(text[m.start : m.end] == m.text != "" for m in asked_times(text, now))
    parse_numbers(text)
    for sentence in sentences(text):
        clauses(sentence)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "unit",
    ["一", "周", "1,", "a-", "1/", "3月", "从3月到", "@", "a.", "“", "https://a.", "next ", "in 3 weeks ",
     "three million ", "1:00-", "\u200b", "a@", "twenty ", "一a", "12号"],
)  # fmt: skip
@pytest.mark.longer
def test_hostile_repetition_takes_linear_time(unit: str, longer: int):
    text = unit * (min(longer, 3) * 500 // len(unit))
    assert cost(8 * text) < 24 * max(cost(text), 0.05)  # linear is 8, quadratic 64


def cost(text: str) -> float:
    """Processor seconds to read a text in every way."""
    began = process_time()
    asked_times(text, datetime(2026, 3, 6, tzinfo=UTC))
    parse_numbers(text)
    for sentence in sentences(text):
        clauses(sentence)
    tokens(text)
    return process_time() - began
