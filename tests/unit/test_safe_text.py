"""What others wrote cannot steer a terminal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentmem.language.safe_text import safe_json, safe_line, safe_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\rb\x08", "a\\x0db\\x08"),
        ("user\u202egpj.exe", "user\\u202egpj.exe"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("tag\U000e0002", "tag\\U000e0002"),
        ("half\ud83d", "half\\ud83d"),
        ("line\u2028end", "line\\u2028end"),
        ("nul\x00", "nul\\x00"),
    ],
)
def test_controls_are_shown_as_their_codes(text: str, shown: str) -> None:
    assert safe_text(text) == shown


@pytest.mark.parametrize("text", ["罗小东的电话是138\n\tｘ", "👩‍💻 family", "naïve “quotes” — ℃ ½", ""])
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert safe_text(text) == text


def test_a_line_is_one_line() -> None:
    assert safe_line("a\n b\x1b") == "a b\\x1b"


@given(text=st.text())
def test_json_keeps_its_value_and_loses_what_steers(text: str) -> None:
    printed = safe_json(json.dumps({"x": text}, ensure_ascii=False))

    assert json.loads(printed) == {"x": text}
    assert not any(ch in printed for ch in "\x1b\x9b\x7f\u202e\u2066")
