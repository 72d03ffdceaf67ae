"""Which questions ask for what is over."""

import pytest

from agentmem.questions.form import asks_of_the_past


@pytest.mark.parametrize(
    ("question", "past"),
    [
        ("Who is Ann's former boss?", False),
        ("Which house belongs to Odette's previous employer?", False),
        ("What was Tom's previous phone number?", True),
        ("What was Tom formerly?", True),
        ("他以前的电话是多少?", True),
        ("当初的预算是多少?", True),
        ("以前住哪?", True),
        ("几点之前家里有人?", False),
        ("周五以前能送到吗?", False),
        ("What was Ann's budget before?", True),
        ("What should he eat before the run?", False),
    ],
)
def test_a_former_boss_is_asked_of_today_and_a_former_number_of_the_past(question: str, past: bool) -> None:
    assert asks_of_the_past(question) is past
