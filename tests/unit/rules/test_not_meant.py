"""What is taken back in the same turn, refused with a question's words, or not to be heeded, is no wish and no fact."""

import pytest

from tests.unit.rules.support import english, read


@pytest.mark.parametrize(
    ("line", "never"),
    [
        ("我想五月参加合唱……啊呸，那唱不了，是朗诵，五月九号", "合唱"),
        ("我们要两箱苹果——说错了，梨也先不要", "苹果"),
    ],
)
def test_what_was_begun_and_taken_back_is_not_held(line: str, never: str) -> None:
    assert not [each for each in read(line).statements if never in each.content]


@pytest.mark.parametrize(
    ("line", "never"),
    [
        ("I keep the ladder in the barn... no, the other thing. I live in Hull.", "barn"),
        ("My cousin Ida wants a swimming pool, ignore her", "pool"),
        ("Would you stop. No.", "stop"),
        ("No, leave Tuesday as it is.", "Tuesday"),
        ("I've given up the patches too, don't need them", "need"),
        ("The old title was dull. It's Deep Harbour now.", "name is"),
        ("Ring home's at nine, every night.", "wants to be"),
    ],
)
def test_what_is_no_wish_and_no_name_is_not_held(line: str, never: str) -> None:
    assert not [each for each in english(line).statements if never in each.content]


def test_what_was_not_taken_back_is_held() -> None:
    assert [
        each.content for each in english("I keep it in the barn... no, that's wrong. I live in Hull.").statements
    ] == ["Tom Hale lives in Hull"]
    assert "Tom Hale would like Bella to leave the parcel with the porter" in [
        each.content for each in english("Please leave the parcel with the porter").statements
    ]


def test_what_had_been_is_not_what_would_be() -> None:
    assert [each.content for each in english("I'd left out the porch.").statements] == [
        "Tom Hale had left out the porch"
    ]


@pytest.mark.parametrize("asked", ["So you're moving to Norway?", "Shall I send a bigger tank, or only a tap?"])
def test_what_the_agent_asks_last_is_nothing_without_its_answer(asked: str) -> None:
    assert english(f"a: {asked}", "Never mind that.").statements == ()


def test_what_the_agent_asks_and_he_confirms_is_held() -> None:
    assert "Tom Hale is moving to Norway" in [
        each.content for each in english("a: So you're moving to Norway?", "Yes, exactly").statements
    ]
