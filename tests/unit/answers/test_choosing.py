"""Which of several given answers is right."""

import pytest

from agentmem.answers.answer import AskQuery
from agentmem.answers.ask import chosen
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput

CHOICES = ("a red boat", "a blue boat", "an old boat")


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("She bought a blue boat in May.", 2),
        ("The boat she bought is painted red.", 1),
        ("She bought a boat.", None),
        ("Nothing of the kind.", None),
    ],
)
def test_the_choice_that_the_answer_says_is_the_one(answer: str, right: int | None) -> None:
    assert chosen(CHOICES, answer, ()) == right


def test_where_the_answer_says_two_the_first_passage_that_says_one_decides() -> None:
    answer = "A red boat lay beside a blue boat."
    assert chosen(CHOICES, answer, (answer, "She wanted the blue one.")) == 2


def test_in_chinese_too() -> None:
    assert chosen(("青石镇", "云州"), "沈若溪出生在青石镇。", ()) == 1


@pytest.mark.parametrize("choices", [("one",), ("one", "One "), ("one", " ")])
def test_choices_differ(choices: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput, match="choices"):
        AskQuery(Scope("acme", "seller"), "Which?", choices=choices)
