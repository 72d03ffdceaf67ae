"""Who asks to have an appointment cancelled has it no longer, and wishes for nothing beside it."""

import pytest

from agentmem.domain.statement import Reading
from tests.unit.rules.support import english, over, read, stated


def _read(lines: tuple[str, ...]) -> Reading:
    return english(*lines) if lines[0].isascii() else read(*lines)


_ENDS = [
    ("I have a dentist appointment on Monday at 10.", "Please cancel my appointment on Monday, I have to travel."),
    ("I have a dentist appointment on Monday at 10.", "Could you cancel my appointment?", "a: It's cancelled."),
    ("I booked a table for Saturday at 7.", "I'd like to cancel the booking for Saturday."),
    ("I'd like to book a viewing for Friday at noon.", "Please cancel Friday."),
    ("I have a viewing on Friday.", "Please cancel my viewing.", "a: Sorry you can't come. I've cancelled it."),
    ("I have a guitar lesson on Friday.", "Sorry, I want to cancel my lesson on Friday."),
    ("我约了周五上午十点看房。", "帮我把周五的预约取消。"),
    ("我周一有个预约。", "取消周一的预约吧"),
    ("我约了周五上午十点看房。", "麻烦取消周五的看房，我要出差。"),
]


@pytest.mark.parametrize("lines", _ENDS)
def test_the_appointment_ends_and_nothing_is_held_in_its_place(lines: tuple[str, ...]) -> None:
    reading = _read(lines)
    assert reading.statements[0].content in over(reading)
    assert [each for each in reading.statements if "cancel" in each.content or "取消" in each.content] == []


_STAYS = [
    ("I have a dentist appointment on Monday.", "Please cancel the appointment on Thursday."),
    ("I have a dentist appointment on Monday.", "Please don't cancel my appointment on Monday."),
    ("I have a dentist appointment on Monday.", "If I get ill, please cancel my appointment."),
    ("I have a dentist appointment on Monday.", "Please cancel my appointment.", "a: Sorry, it is too late, we can't."),
    ("I have a guitar lesson every Friday.", "Please cancel my lesson on Friday."),
    ("I have an optician appointment on Monday, and I have a bank appointment on Monday.", "Please cancel Monday."),
    ("I have a dentist appointment on Monday.", "Please cancel the delivery on Monday."),
    ("我周一有个预约。", "取消周四的预约"),
    ("我周一有个预约。", "如果下雨就取消周一的预约"),
    ("我每周五有钢琴课。", "请取消周五的课"),
]


@pytest.mark.parametrize("lines", _STAYS)
def test_another_one_several_and_a_row_of_them_stay(lines: tuple[str, ...]) -> None:
    reading = _read(lines)
    assert reading.statements[0].content in stated(reading)
    assert reading.statements[0].content not in over(reading)


def test_a_request_to_cancel_and_take_another_day_changes_the_day() -> None:
    reading = english(
        "I have a dentist appointment on Monday.", "Please cancel Monday. Make it Friday instead.", "a: Done."
    )
    assert any("Friday" in each for each in stated(reading))


def test_who_has_to_cancel_tells_so_and_that_stays_held() -> None:
    reading = english("I have a dentist appointment on Monday.", "I have to cancel Monday altogether, sorry.")
    assert any("has to cancel Monday" in each.content for each in reading.statements)
