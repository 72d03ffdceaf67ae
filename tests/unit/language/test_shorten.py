"""Where a text is cut."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.language.lengths import is_boundary, shortened


@pytest.mark.parametrize(
    ("text", "length", "expected"),
    [
        ("It fits.", 8, "It fits."),
        ("One thing is said. Then another one follows", 25, "One thing is said.…"),
        ("Only one sentence, which is rather long", 25, "Only one sentence, which…"),
        ("他说了第一句。然后又说第二句话", 11, "他说了第一句。…"),
        ("软件工程师罗小东的联系方式", 9, "软件工程师罗小东…"),
        ("call 12345678901 now", 12, "call…"),
        ("Hi. Unbelievablylongwordwithoutanyend", 20, "Hi.…"),
        ("👨🏽👨🏽👨🏽", 4, "👨🏽…"),
        ("🇩🇪🇫🇷🇮🇹", 4, "🇩🇪…"),
        ("e\u0301e\u0301e\u0301", 4, "e\u0301…"),
        ("한국어입니다", 4, "한국어…"),
        ("One is said。\u0301 Then more", 13, "One is said…"),
        ("1234567890", 5, ""),
        ("1" * 90 + "a", 80, ""),
        ("write to xiao.dong@mail.example.com please", 24, "write to…"),
        ("abc", 1, ""),
        ("", 0, ""),
    ],
)
def test_a_text_ends_where_a_reader_would_end_it(text: str, length: int, expected: str) -> None:
    assert shortened(text, lambda part: len(part) <= length) == expected


LETTERS = st.text(st.sampled_from("ab. 我们。\u0301\u0338👍🏽🇩🇪क्षि각\u1100\u1161\u200d"), max_size=80)


@given(LETTERS, st.integers(0, 60))
def test_a_cut_text_is_a_beginning_that_fits_and_tears_nothing_apart(text: str, length: int) -> None:
    short = shortened(text, lambda part: len(part) <= length)

    assert len(short) <= length
    if short != text:
        kept = short.removesuffix("…")
        assert text.startswith(kept)
        assert is_boundary(text, len(kept)) or text[len(kept)].isspace()
        following = text[len(kept) : len(kept) + 1]
        assert not kept or not unicodedata.combining(following or "x")


def test_of_a_long_text_only_what_may_fit_is_looked_at() -> None:
    looked_at: list[int] = []

    def fits(part: str) -> bool:
        looked_at.append(len(part))
        return len(part) <= 300

    assert len(shortened("客户想要一套新的系统。" * 10_000, fits)) in range(200, 301)
    assert max(looked_at) <= 1_024
