"""Questions taken apart, and the way of looking that suits them."""

from typing import get_args

import numpy as np
import pytest

from agentmem.questions.form import MOST, AnswerMode, diverse, mode_of, next_mode, parts_of
from tests.support.nodes import NOON

WAYS: tuple[AnswerMode, ...] = get_args(AnswerMode)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("罗小东的电话和预算是多少?", ["罗小东的电话是多少", "罗小东的预算是多少"]),
        ("王芳和罗小东的预算是多少?", ["王芳的预算是多少", "罗小东的预算是多少"]),
        ("罗小东什么时候签合同,然后王芳住在哪里?", ["罗小东什么时候签合同", "王芳住在哪里"]),
        ("What is Tom's phone number and budget?", ["What is Tom's phone number", "What is Tom's budget"]),
        ("What did Tom and Ann order?", ["What did Tom order", "What did Ann order"]),
        ("Where does Tom live? Who is Ann?", ["Where does Tom live", "Who is Ann"]),
    ],
)
def test_a_question_for_several_things_is_taken_apart_into_whole_questions(question: str, parts: list[str]) -> None:
    assert parts_of(question) == parts


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("罗小东用的产品的负责人是谁?", "罗小东用的产品"),
        ("Who leads the team that built Acme Cloud?", "built Acme Cloud"),
    ],
)
def test_what_has_to_be_known_first_is_asked_first_and_the_whole_after_it(question: str, first: str) -> None:
    assert parts_of(question) == [first, question[:-1]]


@pytest.mark.parametrize(
    "question",
    [
        "华为公司的王芳的电话是多少?",
        "王芳和罗小东是什么关系?",
        "What do Tom and Ann have in common?",
        "What is Tom's phone number?",
        "?",
        "的",
    ],
)
def test_what_cannot_be_taken_apart_stays_whole(question: str) -> None:
    assert parts_of(question) == [question]


def test_a_part_that_points_back_is_asked_as_the_whole() -> None:
    whole = "What product does Tom use and who is its manager?"
    assert parts_of(whole) == ["What product does Tom use", whole]


def test_there_are_three_parts_at_most() -> None:
    assert len(parts_of("Who is Ann? Who is Ben? Who is Cem? Who is Dan?")) == MOST == 3


@pytest.mark.parametrize("again", ["谁;", "什么和", "who and "])
def test_a_question_that_asks_without_end_is_taken_apart_no_further(again: str) -> None:
    assert len(parts_of(again * 600)) <= 3


def test_parts_that_ask_for_the_same_are_asked_once() -> None:
    rows = np.array([[1, 0], [0.95, 0.312], [0, 1]], dtype=np.float32)
    assert diverse(["a", "a again", "b"], rows) == ["a", "b"]


@pytest.mark.parametrize(
    ("question", "way"),
    [
        ("总结一下大家的需求", "global"),
        ("What are the main themes across all customers?", "global"),
        ("他以前的电话是多少?", "temporal"),
        ("2025年1月罗小东的电话是多少?", "temporal"),
        ("罗小东用的产品的负责人是谁?", "traverse"),
        ("王芳和罗小东是什么关系?", "local"),
        ("介绍一下罗小东", "local"),
        ("What is Tom's phone number?", "vector"),
        ("怎么联系小东", "vector"),
    ],
)
def test_the_shape_of_a_question_chooses_the_way(question: str, way: str) -> None:
    assert mode_of(question, NOON) == way == mode_of(question, NOON)


def test_every_way_ends_where_nothing_is_left_to_try() -> None:
    for way in WAYS:
        tried: list[AnswerMode] = [way]
        while (other := next_mode(tried[-1])) is not None:
            tried.append(other)
        assert tried[-1] in ("vector", "hybrid", "traverse")


@pytest.mark.parametrize(
    "question", ["On which day can Nora not meet?", "For whom is the parcel?", "他们公司多少员工?"]
)
def test_a_question_that_opens_with_a_preposition_or_asks_of_a_company_is_one(question: str) -> None:
    assert parts_of(question) == [question]
    assert mode_of(question, NOON) == "vector"
