"""Attributes that a persona adds, as people speak of them without a model."""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

import pytest

from agentmem.adapters.cognition.rules.engine import read_window
from agentmem.domain.event import Person
from agentmem.domain.persona import AttributePolicy, Cardinality
from agentmem.domain.statement import Held, Statement, Window
from tests.unit.rules.support import turns

KEPT: dict[str, Cardinality | AttributePolicy] = {
    "office_size": AttributePolicy(words=("办公室面积", "floor space")),
    "favourite_plant": AttributePolicy(cardinality="multi", words=("最喜欢的植物",)),
    "team_lead": "single",
}


def read(*said: str, held: tuple[Held, ...] = ()) -> tuple[Statement, ...]:
    chinese = not said[-1].isascii()
    person = Person(name="李雷" if chinese else "Tom Hale")
    window = Window(
        window_id="w",
        agent_name="Fern",
        person=person,
        language="zh" if chinese else "en",
        turns=turns(said, person, "Fern"),
        held=held,
        attributes=KEPT,
    )
    return read_window(window).statements


@pytest.mark.parametrize(
    ("said", "attribute", "value", "content"),
    [
        ("My office size is 80 square metres now.", "office_size", "80 square metres", "Tom Hale's office size is 80 square metres now"),
        ("The office size is about 60 square metres.", "office_size", "60 square metres", "Tom Hale's office size is about 60 square metres"),
        ("The office's size is 60 square metres.", "office_size", "60 square metres", "Tom Hale's office's size is 60 square metres"),
        ("The size of our office is 90 square metres.", "office_size", "90 square metres", "Tom Hale's office size is 90 square metres"),
        ("Our floor space has grown to 120 square metres.", "office_size", "120 square metres", "Tom Hale's floor space has grown to 120 square metres"),
        ("Office size: 70 sqm", "office_size", "70 sqm", "Tom Hale's office size is 70 sqm"),
        ("My favourite plant is the monstera.", "favourite_plant", "monstera", "Tom Hale's favourite plant is the monstera"),
        ("My favourite plants are ferns.", "favourite_plant", "ferns", "Tom Hale's favourite plants are ferns"),
        ("Our team lead is Priya now.", "team_lead", "Priya", "Tom Hale's team lead is Priya now"),
        ("我们办公室面积是80平米", "office_size", "80平米", "李雷的办公室面积是80平米"),
        ("办公室面积现在80平米左右了", "office_size", "80平米", "李雷的办公室面积现在80平米左右了"),
        ("办公室面积扩大到120平米了", "office_size", "120平米", "李雷的办公室面积扩大到120平米了"),
        ("我最喜欢的植物是龟背竹", "favourite_plant", "龟背竹", "李雷最喜欢的植物是龟背竹"),
        ("我的office size是80平米", "office_size", "80平米", "李雷的office size是80平米"),
    ],
)  # fmt: skip
def test_what_a_persona_keeps_is_understood(said: str, attribute: str, value: str, content: str) -> None:
    (found,) = read(said)
    assert (found.attribute, found.value, found.content, found.about) == (attribute, value, content, None)


@pytest.mark.parametrize(
    ("said", "about", "value"),
    [
        ("Anna's favourite plant is the fern.", "Anna", "fern"),
        ("My wife's favourite plant is the fern.", "Tom Hale's wife", "fern"),
        ("李梅最喜欢的植物是绿萝", "李梅", "绿萝"),
        ("我老婆最喜欢的植物是绿萝", "李雷的老婆", "绿萝"),
    ],
)
def test_of_somebody_else_it_is_told_of_him(said: str, about: str, value: str) -> None:
    (found,) = read(said)
    assert (found.about, found.attribute, found.value) == (about, "favourite_plant", value)


@pytest.mark.parametrize(
    ("asked", "said", "value", "content"),
    [
        ("a: What is your office size?", "About 60 square metres.", "60 square metres", "Tom Hale's office size is about 60 square metres"),
        ("a: How large is the office?", "The office size is 60 square metres.", "60 square metres", "Tom Hale's office size is 60 square metres"),
        ("a: What's your favourite plant?", "The monstera, of course.", "monstera", "Tom Hale's favourite plant is the monstera"),
        ("a: 你们办公室面积是多少？", "大概80平米", "80平米", "李雷的办公室面积大概80平米"),
        ("a: 您最喜欢的植物是什么？", "龟背竹", "龟背竹", "李雷最喜欢的植物是龟背竹"),
    ],
)  # fmt: skip
def test_an_answer_to_a_question_for_it_is_its_value(asked: str, said: str, value: str, content: str) -> None:
    (found,) = read(asked, said)
    assert (found.value, found.content) == (value, content)


@pytest.mark.parametrize(
    "said",
    [
        "My favourite plant is dying.",
        "My favourite plant is too expensive.",
        "Is my favourite plant the fern?",
        "If our office size is 60 square metres, what do you suggest?",
        "Their office size is 60 square metres.",
        "My sister says her favourite plant is the fern.",
        "The office size is in the contract.",
        "办公室面积太小了",
        "最喜欢的植物快死了",
        "他们的办公室面积是60平米",
        "我最喜欢的植物是什么？",
    ],
)
def test_what_gives_no_value_of_his_own_fills_nothing(said: str) -> None:
    assert all(found.attribute not in KEPT for found in read(said))


def held(content: str, attribute: str, value: str) -> Held:
    return Held(content=content, attribute=attribute, value=value, kind=attribute, language="en")


FERN = held("Tom Hale's favourite plant is the fern", "favourite_plant", "fern")


def test_another_of_several_values_ends_none() -> None:
    (found,) = read("My favourite plant is the monstera now.", held=(FERN,))
    assert (found.replaces, found.disputes) == ((), ())


def test_one_of_several_values_that_is_no_longer_so_is_denied() -> None:
    (found,) = read("My favourite plant is no longer the fern.", held=(FERN,))
    assert (found.modality, found.attribute, found.value) == ("negated", "favourite_plant", "fern")


def test_what_is_not_this_but_that_leaves_no_stump() -> None:
    found = read("My favourite plant is not the fern, it's the monstera.", held=(FERN,))
    assert [each.content for each in found] == ["Tom Hale's favourite plant is the monstera"]


@pytest.mark.parametrize(
    "said",
    ["Later.", "Hmm.", "Yes.", "Ask me later.", "Guess!", "Same as before.", "Confidential.", "Private.", "Big.",
     "Nobody's business.", "80 or 90 square metres."],
)  # fmt: skip
def test_reply_that_names_no_value_is_none(said: str) -> None:
    assert [each.value for each in read("a: What is your office size?", said) if each.attribute in KEPT] == []


@pytest.mark.parametrize("said", ["待定", "回头告诉你", "问我老婆", "有", "下次再讲", "八十平或者九十平"])
def test_reply_that_names_no_value_is_none_in_chinese(said: str) -> None:
    assert [each.value for each in read("a: 您办公室面积多大？", said) if each.attribute in KEPT] == []


@pytest.mark.parametrize(
    ("asked", "said", "value"),
    [
        ("a: What is your office size?", "Eighty square metres.", "Eighty square metres"),
        ("a: What is your favourite plant?", "A peace lily.", "peace lily"),
        ("a: 您最喜欢的植物是什么？", "玫瑰吧", "玫瑰"),
        ("a: 您最喜欢的植物是什么？", "多肉植物", "多肉植物"),
        ("a: 您办公室面积多大？", "八十平吧", "八十平"),
    ],
)
def test_reply_that_names_a_value_gives_it(asked: str, said: str, value: str) -> None:
    assert [each.value for each in read(asked, said)] == [value]


@pytest.mark.parametrize(
    "said",
    [
        "My favourite plant is either the rose or the lily.",
        "My favourite plant is the reason I came.",
        "My office size is twice yours.",
        "我最喜欢的植物是玫瑰或者百合",
        "我办公室面积是你的两倍",
    ],
)
def test_choices_and_words_about_the_two_who_speak_are_no_value(said: str) -> None:
    assert [each.value for each in read(said) if each.attribute in KEPT] == []


def test_words_that_round_a_value_are_no_part_of_it() -> None:
    assert [each.value for each in read("My office size is 80 square metres or so.")] == ["80 square metres"]
