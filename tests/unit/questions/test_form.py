"""What a question asks for, and whether a sentence has it."""

from datetime import UTC, datetime

import pytest

from agentmem.questions.form import asked_times_of, has, is_the_moment, mode_of
from agentmem.questions.question import asked_for

NOW = datetime(2026, 5, 12, 18, 0, 0, 250, UTC)


@pytest.mark.parametrize(
    ("question", "sentence", "counts"),
    [
        ("他有几辆车", "他有两台车", True),
        ("他有几台电脑", "他有3部电脑", True),
        ("他家有几间房", "三个房间", True),
        ("开了几家店", "开了三间店", True),
        ("他有几只猫", "两个猫", True),
        ("有几位客人", "来了五个客人", True),
        ("有几本", "三册", True),
        ("他有几辆车", "他有两台电脑", False),
        ("他有几辆车", "他有两个孩子", False),
        ("开了几家店", "家里有三间房", False),
        ("他家有几间房子", "他有三个孩子", False),
    ],
)
def test_a_sentence_counts_the_same_things_whatever_word_counts_them(
    question: str, sentence: str, counts: bool
) -> None:
    assert has(sentence, "number", question) == counts


@pytest.mark.parametrize(
    ("question", "slots"),
    [
        ("What is her job and how old is she?", {"occupation", "age"}),
        ("How many people does he employ and what does he need?", {"headcount", "need"}),
        ("What are his needs and how much can he spend?", {"need", "budget"}),
        ("她做什么工作,多大了", {"occupation", "age"}),
        ("他的预算多少钱,想要什么", {"budget", "need"}),
        ("他喜欢什么,手机号是多少", {"preference", "phone"}),
    ],
)
def test_of_two_questions_in_one_breath_both_are_asked(question: str, slots: set[str]) -> None:
    assert slots <= asked_for(question)


@pytest.mark.parametrize("question", ["How many people, roughly, work at Acme?", "北风物流,有多少人"])
def test_a_question_for_a_number_asks_for_nothing_else(question: str) -> None:
    assert asked_for(question) <= {"headcount", "quantity"}


@pytest.mark.parametrize("question", ["What goes out each month?", "每周几次？"])
def test_what_comes_at_any_time_is_no_time_that_is_asked_for(question: str) -> None:
    assert asked_times_of(question, NOW) == []


@pytest.mark.parametrize("question", ["What do the hens eat now?", "现在谁带她练？"])
def test_now_is_only_the_moment_of_asking(question: str) -> None:
    assert [is_the_moment(each, NOW) for each in asked_times_of(question, NOW)] == [True]
    assert mode_of(question, NOW) == "vector"


@pytest.mark.parametrize(
    "question", ["What did he say today?", "What is on every Monday?", "Who comes in the next hour?"]
)
def test_days_and_hours_are_asked_for(question: str) -> None:
    assert [is_the_moment(each, NOW) for each in asked_times_of(question, NOW)] == [False]


@pytest.mark.parametrize(
    ("sentence", "tells"),
    [
        ("Ines moved to Porto", True),
        ("the lathe was sent back to the Dorn works", True),
        ("the lathe went back to Dorn", True),
        ("Ines wants to teach", False),
        ("Ines is going to teach", False),
        ("Ines listens to Bruno", False),
    ],
)
def test_where_one_goes_is_a_place(sentence: str, tells: bool) -> None:
    assert has(sentence, "place", "Where is it?") is tells
