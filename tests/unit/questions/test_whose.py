"""Whose a statement is where it begins with a thing or with somebody else."""

import pytest

from agentmem.questions.whose import is_of_another


@pytest.mark.parametrize(
    ("sentence", "question", "another"),
    [
        ("Dora Finch says the house is 90 years old", "How old is Dora Finch?", True),
        ("Dora Finch's boiler is about twenty years old", "How old is Dora Finch?", True),
        ("My car is 12 years old", "How old is she?", True),
        ("Dora Finch's house is 90 years old", "How old is Dora Finch's house?", False),
        ("Dora Finch is 41 years old", "How old is Dora Finch?", False),
    ],
)
def test_how_old_a_thing_is_is_nobodys_age(sentence: str, question: str, another: bool) -> None:
    assert is_of_another(sentence, question, ("Dora Finch",)) is another
