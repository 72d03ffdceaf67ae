"""What a text shows about itself."""

from datetime import UTC, datetime

import pytest

from agentmem.language.cues import cues_of
from agentmem.language.time import find_times

NOON = datetime(2026, 3, 9, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["What do you sell?", "你们有哪些产品？", "这个能用吗", "他人呢。", 'She asked "why?"', "Really?!"]
)
def test_a_text_that_ends_in_a_question_asks(text: str) -> None:
    assert cues_of(text, NOON).asks


@pytest.mark.parametrize("text", ["I asked him why? He did not know.", "好的,我明白了", "Sounds good!", ""])
def test_other_texts_do_not_ask(text: str) -> None:
    assert not cues_of(text, NOON).asks


def test_times_are_kept_as_seconds_with_the_end_left_out() -> None:
    (interval,) = cues_of("we met yesterday", NOON).times
    assert [datetime.fromtimestamp(edge, UTC).isoformat() for edge in interval] == [
        "2026-03-08T00:00:00+00:00",
        "2026-03-09T00:00:00+00:00",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "去年冬天",
        "下周四下午三点",
        "before Friday from 3pm",
        "last month",
        "three weekends ago",
        "tonight",
        "6月初",
        "in May",
    ],
)
def test_the_quick_look_passes_every_text_that_names_a_time(text: str) -> None:
    named = [mention for mention in find_times(text, NOON) if mention.begins and mention.ends]
    assert len(cues_of(text, NOON).times) == len(named)
    assert find_times(text, NOON)


@pytest.mark.parametrize("text", ["by Saturday", "每天早上跑步", "since 2018"])
def test_an_open_or_recurring_time_dates_a_text_without_an_interval(text: str) -> None:
    assert cues_of(text, NOON).dated
    assert cues_of(text, NOON).times == ()


def test_a_text_without_a_time_is_not_dated() -> None:
    assert not cues_of("I would like the blue one", NOON).dated
