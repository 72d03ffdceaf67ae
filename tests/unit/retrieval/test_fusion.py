"""The two ways of fusing signals, each against figures worked out by hand."""

from dataclasses import replace
from datetime import timedelta

import pytest

from agentmem.domain.memory import MemoryType
from agentmem.domain.value import JsonValue
from agentmem.questions.question import Question
from agentmem.retrieval.pool import Candidate, Pool
from agentmem.retrieval.profiles import GENERATIVE, MEMORIES
from agentmem.retrieval.ranking import ranked
from tests.support.nodes import NOON

THREE = replace(MEMORIES, weights={"lexical": 1.0, "importance": 0.1, "recency": 0.05}, floor=0.01)
PLAIN = Question(text="?", sought="?", now=NOON)


def a_candidate(layer: MemoryType, name: str, lexical: float, hours: float = 0.0, **fields: JsonValue) -> Candidate:
    """A memory of that layer, so many hours old, of importance 5."""
    at = (NOON - timedelta(hours=hours)).isoformat()
    known: dict[str, JsonValue] = {"memoryType": layer, "importance": 5, "validAt": at}
    return Candidate(name, {**known, **fields}, lexical=lexical)


@pytest.mark.parametrize(
    ("layer", "ratio"),
    [
        (MemoryType.CONVERSATION, 0.85),
        (MemoryType.PERCEPTUAL, 0.8),
        (MemoryType.OBSERVATION, 1.0),
        (MemoryType.INSIGHT, 1.0),
        (MemoryType.LONGTERM, 1.0),
    ],
)
def test_a_score_is_the_weighted_sum_times_the_ratio_of_its_layer(layer: MemoryType, ratio: float) -> None:
    best = a_candidate(MemoryType.OBSERVATION, "best", 8.0)
    half = a_candidate(layer, "half", 4.0, hours=24)
    found = {item.candidate.memory_id: item for item in ranked(Pool(PLAIN, [best, half]), THREE)}
    # lexical 1.0 x 4 / 8, importance 0.1 x 5 / 9, recency 0.05 x 0.99 to the 24th
    by_hand = 0.5 + 0.1 * 5 / 9 + 0.05 * 0.99**24
    assert found["half"].score == pytest.approx(by_hand * ratio)
    assert found["half"].shares["lexical"] == pytest.approx(0.5 * ratio)


def test_what_scores_below_the_floor_is_dropped() -> None:
    best = a_candidate(MemoryType.OBSERVATION, "best", 8.0)
    kept, lost = (
        a_candidate(MemoryType.OBSERVATION, name, lexical, hours=5_000, importance=0)
        for name, lexical in (("kept", 0.0801), ("lost", 0.0799))
    )
    shown = ranked(Pool(PLAIN, [best, kept, lost]), THREE)
    assert [item.candidate.memory_id for item in shown] == ["best", "kept"]
    assert shown[1].score == pytest.approx(0.0801 / 8)


def test_recency_importance_and_relevance_are_stretched_and_added_alike() -> None:
    fresh = a_candidate(MemoryType.OBSERVATION, "fresh", 2.0, hours=0, importance=0)
    great = a_candidate(MemoryType.OBSERVATION, "great", 4.0, hours=30, importance=9)
    exact = a_candidate(MemoryType.OBSERVATION, "exact", 8.0, hours=10, importance=3)
    scores = {item.candidate.memory_id: item.score for item in ranked(Pool(PLAIN, [fresh, great, exact]), GENERATIVE)}
    lowest = 0.99**30
    assert scores == pytest.approx(
        {
            "fresh": 1.0 + 0.0 + 0.0,
            "great": 0.0 + 1.0 + (0.5 - 0.25) / 0.75,
            "exact": (0.99**10 - lowest) / (1 - lowest) + 3 / 9 + 1.0,
        }
    )
