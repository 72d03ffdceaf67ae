"""A memory and its turn are one hit; what has ended stands below what took its place."""

from dataclasses import replace

import pytest

from agentmem.domain.value import JsonValue
from agentmem.language.tokens import sparse
from agentmem.ports.memory_index import PLACE, Sparse
from agentmem.questions.question import Question
from agentmem.retrieval.pool import Candidate, Pool
from agentmem.retrieval.profiles import MEMORIES, VERBATIM, Profile
from agentmem.retrieval.ranking import Ranked, ranked
from tests.support.nodes import NOON

ASKED = Question(text="red bike lock", sought="red bike lock", now=NOON)


def a_turn(name: str, words: str, number: int = 1, lexical: float = 4.0) -> Candidate:
    """A turn that says these words."""
    fields: dict[str, JsonValue] = {"memoryType": "conversation", PLACE: f"luo/{name}/{number}"}
    return Candidate(name, fields, lexical=lexical, terms=Sparse(*sparse(words)))


def made_of(name: str, turn: str, words: str, lexical: float = 2.0, **fields: JsonValue) -> Candidate:
    """What was made of that turn."""
    known: dict[str, JsonValue] = {"memoryType": "observation", "importance": 5, "sourceIds": [turn]}
    return Candidate(name, {**known, **fields}, lexical=lexical, terms=Sparse(*sparse(words)))


def order(*candidates: Candidate, profile: Profile = MEMORIES, question: Question = ASKED) -> list[str]:
    return [item.candidate.memory_id for item in ranked(Pool(question, candidates), profile)]


def scored(*candidates: Candidate) -> dict[str, Ranked]:
    return {item.candidate.memory_id: item for item in ranked(Pool(ASKED, candidates), MEMORIES)}


def test_a_turn_and_what_was_made_of_it_are_one_hit_with_the_better_score_of_both() -> None:
    turn, memory = a_turn("turn", "my red bike", lexical=40.0), made_of("memory", "turn", "he has a red bike")
    found = scored(turn, memory)
    alone = scored(replace(memory, fields={**memory.fields, "sourceIds": []}), turn)
    assert [*found] == ["memory"]
    assert found["memory"].score == max(alone["memory"].score, alone["turn"].score)
    assert sum(found["memory"].shares.values()) == found["memory"].score


def test_a_turn_that_says_more_of_the_question_stands_for_itself() -> None:
    turn, memory = a_turn("turn", "my red bike has a lock"), made_of("memory", "turn", "he has a bike")
    assert sorted(order(turn, memory)) == ["memory", "turn"]


def test_a_turn_that_says_more_of_what_the_question_is_about_stands_for_itself() -> None:
    question = replace(ASKED, topics=("topic:colour",))
    turn = replace(a_turn("turn", "no bike"), terms=Sparse(*sparse("no bike", ["topic:colour"])))
    memory = made_of("memory", "turn", "he has no bike")
    found = ranked(Pool(question, (turn, memory)), MEMORIES)
    assert sorted(item.candidate.memory_id for item in found) == ["memory", "turn"]


def test_the_words_themselves_can_be_had() -> None:
    turn, memory = a_turn("turn", "my red bike"), made_of("memory", "turn", "he has a red bike")
    assert sorted(order(turn, memory, profile=VERBATIM)) == ["memory", "turn"]


def test_what_ended_stands_for_its_turn_below_what_took_its_place() -> None:
    old_turn, new_turn = (
        a_turn("old turn", "the red bike lock", lexical=9.0),
        a_turn("new turn", "blue one now", 5, 0.1),
    )
    old = replace(made_of("old", "old turn", "his red bike lock", 9.0, supersededBy="new"), over=True)
    new = made_of("new", "new turn", "his one is blue now", 0.1)
    assert order(old_turn, new_turn, old, new) == ["new", "old"]


def test_what_took_several_places_is_found_through_all_of_them() -> None:
    turn = a_turn("turn", "the red bike lock", lexical=9.0)
    first = replace(made_of("first", "turn", "his red bike lock", 9.0, supersededBy="second"), over=True)
    second = replace(made_of("second", "gone", "he sold it", 0.0, supersededBy="last"), over=True)
    last = made_of("last", "gone", "he walks", 0.0)
    assert order(turn, first, second, last) == ["last", "first"]


def test_what_ended_is_no_hit_without_its_turn() -> None:
    old = replace(made_of("old", "no candidate", "his red bike lock", 9.0), over=True)
    assert order(old, a_turn("other", "red rain")) == ["other"]


def test_places_that_were_taken_in_a_circle_end() -> None:
    turn = a_turn("turn", "the red bike lock")
    ring = [
        replace(made_of(name, "turn", "red bike lock", supersededBy=after), over=True) for name, after in ("ab", "ba")
    ]
    assert len(order(turn, *ring)) == 1


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("where is the red bike lock", ["new"]),
        ("where was the original red bike lock", ["old", "new"]),
        ("why did he sell the red bike lock", ["new", "old"]),
        ("红车锁原来放在哪", ["old", "new"]),
        ("为什么换了红车锁", ["new", "old"]),
    ],
)
def test_what_ended_is_a_hit_by_itself_where_it_may_answer(question: str, found: list[str]) -> None:
    old = replace(made_of("old", "no candidate", "his red bike lock", 9.0, supersededBy="new"), over=True)
    new = made_of("new", "gone", "his red bike has a chain", 2.0)
    assert order(old, new, question=replace(ASKED, text=question)) == found
