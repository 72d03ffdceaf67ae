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
        ("What is my old phone number?", True),
        ("Which address was her old one, the old work email aside?", True),
        ("What was Ann's old job?", True),
        ("他的旧号码是多少?", True),
        ("我的老地址在哪?", True),
        ("How old is Ann's phone?", False),
        ("Where is the old town?", False),
        ("What colour is my old phone?", False),
        ("养老地址是哪里?", False),
        ("老张的电话是多少?", False),
    ],
)
def test_a_former_boss_is_asked_of_today_and_a_former_number_of_the_past(question: str, past: bool) -> None:
    assert asks_of_the_past(question) is past
