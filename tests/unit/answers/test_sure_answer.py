"""What a person said is quoted, with its day, where that is likely enough to be the answer."""

import json
from pathlib import Path

import pytest

from agentmem.answers import sure_answer
from agentmem.answers.extractive import ExtractedAnswer
from agentmem.answers.passages import Looked, Part, Passage
from agentmem.answers.sure_answer import FIRST, is_sure, with_quotes
from agentmem.domain.memory import MemoryType
from agentmem.retrieval import second_look
from bench.asked import seal
from tests.support.nodes import a_memory

NOTHING = ExtractedAnswer(None, ())


def looked(*found: Passage, sure: float = 0.9) -> Looked:
    return Looked((Part("?", found),), sure, (), among=10)


def said(text: str, score: float, *, by: str = "罗小东") -> Passage:
    node = a_memory(text, memory_type=MemoryType.CONVERSATION, speaker=by, target_name="罗小东")
    return Passage(node, score)


def test_what_a_person_said_is_quoted_with_its_day() -> None:
    one = said("The red one, please.", 9.0)
    answer = with_quotes(looked(one), NOTHING)
    assert answer.text == f"罗小东: The red one, please. ({one.memory.valid_at:%Y-%m-%d}) [1]"
    assert answer.sources == (one,)


def test_at_most_the_first_few_are_quoted() -> None:
    found = [said(f"The red one, number {place}.", 9.0) for place in range(FIRST + 2)]
    assert with_quotes(looked(*found), NOTHING).sources == tuple(found[:FIRST])


def test_what_is_told_already_is_not_quoted_again() -> None:
    one, other = said("The red one, please.", 9.0), said("The green one, please.", 9.0)
    told = ExtractedAnswer("The red one. [1]", (one,), frozenset((one.memory.memory_id,)))
    assert with_quotes(looked(one, other), told).sources == (one, other)


@pytest.mark.parametrize("text", ["Which one?", "Thanks, bye!"])
def test_what_tells_nothing_is_not_quoted(text: str) -> None:
    assert with_quotes(looked(said(text, 9.0)), NOTHING) == NOTHING


def test_what_is_far_less_likely_is_not_quoted() -> None:
    found = said("The red one, please.", 20.0), said("It rains.", 1.0)
    assert with_quotes(looked(*found), NOTHING).sources == found[:1]


def test_what_says_the_words_of_the_question_is_surer_than_what_does_not() -> None:
    fitting = looked(said("The sofa is red.", 20.0), said("It rains.", 1.0))
    beside = looked(said("It rains.", 1.0), said("Hm, well.", 1.0), sure=0.1)
    likely = [
        sure_answer.likelihood("Which colour is the sofa?", found, with_quotes(found, NOTHING))
        for found in (fitting, beside)
    ]
    assert likely[0] > likely[1]


def test_nothing_is_no_sure_answer() -> None:
    assert not is_sure("Which colour is the sofa?", looked(), NOTHING)


@pytest.mark.parametrize("stored", [second_look.STORED, sure_answer.STORED], ids=lambda path: path.name)
def test_weights_are_those_that_the_talks_gave(stored: Path) -> None:
    held = json.loads(stored.read_text("utf-8"))
    assert held["seal"] == seal(held), "run `python -m bench.asked --write`: weights are not set by hand"
