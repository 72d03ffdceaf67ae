"""What an agent proposes or offers, and the reply that takes it or leaves it open."""

import pytest

from tests.unit.rules.support import START, english, read, stated


@pytest.mark.parametrize(
    ("asked", "said", "told"),
    [
        ("How about Friday at noon?", "Friday it is", "Friday (2026-03-06) at noon"),
    ],
)
def test_a_time_that_is_proposed_and_taken_is_agreed(asked: str, said: str, told: str) -> None:
    assert f"Tom Hale agrees to {told}" in stated(english(f"a: {asked}", said))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Friday at noon?", "Hmm"),
        ("Friday at noon?", "let me check"),
        ("Friday at noon?", "No, Thursday"),
        ("Friday at noon?", "bit early"),
        ("Friday at noon?", "Who with?"),
        ("Friday at noon?", "I'm in Rome"),
        ("Friday at noon?", "Saturday works"),
        ("Friday at noon or Monday at one?", "Great"),
        ("Friday, is that your birthday?", "Lovely"),
        ("Have you seen the news?", "Great"),
    ],
)
def test_a_time_that_is_not_taken_is_not_agreed(asked: str, said: str) -> None:
    assert not [each for each in stated(english(f"a: {asked}", said)) if "agrees" in each]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("周五中午？", "我看看"),
        ("周五中午？", "有点早"),
        ("周五中午？", "再说吧"),
        ("周五中午？", "不行"),
        ("周五中午？", "周六吧"),
        ("周五中午？", "问下我老婆"),
        ("周五还是周六？", "好"),
        ("您周五还在北京？", "好"),
    ],
)
def test_a_time_that_is_not_taken_in_chinese_is_not_agreed(asked: str, said: str) -> None:
    assert not [each for each in stated(read(f"a: {asked}", said)) if "同意" in each]


def test_an_appointment_that_was_agreed_is_over_after_its_day() -> None:
    reading = english("a: How about Saturday 14 March, 11am?", "Sounds good")
    ends = [each.invalid_at for each in reading.statements if each.kind == "appointment"]
    assert [end.date().isoformat() for end in ends if end] == ["2026-03-15"]
    assert START.date().isoformat() == "2026-03-04"


@pytest.mark.parametrize(
    ("asked", "said", "taken"),
    [
        ("Frame: pine, steel, walnut?", "Walnut", "walnut"),
        ("Aisle seat, or by the window?", "By the window please", "by the window"),
        ("Matt, satin or gloss?", "Satin", "satin"),
    ],
)
def test_one_of_several_that_are_offered_is_told_with_the_question(asked: str, said: str, taken: str) -> None:
    told = [each.casefold() for each in stated(english(f"a: {asked}", said))]
    assert len(told) == 1
    assert taken in told[0].split("tom hale")[1]


@pytest.mark.parametrize(
    ("asked", "said"),
    [("Frame: pine, steel, walnut?", "Any"), ("Matt, satin or gloss?", "Ok")],
)
def test_none_of_several_that_are_offered_is_told(asked: str, said: str) -> None:
    assert stated(english(f"a: {asked}", said)) == []


@pytest.mark.parametrize(
    ("asked", "first", "then", "now"),
    [
        ("Frame: pine, steel, walnut?", "Walnut", "Steel please", "steel"),
        ("Side salad, or roast potatoes?", "Roast potatoes", "Side salad from now on", "side salad"),
        ("Boots, clogs, trainers?", "Clogs", "Trainers instead please", "trainers"),
    ],
)
def test_another_of_the_things_that_were_offered_takes_the_place_of_the_first(
    asked: str, first: str, then: str, now: str
) -> None:
    reading = english(f"a: {asked}", first, "a: OK", "Thanks", "a: Hello again", then)
    chosen = [each for each in reading.statements if each.replaces]
    assert [each.content for each in chosen] == [f"Tom Hale chooses {now}"]


@pytest.mark.parametrize(
    "then",
    ["My neighbour has steel", "Steel rusts", "Not steel please", "If it's cheaper, steel please", "Is steel dear?"],
)
def test_what_was_offered_and_is_only_named_takes_no_place(then: str) -> None:
    reading = english("a: Frame: pine, steel, walnut?", "Walnut", "a: OK", "Thanks", "a: Hello again", then)
    assert any("alnut" in each and "answers" in each for each in stated(reading))
    assert not [each for each in reading.statements if each.replaces]
