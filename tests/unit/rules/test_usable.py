"""A statement that is of no use by itself is left to its turn."""

import pytest

from agentmem.adapters.cognition.rules.model import Finding, Span
from agentmem.adapters.cognition.rules.usable import SpokenIn, is_usable, signs_of
from tests.unit.rules.support import english, read


@pytest.mark.parametrize(
    "lines",
    [
        ("a: Does it fit now?", "It does. We weighed it twice"),
        ("a: Did you find the shop?", "In the end. I laughed so much"),
        ("We live in Derby. We told them again",),
        ("a: 新的尺寸量好了吗？", "量好了，我又想了想"),
        ("a: 电影怎么样？", "还行，我看哭了"),
        ("a: 样品怎么样？", "太薄了"),
    ],
)
def test_what_says_nothing_by_itself_is_left_to_its_turn(lines: tuple[str, ...]) -> None:
    reading = english(*lines) if "".join(lines).isascii() else read(*lines)
    words = ("weighed", "laughed", "told", "想了想", "看哭", "太薄")
    assert not [each.content for each in reading.statements if any(word in each.content for word in words)]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("We keep four hens in the garden", "four hens"),
        ("My daughter Ines teaches physics in Lund", "teaches physics"),
        ("I swim on Mondays before work", "swims on Mondays"),
        ("We sold the boat in Cork", "boat in Cork"),
        ("我们住在老城区，养了两只猫", "两只猫"),
        ("我女儿在苏州教物理", "教物理"),
        ("我每周一下班去游泳", "游泳"),
        ("我爱人去年退休了", "退休"),
    ],
)
def test_what_somebody_can_use_later_is_written_down(said: str, words: str) -> None:
    reading = english(said) if said.isascii() else read(said)
    assert any(words in each.content for each in reading.statements)


def test_what_the_agent_speaks_of_too_is_of_more_use() -> None:
    found = Finding("Tom Hale measured the gate", "fact", 5, "en", (Span(10, 29),))
    alone = SpokenIn("Tom Hale", "Bella", "All fine. I measured the gate. Anyway.", frozenset())
    taken_up = SpokenIn("Tom Hale", "Bella", alone.turn, frozenset({"gate"}))
    assert signs_of(found, taken_up) - signs_of(found, alone) == {"en taken up"}


def test_a_value_and_what_takes_the_place_of_something_are_always_written_down() -> None:
    spoken = SpokenIn("Tom Hale", "Bella", "Oh yes, we laughed.", frozenset())
    found = Finding("Tom Hale laughed", "fact", 5, "en", (Span(8, 18),))
    assert not is_usable(found, spoken)
    assert is_usable(Finding("Tom Hale laughed", "fact", 5, "en", (Span(8, 18),), replaces=("Tom Hale cried",)), spoken)
    assert is_usable(Finding("Tom Hale laughed", "budget", 5, "en", (Span(8, 18),)), spoken)
