"""How a text is read in which names are looked for: letters that stand apart, marks, and what long texts cost."""

import re
from random import Random

import pytest

from agentmem.agents.copying.name_matcher import NameMatcher, latin_parts, plain, words
from tests.support.timing import seconds_of

SPACED = re.compile(r"(?<![^\W_])[a-z](?:[\s._·-]{1,3}[a-z](?![^\W_])){2,}")
"""What letters that stand apart are: at least three, with one to three signs between two of them."""


def test_letters_that_stand_apart_are_one_word() -> None:
    random = Random(7)
    for _ in range(20_000):
        text = "".join(random.choice("abcd1中  \t..--_·,'") for _ in range(random.randrange(30)))
        assert plain(text) == SPACED.sub(lambda found: "".join(filter(str.isalnum, found[0])), text), text


@pytest.mark.parametrize("unit", ["a b ", "a.b   c  ", "a b cc ", "a - "])
def test_twice_as_many_letters_that_stand_apart_cost_at_most_two_and_a_half_times(unit: str) -> None:
    once, twice = (
        min(seconds_of(lambda text=(unit * length)[:length]: plain(text), 5) for _ in range(5))
        for length in (131_072, 262_144)
    )
    assert twice < 2.5 * once


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("हिमानी शर्मा आई", ["हिमानी", "शरमा", "आई"]),
        ("คุณน้ำ มาแล้ว", ["คณนา", "มาแลว"]),
        ("Jörg's École, t0m_2", ["jorg", "s", "ecole", "t0m", "2"]),
        ("张三来了 1️⃣ ❤️", ["张", "三", "来", "了", "1"]),
        ("مُحَمَّد هنا", ["محمد", "هنا"]),
    ],
)
def test_marks_stay_with_their_word(text: str, found: list[str]) -> None:
    assert words(plain(text)) == found


def test_a_name_whose_letters_have_marks_is_found_whole_and_by_its_parts() -> None:
    assert latin_parts("हिमानी शर्मा") == ["हिमानी", "शरमा"]
    names = NameMatcher()
    names.add_names(["हिमानी शर्मा"], parts=True)
    assert names.within("आज हिमानी आई") == "हिमानी"
    assert names.within("ह म न") is None
