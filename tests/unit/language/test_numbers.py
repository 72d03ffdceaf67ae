"""Amounts in running text."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.language.numbers import parse_numbers
from agentmem.language.time import en_value, zh_value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("三万", 30000),
        ("两千五", 2500),
        ("三万二", 32000),
        ("3万5", 35000),
        ("3万5千", 35000),
        ("1.2亿", 120_000_000),
        ("三点五万", 35000),
        ("一百零五", 105),
        ("一千二百三十四", 1234),
        ("30k", 30000),
        ("1.5m", 1_500_000),
        ("3 million", 3_000_000),
        ("1,234.50", "1234.5"),
        ("１０００", 1000),
        ("two hundred and fifty", 250),
    ],
)
def test_numeral_has_its_value(text: str, value: int | str):
    (mention,) = parse_numbers(f"是{text}。" if not text.isascii() else f"it is {text}.")
    assert mention.value == Decimal(value)


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("$3,000", 3000, "USD"),
        ("3000元", 3000, "CNY"),
        ("五万块", 50000, "CNY"),
        ("RMB 5000", 5000, "CNY"),
        ("500 USD", 500, "USD"),
        ("€20", 20, "EUR"),
        ("¥88", 88, "CNY"),
        ("two hundred dollars", 200, "USD"),
        ("三块钱", 3, "CNY"),
        ("两块屏幕", 2, None),
    ],
)
def test_currency_is_read_on_either_side(text: str, value: int, currency: str | None):
    (mention,) = parse_numbers(text)
    assert (mention.value, mention.currency) == (value, currency)


@pytest.mark.parametrize("text", ["百分之三十", "30%", "３０％"])
def test_percentages_are_equal_in_any_spelling(text: str):
    (mention,) = parse_numbers(text)
    assert (mention.value, mention.unit) == (30, "%")


@pytest.mark.parametrize("text", ["十几个人", "大概20人", "20多万", "about 5 users", "三十人左右"])
def test_vague_amount_says_so(text: str):
    (mention,) = parse_numbers(text)
    assert mention.approximate


@pytest.mark.parametrize(
    "text",
    [
        "一下", "一些", "一样", "统一", "第一次", "万一", "一般", "一点都不", "唯一", "六七个", "几百万",
        "B2B-7x", "v0.7", "13900139000", "139-0013-9000", "2024-12-26", "2024年12月26日", "15:00", "三点开会",
        "one of them", "下周三", "a1@b2.cn",
    ],
)  # fmt: skip
def test_what_only_looks_like_an_amount_is_none(text: str):
    assert parse_numbers(text) == []


@pytest.mark.parametrize("numeral", ["", "点", "十点", "万", "abc"])
def test_odd_numerals_do_not_crash(numeral: str):
    zh_value(numeral)
    en_value(numeral)


@given(st.integers(min_value=0, max_value=99_999_999))
def test_chinese_numerals_read_back(number: int):
    assert zh_value(spelled(number)) == number


@given(st.text(alphabet=st.sampled_from("一二十百千万亿点几个多元块%123,.k$ 零两第年月"), max_size=30))
def test_spans_lead_back_to_the_text(text: str):
    mentions = parse_numbers(text)
    assert all(text[m.start : m.end] == m.text for m in mentions)
    assert all(left.end <= right.start for left, right in pairwise(mentions))


def spelled(number: int) -> str:
    """The numeral in full Chinese, with every scale and zero said."""
    if number >= 10_000:
        high, low = divmod(number, 10_000)
        gap = "零" if 0 < low < 1000 else ""
        return spelled(high) + "万" + (gap + spelled(low) if low else "")
    if number < 10:
        return "零一二三四五六七八九"[number]
    for scale, name in ((1000, "千"), (100, "百"), (10, "十")):
        if number >= scale:
            high, low = divmod(number, scale)
            gap = "零" if 0 < low < scale // 10 else ""
            return "零一二三四五六七八九"[high] + name + (gap + spelled(low) if low else "")
    return ""


@pytest.mark.parametrize(("text", "value"), [("1k多万", 10_000_000), ("2 m余亿", 2 * 10**14), ("3万多亿", 3 * 10**12)])
def test_a_scale_may_follow_another_of_the_other_language(text: str, value: int) -> None:
    assert [found.value for found in parse_numbers(text)] == [value]
