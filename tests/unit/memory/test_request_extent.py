"""Of a turn that asks to forget something, only what asks goes; "forget that" takes the statement it means."""

import pytest

from agentmem.memory.request import asked_in

BESIDES = [
    ("Forget that I smoke; my phone is 555-1212 and I like tea.", "my phone is 555-1212 and I like tea"),
    ("Please forget my old number, my new one is 555-1212.", "my new one is 555-1212"),
    ("Forget my address, I live in Oslo and my dog is called Rex.", "I live in Oslo and my dog is called Rex"),
    ("Delete my phone number from your memory; Mia works at Acme.", "Mia works at Acme"),
    ("Forget that I smoke but I like tea.", "I like tea"),
    ("请忘掉我抽烟的事，我的电话是5551212，我喜欢喝茶。", "我的电话是5551212，我喜欢喝茶"),
    ("忘掉我的电话吧，另外我住在上海。", "我住在上海"),
    ("把我的电话忘了吧；我女儿叫小雨。", "我女儿叫小雨"),
    ("删掉我的手机号，我喜欢吃辣。", "我喜欢吃辣"),
]
WHOLE = [
    "Forget that I smoke and I drink.",
    "Forget my phone, my email and my address.",
    "Forget my phone but keep my address.",
    "Forget my phone number, it is 555-1212.",
    "把我的电话，我的地址都忘掉。",
    "请忘掉我的电话，我的地址。",
]
POINTING = [
    ("My PIN is 4711, but forget that please.", "4711"),
    ("My PIN is 4711 and please forget it.", "4711"),
    ("My PIN is 4711, but please delete that.", "4711"),
    ("My PIN is 4711; don't remember this.", "4711"),
    ("My PIN is 4711. Please forget what I just said.", "4711"),
    ("I smoke, but could you forget I said that?", "smoke"),
    ("我的密码是4711，不过请忘掉刚才说的。", "4711"),
    ("我的密码是4711，但是别记住这个。", "4711"),
    ("我的密码是4711。请把这句话忘了吧。", "4711"),
    ("我抽烟，请忘记这件事。", "抽烟"),
]
UNASKED = ["I lost my keys. Forget it.", "I like tea. Forget about it, let's go.", "I told him, and he forgot that."]


@pytest.mark.parametrize(("text", "kept"), BESIDES)
def test_what_a_turn_tells_besides_its_request_is_kept(text: str, kept: str) -> None:
    rest = asked_in(text).kept
    assert kept in rest
    assert not any(word in rest.lower() for word in ("forget", "delete", "忘", "删", "smoke", "抽烟"))


@pytest.mark.parametrize("text", WHOLE)
def test_what_belongs_to_a_request_goes_with_it(text: str) -> None:
    assert not any(map(str.isalnum, asked_in(text).kept))


@pytest.mark.parametrize(("text", "gone"), POINTING)
def test_a_statement_that_is_to_be_forgotten_at_once_is_not_kept(text: str, gone: str) -> None:
    assert gone not in asked_in(f"I like tea. {text}").kept
    assert "I like tea." in asked_in(f"I like tea. {text}").kept


@pytest.mark.parametrize("text", UNASKED)
def test_an_idiom_takes_no_statement(text: str) -> None:
    assert asked_in(text).kept == text
