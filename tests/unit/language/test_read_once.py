"""What is held is compared with every turn: its amounts, times and values are read once, and are the same each time."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import FrameType, FunctionType

from agentmem.language.gists import gist_of
from agentmem.language.numbers import parse_numbers
from agentmem.language.time import find_times, times_en
from agentmem.language.typed_values import typed_values

AT = datetime(2026, 3, 9, 12, tzinfo=UTC)


@contextmanager
def calls_of(function: Callable[..., object]) -> Generator[list[str]]:
    """The texts that this function is called with in the body."""
    assert isinstance(function, FunctionType)
    texts: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is function.__code__:
            texts.append(frame.f_locals["text"])

    sys.setprofile(note)
    try:
        yield texts
    finally:
        sys.setprofile(None)


def test_a_text_without_a_time_is_looked_through_once_a_day() -> None:
    with calls_of(times_en.read_expression) as read:
        assert find_times("our warehouse in Leeds leaks a lot", AT) == []
        assert read
        read.clear()
        assert find_times("our warehouse in Leeds leaks a lot", AT + timedelta(minutes=5)) == []
        assert read == []
        assert find_times("our warehouse in Leeds leaks a lot", AT + timedelta(days=1)) == []
        assert read


def test_a_time_is_read_anew_from_each_moment() -> None:
    first, second = (find_times("we meet tomorrow", AT + timedelta(days=days)) for days in (0, 1))
    assert [one.iso for one in (*first, *second)] == ["2026-03-10", "2026-03-11"]


def test_what_is_handed_out_may_be_changed_without_a_trace() -> None:
    text = "we need 40 boxes and 3 tables by Friday at 5 pm"
    for read in (lambda: parse_numbers(text), lambda: typed_values(text, AT)):
        once = read()
        assert once
        once.clear()
        assert read()


def test_names_are_left_out_of_a_gist_in_whatever_form_they_are_given() -> None:
    text = "Nora moved the warehouse to Leeds"
    assert gist_of(text, ["Nora"]) == gist_of(text, ("Nora",)) == gist_of(text, iter(["Nora"]))
    assert gist_of(text, ["Leeds"]) != gist_of(text, ["Nora"])
