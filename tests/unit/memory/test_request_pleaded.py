"""A request whose verb is plain is heard whatever it names: as words to be looked for in what is held, and no more."""

from typing import Final

import pytest

from agentmem.memory.request import asked_in
from agentmem.memory.request_pleaded import Pleading

PLEADED: Final = (
    ("Delete the kitchen money stuff", "the kitchen money"),
    ("Can you lose the peanut thing from my file", "the peanut"),
    ("Please get rid of everything about him. Rex died.", ""),
    ("Rex died. Please get rid of everything about him.", "Rex died"),
    ("My resignation plans: delete those, please.", "My resignation plans"),
    ("Yeah so that phone number of mine, bin it would you", "that phone number"),
    ("Nuke the wifi password please", "the wifi password"),
    ("预算那事儿翻篇吧,帮我删了", "预算吧"),
    ("团团的事全给我清了", "团团"),
    ("北京那趟的信息可以清掉了", "北京"),
    ("跟老公那点事,忘了吧", "跟老公"),
)
"""What is said, and the words that say what is meant; none where what is pointed at is not said."""

REMARKS: Final = (
    "Don't forget my birthday!",
    "I always forget my phone number.",
    "How do I delete my email account?",
    "My boss said: forget your salary raise.",
    "Please let me not forget the peanuts.",
    "Remove the peanuts from the recipe, please.",
    "Can you delete a phone number from an iPhone?",
    "Please clear my debt with my brother.",
    "Forget the hotel, let's stay with friends instead.",
    "别忘了我的生日",
    "密码忘了",
    "怎么删除微信号?",
    "你是不是忘了我的手机号?",
    "忘了跟你说,我女儿在学钢琴",
    "我儿子把我的手机号删了",
    "我的邮箱被删除了",
    "我想把微信删了",
    "请帮我清掉欠银行的债",
    "领导让我忘掉辞职的事",
)


@pytest.mark.parametrize(("text", "words"), PLEADED)
def test_what_is_plainly_asked_is_to_be_looked_for(text: str, words: str) -> None:
    found = asked_in(text).pleading
    assert (found.words if found else "") == words
    assert asked_in(text).wishes == ()


@pytest.mark.parametrize("text", REMARKS)
def test_a_remark_asks_for_nothing(text: str) -> None:
    asked = asked_in(text)
    assert (asked.wishes, asked.doubtful, asked.pleading, asked.unclear) == ((), (), None, False)
    assert asked.kept == text


def test_only_a_verb_said_of_much_else_is_loose_unless_the_memory_is_named() -> None:
    loosely = {text: asked_in(text).pleading for text in ("Bin the jazz.", "Bin the jazz from your notes.")}
    assert [found and (found.loosely, found.of_memory) for found in loosely.values()] == [(True, False), (False, True)]


@pytest.mark.parametrize(("words", "plain"), [("my passport", True), ("身份证号", True), ("the kitchen money", False)])
def test_only_a_detail_by_its_name_is_plain(words: str, *, plain: bool) -> None:
    assert Pleading(0, 0, words).is_plain is plain
    assert not Pleading(0, 0, words, loosely=True).is_plain
