"""Sentences and clauses."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.language.clauses import clauses, sentences


def texts(text: str) -> list[str]:
    return [span.text for span in sentences(text)]


def parts(text: str) -> list[str]:
    return [span.text for span in clauses(text)]


def test_marks_of_both_widths_end_a_sentence():
    assert texts("你好。How are you? 很好！Fine!\n再见") == ["你好", "How are you", "很好", "Fine", "再见"]


def test_terminator_tells_a_question_from_a_statement():
    asked, said = sentences("你们有折扣吗？有。")
    assert asked.is_question
    assert asked.terminator == "？"
    assert not said.is_question


def test_last_clause_carries_the_question_mark_of_its_sentence():
    (sentence,) = sentences("如果买十套，有折扣吗?")
    assert [c.is_question for c in clauses(sentence)] == [False, True]


def test_ascii_comma_splits_chinese_text():
    assert parts("我叫罗小东,电话是13900139000,邮箱a@b.cn") == ["我叫罗小东", "电话是13900139000", "邮箱a@b.cn"]


@pytest.mark.parametrize(
    "text",
    [
        "预算3.5万",
        "共1,000元",
        "共1,234,567元",
        "邮箱是a.b@c.com.cn",
        "见https://a.cn/x?y=1,2;z",
        "Mr. Smith and Dr. Lee came",
        "Fruit e.g. apples",
        "版本v0.7.1",
        "Node.js 很好用",
        "他说“好的。没问题，谢谢！”",
        "我读了《你好，世界！》",
        '她说"可以，没问题"',
        "J. R. Smith",
        "at 8:30",
    ],
)
def test_nothing_is_split_inside(text: str):
    assert texts(text) == [text]
    assert parts(text) == [text]


def test_comma_after_a_telephone_number_is_no_thousands_separator():
    assert parts("电话13900139000,12月26号见") == ["电话13900139000", "12月26号见"]


def test_full_stop_before_a_closing_quote_stays_with_its_sentence():
    assert texts("“走吧。”他说。She left.") == ["“走吧。”他说", "She left"]


def test_mark_that_never_closes_shelters_nothing():
    assert texts("他说“好的。然后走了。") == ["他说“好的", "然后走了"]


def test_offsets_of_clauses_lead_into_the_whole_text():
    text = "  第一句。 我叫小东， 住在北京！"
    for sentence in sentences(text):
        for clause in clauses(sentence):
            assert text[clause.start : clause.end] == clause.text


@given(st.text(alphabet=st.sampled_from('我a1 .,。，？!?"“”《》()\n…—;@:/'), max_size=60))
def test_spans_are_trimmed_ordered_and_complete(text: str):
    spans = sentences(text)
    assert all(text[s.start : s.end] == s.text == s.text.strip() != "" for s in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    inside = {i for s in spans for i in range(s.start, s.end)}
    assert all(i in inside for i, ch in enumerate(text) if ch in "我a1")
    for sentence in spans:
        assert all(text[c.start : c.end] == c.text for c in clauses(sentence))
