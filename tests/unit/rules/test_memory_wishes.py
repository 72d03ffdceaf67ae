"""What is asked of the memory itself is no wish of the customer's to be remembered."""

import pytest

from tests.unit.rules.support import english, read


@pytest.mark.parametrize(
    "line",
    [
        "Please don't store my address",
        "Don't remember my age.",
        "Delete my email from your records.",
        "Could you remove my phone number?",
        "不要保存我的生日",
        "别把我的微信记下来",
        "请把我的邮箱删掉",
        "别再记我的地址了",
        "请忘掉我的电话13811112222",
        "Forget my number 555-3111.",
    ],
)
def test_a_request_to_forget_is_not_remembered(line: str) -> None:
    assert (read if line[0] > "z" else english)(line).statements == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Please don't delete my bookings", "bookings"),
        ("Could you remove the stairs from the plan?", "stairs"),
        ("我不想保存旧数据", "旧数据"),
        ("能不能把我们的旧订单删掉", "旧订单"),
    ],
)
def test_what_is_asked_of_the_other_side_is(line: str, words: str) -> None:
    assert any(words in s.content for s in (read if line[0] > "z" else english)(line).statements)
