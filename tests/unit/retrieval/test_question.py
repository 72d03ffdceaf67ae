"""What is read of a question before anything is searched."""

from datetime import UTC, datetime

import pytest

from agentmem.questions.question import asked_for, read_question

NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)
SPEAKERS = ("罗小东", "Ann", "Mary Ann")


@pytest.mark.parametrize(
    ("text", "sought"),
    [
        ("罗小东的电话是多少", "的电话是多少"),
        ("What did Ann buy?", "What did buy?"),
        ("What is Mary Ann's budget?", "What is budget?"),
        ("what did ann buy in Annecy?", "what did buy in Annecy?"),
    ],
)
def test_the_names_of_speakers_are_not_searched_for(text: str, sought: str) -> None:
    assert " ".join(read_question(text, NOW, SPEAKERS).sought.split()) == sought


@pytest.mark.parametrize("text", ["罗小东", "Ann?", " 罗小东 。"])
def test_a_question_that_is_nothing_but_a_name_is_searched_for_whole(text: str) -> None:
    read = read_question(text, NOW, SPEAKERS)
    assert read.sought == text
    assert read.named


def test_those_who_are_named_are_told_apart_from_those_who_speak() -> None:
    read = read_question("What did Mary Ann say?", NOW, SPEAKERS)
    assert "Mary Ann" in read.named
    assert "罗小东" not in read.named
    assert read_question("How many annexes are there?", NOW, SPEAKERS).named == frozenset()


@pytest.mark.parametrize(
    "text", ["When did she call?", "他什么时候来", "几点见面", "Which month was it?", "How long ago"]
)
def test_a_question_for_a_time_is_known_as_one(text: str) -> None:
    assert read_question(text, NOW).wants_time


@pytest.mark.parametrize("text", ["What does he want?", "电话多少", "Whenever"])
def test_other_questions_want_no_time(text: str) -> None:
    assert not read_question(text, NOW).wants_time


def test_of_an_endless_question_the_beginning_says_what_it_asks_for() -> None:
    assert "phone" in read_question("他的电话" + "where " * 20_000, NOW).asked
    assert not read_question("where " * 20_000 + "电话", NOW).asked


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("How many people work at Nordwind Logistics?", {"headcount", "quantity"}),
        ("How many employees does Nordwind have?", {"headcount", "quantity"}),
        ("北风物流有多少员工?", {"headcount", "quantity"}),
        ("Who works at Nordwind?", {"employer", "business", "industry"}),
        ("周敏的截止日期是哪天?", {"deadline"}),
        ("When is the deadline?", {"deadline"}),
        ("When does she come?", {"appointment", "deadline", "plan"}),
        ("What do they use today?", {"current_system", "business"}),
    ],
)
def test_what_is_asked_for_is_named_as_closely_as_the_question_says(text: str, slots: set[str]) -> None:
    assert asked_for(text) == slots
