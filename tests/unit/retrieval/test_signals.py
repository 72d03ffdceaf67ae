"""The signals recall ranks by, each alone."""

from datetime import timedelta

import pytest

from agentmem.retrieval import signals
from agentmem.retrieval.asked import asked_for
from agentmem.retrieval.signals import Candidate, Question, shares
from tests.support.nodes import NOON


def a_candidate(dense: float = 0.0, keys: float = 0.0, lexical: float = 0.0, **fields: object) -> Candidate:
    known = {"memoryType": "observation", "importance": 5, "validAt": NOON.isoformat(), "modality": "stated"}
    return Candidate("id", dense, keys, lexical, {**known, **fields})  # pyright: ignore[reportArgumentType]


def a_question(*asked: str) -> Question:
    return Question(frozenset(asked), NOON + timedelta(hours=100))


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("怎么联系小东", "phone"),
        ("他的电话", "phone"),
        ("客户想做什么", "need"),
        ("系统用什么技术", "current_system"),
        ("预算多少", "budget"),
        ("How do I reach Tom?", "email"),
        ("What does she want?", "need"),
        ("where does he work, what's his job", "occupation"),
    ],
)
def test_a_question_names_the_slot_it_asks_for(question: str, attribute: str) -> None:
    assert attribute in asked_for(question)


@pytest.mark.parametrize("question", ["你好", "tell me a story", "天气"])
def test_other_questions_ask_for_no_slot(question: str) -> None:
    assert asked_for(question) == frozenset()


def test_a_memory_that_fills_the_slot_is_preferred() -> None:
    asked = a_question("phone")
    assert signals.asked(a_candidate(attribute="phone"), asked) == 1.0
    assert signals.asked(a_candidate(attribute="email"), asked) == 0.0
    assert signals.asked(a_candidate(), asked) == 0.0


def test_recency_halves_in_about_69_hours() -> None:
    then = (NOON + timedelta(hours=100 - 69)).isoformat()
    assert signals.recency(a_candidate(validAt=then), a_question()) == pytest.approx(0.5, abs=0.01)


def test_what_lies_ahead_counts_as_now() -> None:
    ahead = (NOON + timedelta(days=30)).isoformat()
    assert signals.recency(a_candidate(validAt=ahead), a_question()) == 1.0


def test_the_words_themselves_rank_behind_what_was_made_of_them() -> None:
    question = a_question()
    turn = shares(a_candidate(lexical=1.0, memoryType="conversation"), question)
    fact = shares(a_candidate(lexical=1.0), question)
    assert sum(turn.values()) == pytest.approx(sum(fact.values()) / 2)


def test_a_guess_ranks_behind_what_was_stated() -> None:
    question = a_question()
    guess = shares(a_candidate(lexical=1.0, modality="hypothesis"), question)
    assert sum(guess.values()) < sum(shares(a_candidate(lexical=1.0), question).values())
