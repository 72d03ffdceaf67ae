"""What plainly asks to be forgotten is heard, and nothing else is."""

import pytest

from agentmem.memory.request import forget_request
from agentmem.memory.wish import read_wish
from agentmem.retrieval.asked import asked_for
from tests.support.nodes import a_memory

PHONE = a_memory("Tom's phone number is 555-0142", attribute="phone", value="555-0142")


@pytest.mark.parametrize(
    "text",
    [
        "Forget my phone number.",
        "Please forget my phone number",
        "Thanks! Could you forget my phone number?",
        "Delete my phone number from your memory.",
        "请忘掉我的电话",
        "忘记我的电话吧",
        "把我的电话忘了吧",
        "请把我的电话从记忆里删掉",
        "不要再记我的电话",
    ],
)
def test_a_request_names_what_it_means(text: str) -> None:
    asked = forget_request(text)
    assert asked is not None
    assert read_wish(asked, asked_for).forget.fills(PHONE)


@pytest.mark.parametrize(
    "text",
    [
        "I always forget my phone number.",
        "Don't forget my birthday!",
        "Forget it.",
        "Forget about it, let's have pizza.",
        "Did you forget my phone number?",
        "Delete my second paragraph.",
        "Remove my name from the list of speakers.",
        "我忘了我的电话",
        "你忘了我的生日",
        "你忘了我的电话吗？",
        "别忘了我的生日",
        "帮我删除我的订单",
        "忘了我的生日吗？",
    ],
)
def test_talk_of_forgetting_asks_for_nothing(text: str) -> None:
    assert forget_request(text) is None
