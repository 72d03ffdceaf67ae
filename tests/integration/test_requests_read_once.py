"""A turn is read once for what it asks to be forgotten, and of a long one the beginning and the end alone."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import pytest

from agentmem.domain.bounds import MAX_TEXT
from agentmem.domain.event import Person
from agentmem.memory.request import MAX_READ, asked_in
from agentmem.runtime.facade.speech import Utterance
from tests.support.nodes import AGENT
from tests.support.spine import quiet_persona, spine

NORA = Person(name="Nora")
ASKS = "Please forget my phone number."
STORY = "The harbour was quiet that evening, and the boats lay still. "


@contextmanager
def calls_of(code: CodeType) -> Generator[list[str]]:
    """The texts that this function is called with in the body."""
    texts: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is code:
            texts.append(frame.f_locals["text"])

    sys.setprofile(note)
    try:
        yield texts
    finally:
        sys.setprofile(None)


async def test_each_turn_is_read_once(tmp_path: Path) -> None:
    said = [f"My phone number is 555-014-{number}." for number in range(1000, 1012)] + [ASKS, "I like tea."]
    async with spine(tmp_path, persona=quiet_persona()) as app:
        with calls_of(asked_in.__code__) as read:
            await app.say(AGENT, NORA, [Utterance(text, key=f"s{place}") for place, text in enumerate(said)])
            assert sorted(text for text in read if text in said) == sorted(said)
            assert len(read) <= len(said) + 2  # what is asked is looked at by itself too
            read.clear()
            await app.add(AGENT, NORA, [Utterance(text, key=f"a{place}") for place, text in enumerate(said)])
            assert sorted(text for text in read if text in said) == sorted(said)
            assert len(read) <= len(said) + 2


async def test_nothing_the_agent_says_is_read(tmp_path: Path) -> None:
    async with spine(tmp_path, persona=quiet_persona()) as app:
        with calls_of(asked_in.__code__) as read:
            await app.say(AGENT, NORA, [Utterance(ASKS, by_agent=True), Utterance(ASKS, extract=False)])
        assert read == []


def test_a_request_at_either_end_of_a_long_text_is_heard_and_none_in_the_middle() -> None:
    paste = STORY * (MAX_TEXT // len(STORY) - 2)
    for text in (f"{ASKS} {paste}", f"{paste}{ASKS}"):
        asked = asked_in(text)
        assert [text[one.start : one.end] for one in asked.requests] == [ASKS[:-1]]
        assert len(asked.kept) == len(text)
        assert "phone" not in asked.kept
    text = f"{paste[: len(paste) // 2]}{ASKS} {paste[: len(paste) // 2]}"
    assert not asked_in(text).requests
    assert asked_in(text).kept == text


def test_what_the_end_points_back_to_is_not_sought_in_the_beginning() -> None:
    middle = "and so on " * MAX_READ
    asked = asked_in(f"{STORY}{middle}. Forget that.")
    assert STORY.strip() in asked.kept


@pytest.mark.parametrize("cut", range(-40, 41, 5))
def test_a_sentence_that_the_bound_cuts_through_asks_nothing_by_halves(cut: int) -> None:
    whole = "Please forget my phone number and my address."
    before = STORY * (MAX_READ // len(STORY) + 1)
    text = before[: MAX_READ - len(whole) + cut].rsplit(".", 1)[0] + ". " + whole + " " + STORY * 200
    assert {text[one.start : one.end] for one in asked_in(text).requests} <= {whole[:-1]}


@pytest.mark.parametrize("quote", ['"', "“"])
def test_nothing_in_a_quotation_that_the_bound_cuts_through_is_asked(quote: str) -> None:
    closing = {"“": "”"}.get(quote, quote)
    text = f"He wrote {quote}{STORY * 200}{ASKS} {STORY}{closing} and that was all."
    assert not asked_in(text).requests
