"""A statement of an earlier talk in new words: the days it was told by are told by their dates."""

from datetime import UTC, datetime

import pytest

from agentmem.adapters.cognition.rules.engine import read_window
from agentmem.domain.event import Person
from agentmem.domain.ids import derived_id
from agentmem.domain.statement import Held, Reading, Turn, Window

SAID = datetime(2026, 3, 3, 9, tzinfo=UTC)
NOW = datetime(2026, 3, 20, 9, tzinfo=UTC)


def later(held: str, said: str) -> Reading:
    chinese = not said.isascii()
    return read_window(
        Window(
            window_id="w",
            agent_name="Rowan",
            person=Person(name="周岚" if chinese else "Ada Penn"),
            language="zh" if chinese else "en",
            turns=(Turn(turn_id=derived_id("turn", "0"), by_agent=False, speaker="x", text=said, at=NOW),),
            held=(Held(content=held, said_at=SAID, language="zh" if chinese else "en"),),
        )
    )


@pytest.mark.parametrize(
    ("held", "said", "told"),
    [
        (
            "Ada Penn needs 3 crates by tomorrow (2026-03-04)",
            "Actually, I need 4 crates.",
            "Ada Penn needs 4 crates by 2026-03-04",
        ),
        (
            "Ada Penn has a viewing next Friday (2026-03-13) at 3pm",
            "The viewing is moved to 5pm.",
            "Ada Penn has a viewing on 2026-03-13 at 5pm",
        ),
        (
            "Ada Penn's rent is 800 euros from next month (2026-04)",
            "The rent is 900 euros now.",
            "Ada Penn's rent is 900 euros from next month (2026-04)",
        ),
        ("周岚大后天(2026-03-06)要交3份报告", "报告改成5份。", "周岚2026-03-06要交5份报告"),
        ("周岚下周三(2026-03-11)要带3箱苹果", "苹果改成6箱。", "周岚2026-03-11要带6箱苹果"),
    ],
)
def test_a_day_named_from_an_earlier_talk_is_told_by_its_date(held: str, said: str, told: str) -> None:
    assert told in [each.content for each in later(held, said).statements]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("Ada Penn meets 5 suppliers next week (2026-03-09/2026-03-15)", "It's 6 suppliers now."),
        ("周岚下周(2026-03-09/2026-03-15)要带3箱苹果", "苹果改成6箱。"),
    ],
)
def test_a_week_named_from_an_earlier_talk_is_not_carried_over(held: str, said: str) -> None:
    assert not [each.content for each in later(held, said).statements if "2026-03-09" in each.content]


@pytest.mark.parametrize(
    ("held", "said", "told"),
    [
        (
            "Ada Penn's trip to Lisbon is in September (2026-09)",
            "The trip has been put off till October.",
            "Ada Penn's trip to Lisbon is in October (2026-10)",
        ),
        (
            "Ada Penn's exhibition opens in June (2026-06)",
            "The exhibition is postponed to August.",
            "Ada Penn's exhibition opens in August (2026-08)",
        ),
        ("周岚的展览在6月(2026-06)", "展览推迟到8月了", "周岚的展览在8月(2026-08)"),
    ],
)
def test_a_month_takes_the_place_of_a_month_of_an_earlier_talk(held: str, said: str, told: str) -> None:
    assert told in [each.content for each in later(held, said).statements]


@pytest.mark.parametrize("name", ["H1", "Q2", "May"])
def test_a_name_that_may_name_a_time_is_a_name(name: str) -> None:
    held = Held(content=f"{name} has a viewing next Friday (2026-03-13) at 3pm", said_at=SAID, language="en")
    said = Turn(
        turn_id=derived_id("turn", "0"), by_agent=False, speaker=name, text="The viewing is moved to 5pm.", at=NOW
    )
    window = Window(
        window_id="w", agent_name="Rowan", person=Person(name=name), language="en", turns=(said,), held=(held,)
    )
    assert [each.content for each in read_window(window).statements] == [f"{name} has a viewing on 2026-03-13 at 5pm"]
