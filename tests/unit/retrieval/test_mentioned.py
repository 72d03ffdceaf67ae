"""What a question may be naming."""

import pytest

from agentmem.domain.naming import canonical_name
from agentmem.questions.question import MAX_NAMES, names_in


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("怎么联系罗小东", "罗小东"),
        ("罗小东的社保管理系统用什么技术?", "社保管理系统"),
        ("AI人工智能能力的进展如何", "AI人工智能能力"),
        ("王芳家在哪里", "王芳"),
        ("What does Anna Miller say?", "Anna Miller"),
        ("is the San Francisco office open", "San Francisco office"),
        ("who runs C++ there", "C++"),
        ("GPT-5怎么样", "GPT-5"),
        ("Ｇｏｏｇｌｅ的人", "google"),
        ("has O'Brien called?", "O'Brien"),
    ],
)
def test_the_name_in_a_question_is_among_what_it_may_name(question: str, name: str) -> None:
    assert canonical_name(name) in names_in(question)


@pytest.mark.parametrize("question", ["", "?!", "的吗", "what is it", "🙂", "\ud800", "a"])
def test_a_question_without_a_name_names_nothing(question: str) -> None:
    assert names_in(question) == ()


def test_words_with_something_between_them_are_no_name() -> None:
    assert "anna, bob" not in names_in("Anna, Bob")
    assert "anna和bob" not in names_in("Anna 的 Bob")
    assert {"anna", "bob"} <= set(names_in("Anna, Bob"))


def test_names_are_bounded_however_long_the_question_is() -> None:
    assert len(names_in("社保管理系统升级改造" * 500)) == MAX_NAMES
    assert len(names_in("Anna Miller Bob Carter " * 5_000)) <= MAX_NAMES
