"""From signals to an order."""

from dataclasses import replace

import pytest

from agentmem.retrieval.pool import Candidate, Pool, Stage
from agentmem.retrieval.profiles import GENERATIVE, MEMORIES, VERBATIM, Profile
from agentmem.retrieval.ranking import ranked
from tests.unit.retrieval.test_signals import QUESTION, a_fact, a_turn

PLAIN = replace(MEMORIES, weights={"lexical": 1.0}, types={})


def order(profile: Profile, *candidates: Candidate) -> list[str]:
    return [item.candidate.memory_id for item in ranked(Pool(QUESTION, candidates), profile)]


def named(name: str, candidate: Candidate) -> Candidate:
    return replace(candidate, memory_id=name)


@pytest.mark.parametrize("profile", [VERBATIM, MEMORIES, GENERATIVE])
def test_a_score_is_the_sum_of_its_shares(profile: Profile) -> None:
    candidates = [named("a", a_fact(3.0, 0.5)), named("b", a_turn(1, 2.0)), named("c", a_turn(2))]
    for item in ranked(Pool(QUESTION, candidates, dense_share=0.3), profile):
        assert sum(item.shares.values()) == pytest.approx(item.score)
        assert item.shares.keys() == {name for name, weight in profile.weights.items() if weight}


def test_the_words_themselves_rank_behind_what_was_made_of_them() -> None:
    profile = replace(PLAIN, types=MEMORIES.types)
    turn, fact = ranked(Pool(QUESTION, [named("t", a_turn(1, 4.0)), named("f", a_fact(4.0))]), profile)[::-1]
    assert turn.score == pytest.approx(fact.score * 0.85)


def test_a_guess_ranks_behind_what_was_stated() -> None:
    guess, stated = named("g", a_fact(4.0, modality="hypothesis")), named("s", a_fact(4.0, modality="stated"))
    assert order(PLAIN, guess, stated) == ["s", "g"]


@pytest.mark.parametrize("asks", [True, False])
def test_what_the_agent_says_ranks_behind_what_the_person_says(asks: bool) -> None:
    agents, persons = (
        named(name, a_turn(number, 4.0, cues={"asks": asks}, userName="小美", speaker=speaker))
        for number, (name, speaker) in enumerate((("agents", "小美"), ("persons", "罗小东")))
    )
    assert order(replace(PLAIN, agent_says=0.5), agents, persons) == ["persons", "agents"]


def test_of_equal_ones_the_newer_comes_first_then_the_smaller_id() -> None:
    old, new, other = (named(name, a_fact(4.0, timestamp=at)) for name, at in (("o", 1), ("n", 2), ("a", 1)))
    assert order(PLAIN, old, new, other) == ["n", "a", "o"]


def test_a_memory_that_entered_twice_is_shown_once_by_its_better_place() -> None:
    read, unread = a_fact(2.0), replace(a_fact(4.0), stage=Stage.UNREAD)
    (only,) = ranked(Pool(QUESTION, [read, unread]), PLAIN)
    assert only.candidate.stage is Stage.UNREAD


def test_what_scores_next_to_nothing_is_dropped() -> None:
    assert order(PLAIN, named("a", a_fact(4.0)), named("b", a_fact())) == ["a"]


def test_with_all_signals_equal_the_order_is_that_of_relevance_and_no_score_is_nan() -> None:
    candidates = [named("a", a_fact(1.0)), named("b", a_fact(4.0)), named("c", a_fact(2.0))]
    found = ranked(Pool(QUESTION, candidates), GENERATIVE)
    assert [item.candidate.memory_id for item in found] == ["b", "c", "a"]
    assert [item.score for item in found] == pytest.approx([2.0, 1.0 + 1 / 3, 1.0])
    (alone,) = ranked(Pool(QUESTION, [a_fact(1.0)]), GENERATIVE)
    assert alone.score == pytest.approx(1.5)


def test_nothing_found_is_nothing_ranked() -> None:
    assert ranked(Pool(QUESTION, []), VERBATIM) == []
