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
    ],
)
def test_a_former_boss_is_asked_of_today_and_a_former_number_of_the_past(question: str, past: bool) -> None:
    assert asks_of_the_past(question) is past
