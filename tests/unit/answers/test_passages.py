"""What a passage tells of its memory."""

import pytest

from agentmem.answers.passages import Passage
from agentmem.domain.memory import MemoryType
from tests.support.nodes import a_memory


@pytest.mark.parametrize(
    ("said", "over", "left"),
    [
        ("I drive a Yaris, my sister lives in Lyon.", ("I drive a Yaris",), "Tom: my sister lives in Lyon."),
        ("I drive a Yaris. My rent is 900.", ("I drive a Yaris",), "Tom: My rent is 900."),
        ("My rent is 900, I drive a Yaris. Bye.", ("I drive a Yaris",), "Tom: My rent is 900. Bye."),
        ("I rent, I drive a Yaris, and I ski.", ("I drive a Yaris", "I rent"), "Tom: and I ski."),
        ("I rent, I drive a Yaris, and I ski.", ("I drive a Yaris",), "Tom: I rent, and I ski."),
        ("我住上海，我开凯美瑞，我喜欢茶。", ("我开凯美瑞",), "Tom: 我住上海，我喜欢茶。"),
        ("I drive a Yaris.", ("I drive a Yaris", "a Yaris"), ""),
    ],
)
def test_a_turn_is_told_without_what_is_over(said: str, over: tuple[str, ...], left: str) -> None:
    turn = a_memory(said, memory_type=MemoryType.CONVERSATION, speaker="Tom")
    stretches = tuple((said.index(each), said.index(each) + len(each)) for each in over)
    assert Passage(turn, 1.0, over=stretches).text == left
