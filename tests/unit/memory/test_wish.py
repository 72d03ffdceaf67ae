"""A wish means what it names and nothing else."""

import pytest

from agentmem.errors import InvalidInput
from agentmem.memory.request import asked_in
from agentmem.memory.wish import MAX_CHARS, read_wish
from agentmem.memory.wish_parts import kept_behind, parted
from agentmem.questions.question import asked_for
from tests.support.nodes import a_memory

PHONE = a_memory("Tom's phone number is 555-0142", attribute="phone", value="555-0142")
HOME = a_memory("Tom's address is 12 Oak St", attribute="address", value="12 Oak St")


@pytest.mark.parametrize(
    "text",
    [
        "forget my phone but keep my address",
        "my phone number, not my address",
        "忘掉我的电话,但保留地址",
        "Tom's phone",
    ],
)
def test_a_slot_is_meant_by_its_name_in_either_language(text: str) -> None:
    wish = read_wish(text, asked_for, ["Tom"])
    assert wish.forget.fills(PHONE)
    assert not wish.forget.fills(HOME)
    assert wish.keep.fills(HOME) or "keep" not in text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("forget my phone, my address stays", "my address"),
        ("forget my phone, my address must be kept.", "my address"),
        ("忘掉我的电话,我的地址留着", "我的地址"),
        ("忘掉我的电话,我的地址不要删", "我的地址"),
        ("忘掉我的电话,地址别忘", "地址"),
    ],
)
def test_what_is_kept_may_be_named_before_the_word_for_it(text: str, kept: str) -> None:
    assert kept_behind(text)[1] == kept
    assert not read_wish(text, asked_for).forget.fills(HOME)


@pytest.mark.parametrize(
    ("text", "gone", "kept"),
    [
        ("Forget everything about my aunt but her diet", "forget my aunt", "her diet"),
        ("Please forget everything about my brother but where he works.", "forget my brother", "where he works"),
        ("Forget everything but my email", "forget everything about me", "my email"),
    ],
)
def test_a_plain_but_keeps_what_it_names_where_all_is_meant(text: str, gone: str, kept: str) -> None:
    (wish,) = asked_in(text).wishes
    assert tuple(part.strip() for part in parted(wish)) == (gone, kept)


def test_a_plain_but_elsewhere_keeps_nothing() -> None:
    assert parted("forget my small but loud car")[1] == ""


@pytest.mark.parametrize(
    "text",
    [
        "Forget my phone, my address must not be kept.",
        "Forget everything about me, my phone number should not be kept.",
        "Forget my phone, my address shouldn't be kept",
        "Forget my phone, my address can no longer be kept",
        "忘掉我的电话,我的地址不要留",
        "忘掉我的电话,我的地址别留着",
        "忘掉我的电话,我的地址请勿保留",
        "忘掉我的电话,我的地址没必要保留",
        "忘掉我的电话,我的地址不用再留着了",
        "Forget the hotel, my sister stays",
        "Forget the hotel, the one where my mother stays",
    ],
)
def test_what_is_not_to_be_kept_is_not_kept(text: str) -> None:
    assert kept_behind(text) == (text, "")
    assert not read_wish(text, asked_for).keep.fills(HOME)


def test_what_is_named_beside_a_slot_must_be_said_too() -> None:
    assert not read_wish("the phone case I bought", asked_for).forget.fills(PHONE)
    assert read_wish("the phone number 555-0142", asked_for).forget.fills(PHONE)
    assert not read_wish("the phone number 555-9999", asked_for).forget.fills(PHONE)


def test_the_name_of_a_slot_alone_is_said_by_no_text() -> None:
    assert not read_wish("my phone", asked_for).forget.said_in("I bought a new phone")


def test_nearly_all_words_must_be_said() -> None:
    wish = read_wish("forget that I like jazz", asked_for)
    assert wish.forget.said_in("I like jazz")
    assert not wish.forget.said_in("I like tea")
    assert not read_wish("the surgery in May", asked_for).forget.said_in("we met in May")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "*",
        "everything",
        "forget all of it",
        "忘记一切",
        "the",
        "%",
        "\x00",
        "\ud800",
        "[]",
        "()",
        ".*",
        "!!!",
    ],
)
def test_a_wish_that_names_nothing_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="names nothing"):
        read_wish(text, asked_for)


def test_an_endless_wish_is_refused() -> None:
    with pytest.raises(InvalidInput, match=f"{MAX_CHARS}"):
        read_wish("phone " * 1_000, asked_for)
