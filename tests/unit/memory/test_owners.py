"""Whose details a talk tells is read in time that grows with the talk, and with nothing else."""

import sys
from types import FrameType

import pytest

from agentmem.language import people
from agentmem.language.people import KnownNames, Whom, people_in
from agentmem.memory import owners
from agentmem.memory.owners import TalkReader, shown

ROOMS = (people.__file__, owners.__file__)
LETTERS = "abcdefghijklmnopqrst"


def talk(size: int) -> list[str]:
    """Turns that each introduce somebody else."""
    names = [f"{a}{b}{c}".capitalize() + "ora" for a in LETTERS for b in LETTERS for c in LETTERS][:size]
    return [f"My friend {name} lives in Oslo." for name in names]


def calls(texts: list[str]) -> int:
    """How many functions of these rooms are called while a talk is read."""
    counted = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call") and frame.f_code.co_filename in ROOMS

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        reader = TalkReader.of(["Tom"], texts)
        found = [part for text in texts for part in reader.parts(text)]
    finally:
        sys.setprofile(before)
    assert len(found) >= len(texts)
    return counted


@pytest.mark.thorough
def test_a_talk_twice_as_long_takes_twice_the_calls() -> None:
    assert calls(talk(120)) < 2.2 * calls(talk(60))


def test_a_known_name_stands_as_a_word_of_its_own_and_chinese_ones_anywhere() -> None:
    known = KnownNames(["ann", "marks and spencer", "孟伟"])
    assert list(known.placed_in("Ann met Annika at Marks and Spencer; Jo-Ann did not")) == [
        (0, 3, "ann"),
        (18, 35, "marks and spencer"),
    ]
    assert list(known.placed_in("我和孟伟去")) == [(2, 4, "孟伟")]
    assert [each.whom for each in people_in("ask ann's dog", known=known)] == [Whom(None, "ann")]
    assert ("ANN" in known, "ben" in known, len(known), sorted(known)[0]) == (True, False, 3, "ann")


def test_what_a_detail_is_called_is_nobodys_name() -> None:
    (passport,) = TalkReader.of(["Nora"], ["Passport is K5582204."]).parts("Passport is K5582204.")
    (ann,) = TalkReader.of(["Nora"], ["Ann is tall."]).parts("Ann is tall.")
    assert passport.subject == ()
    assert [shown(owner) for owners in ann.subject for owner in owners] == ["ann"]
