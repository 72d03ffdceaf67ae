"""A wish means what it names and nothing else."""

from collections.abc import Set

import pytest

from agentmem.errors import InvalidInput
from agentmem.memory.request import asked_in
from agentmem.memory.wish import MAX_CHARS, each_of, read_wish
from agentmem.memory.wish_parts import kept_behind, parted, parts_of, points_back, qualifier
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
    assert parted("forget everything but her allergy") == ("forget everything", " her allergy")
    assert parted("forget the hotel but the bar was fine")[1] == ""
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


def test_a_wish_may_be_as_long_as_is_allowed() -> None:
    longest = "forget my phone " + "a" * (MAX_CHARS - len("forget my phone "))
    assert read_wish(longest, asked_for).forget


@pytest.mark.parametrize(
    ("text", "each"),
    [
        ("forget my son and my phone number", ["forget my son", "forget my phone number"]),
        ("forget my phone, my son, and my dog", ["forget my phone", "forget my son", "forget my dog"]),
        ("忘掉我儿子和我的电话", ["忘掉我儿子", "forget 我的电话"]),
        ("forget my trip to Rome and my phone number", None),
        ("forget my phone number and my trip to Rome", None),
        ("forget my son and my phone number but keep my email", None),
        ("forget the and my phone number", None),
        ("forget my phone and", None),
    ],
)
def test_a_wish_for_things_that_a_word_names_is_one_for_each(text: str, each: list[str] | None) -> None:
    assert each_of(text) == (each or [text])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("forget my trip and my shelf number", ["forget my trip", "forget my shelf number"]),
        ("forget Sam and his debts", ["forget Sam", "forget Sam's debts"]),
        ("忘掉老赵和他的债", ["forget 老赵", "forget 老赵的债"]),
        ("forget her, and my trip", ["forget her", "forget my trip"]),
        (
            "forget my trip and the gym but keep my phone",
            ["forget my trip but keep  my phone", "forget the gym but keep  my phone"],
        ),
        ("forget my gym code", []),
        ("forget , and", []),
    ],
)
def test_a_wish_for_several_things_has_parts_whatever_they_are(text: str, parts: list[str]) -> None:
    assert parts_of(text) == parts


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("forget Sam and his debts", True),
        ("忘掉老赵和他的债", True),
        ("forget his debts and Sam", False),
        ("forget his debts", False),
    ],
)
def test_a_thing_points_back_to_whom_another_names_before_it(text: str, *, back: bool) -> None:
    assert points_back(text) is back


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("forget my private email, keep the work one", "work"),
        ("私人邮箱忘掉,工作的留着", "工作"),
        ("forget the band, keep the work one", None),
        ("forget my private email, keep my phone", None),
    ],
)
def test_one_of_two_that_are_alike_stays_by_the_word_that_tells_them_apart(text: str, word: str | None) -> None:
    gone, kept = parted(text)
    assert qualifier(kept, gone) == word


@pytest.mark.parametrize(
    ("text", "former", "current"),
    [
        ("forget my old phone number", True, False),
        ("forget my previous needs", True, False),
        ("forget my old car", True, False),
        ("忘掉我以前的工作", True, False),
        ("forget my new phone number", False, True),
        ("forget my latest salary", False, True),
        ("forget my old bike", False, False),
        ("forget my phone number", False, False),
    ],
)
def test_what_held_before_is_meant_where_a_detail_is_called_old(text: str, *, former: bool, current: bool) -> None:
    wish = read_wish(text, asked_for)
    assert (wish.former, wish.current) == (former, current)


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("forget my needs", {"need", "plan"}),
        ("forget my family", {"family"}),
        ("forget my family's phone numbers", {"phone", "home_phone", "work_phone", "whatsapp"}),
        ("forget my family doctor", frozenset[str]()),
        ("forget the name of the hotel", {"name", "alias"}),
        ("forget the name of my company", {"employer", "business", "industry", "occupation"}),
        ("忘掉我住的地方", {"address", "city", "work_address"}),
    ],
)
def test_the_slots_are_those_of_the_thing_that_is_named(text: str, attributes: Set[str]) -> None:
    assert read_wish(text, asked_for).forget.attributes == attributes


@pytest.mark.parametrize("text", ["forget where I live", "忘掉我住的地方", "forget my family"])
def test_words_that_only_name_a_slot_are_nothing_besides_it(text: str) -> None:
    assert read_wish(text, asked_for).forget.besides == frozenset()


@pytest.mark.parametrize(
    ("text", "besides"),
    [("忘掉那个地方的需求", {"地方"}), ("忘掉我居住在哪个城市", set[str]()), ("forget the family habit", {"famili"})],
)
def test_what_is_named_besides_a_slot_is_what_does_not_name_it(text: str, besides: set[str]) -> None:
    assert read_wish(text, asked_for).forget.besides == besides


def test_the_owner_is_who_owns_what_is_named_and_not_who_is_named_besides() -> None:
    (owner,) = read_wish("forget my brother's number that my sister gave me", asked_for).forget.people
    assert owner.path == ("brother",)
    (met,) = read_wish("forget meeting my brother", asked_for).forget.people
    assert met.path == ("brother",)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("forget everything about me but keep my phone", True),
        ("forget everything about me but keep that I like tea", False),
        ("forget my address but keep my phone number", True),
        ("forget my address", False),
        ("忘掉地址,但保留电话", True),
    ],
)
def test_what_is_to_be_kept_is_kept_wherever_it_is_told(text: str, *, kept: bool) -> None:
    wish = read_wish(text, asked_for, own=True)
    unsaid = a_memory("Tom is reached there", attribute="phone", value="555-0142")
    assert (wish.keeps(PHONE, asked_for), wish.keeps(unsaid, asked_for), wish.is_kept(PHONE.content, asked_for)) == (
        kept,
        kept,
        kept,
    )


def test_a_clause_that_names_what_is_kept_is_kept_though_it_does_not_tell_it() -> None:
    wish = read_wish("forget everything about me but keep my phone number", asked_for, own=True)
    assert wish.is_kept("My phone number has not changed", asked_for)
    assert not wish.is_kept("My address has not changed", asked_for)


def test_what_is_kept_of_oneself_is_the_same_detail() -> None:
    wish = read_wish("forget my son's phone number but keep mine", asked_for)
    assert (wish.keep.attributes, [whom.path for whom in wish.keep.people]) == (wish.forget.attributes, [()])
    other = read_wish("forget my son's phone number but keep my address", asked_for)
    assert "phone" not in other.keep.attributes
    none = read_wish("forget my son's phone number", asked_for)
    assert not none.keep


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("my email is a@x.example (5550142887)", ["5550142887"]),
        ("my email is a@x.example, call 5550142887", ["5550142887"]),
        ("call 5550142887", ["call 5550142887"]),
        ("call me", ["call me"]),
        ("my email is a@x.example", ["my email is a@x.example"]),
    ],
)
def test_of_a_clause_that_tells_another_contact_as_well_the_value_alone_is_told(clause: str, told: list[str]) -> None:
    wish = read_wish("forget my phone number", asked_for)
    assert [clause[slice(*cut)] for cut in wish.told_of(clause)] == told


@pytest.mark.parametrize("text", ["Forget where I used to live", "forget where my sister used to work"])
def test_where_somebody_used_to_be_is_what_holds_no_longer(text: str) -> None:
    wish = read_wish(text, asked_for, ["Tom"])
    assert (wish.former, wish.current) == (True, False)
    assert wish.forget.attributes & {"address", "employer"}
