"""Reranking never makes recall worse when the reranker fails."""

import math

import numpy as np
import pytest

from agentmem.errors import BackendUnavailable, BadAnswer, InvalidInput
from agentmem.ports.models import Inquiry, Reranker
from agentmem.retrieval.rerank import reranked
from tests.support.ranking import Answering, Failing, Hanging, found

ASKED = Inquiry("怎么联系小东")


async def test_the_most_relevant_comes_first_and_equals_keep_their_order() -> None:
    done = await reranked(Answering(1, 5, 1, 5), ASKED, found("a", "b", "c", "d"), seconds=5)

    assert done.order == (1, 3, 0, 2)
    assert done.relevance == (1.0, 5.0, 1.0, 5.0)
    assert done.fallback is None


async def test_what_lies_behind_the_first_keeps_its_place() -> None:
    reranker = Answering(1, 2)
    done = await reranked(reranker, ASKED, found("a", "b", "c", "d"), seconds=5, first=2)

    assert reranker.shown == 2
    assert done.order == (1, 0, 2, 3)


async def test_fifty_are_looked_at_unless_told_otherwise() -> None:
    reranker = Answering(*range(50))
    done = await reranked(reranker, ASKED, found(*(f"memory {n}" for n in range(60))), seconds=5)

    assert done.order == (*reversed(range(50)), *range(50, 60))


@pytest.mark.parametrize(
    ("reranker", "reason"),
    [
        (Failing(BackendUnavailable("the scorer is down")), "the scorer is down"),
        (Failing(BadAnswer("no usable answer")), "no usable answer"),
        (Failing(ConnectionRefusedError("refused")), "refused"),
        (Answering(1.0), "1 relevances for 3 memories"),
        (Answering(1.0, 2.0, 3.0, 4.0), "4 relevances for 3 memories"),
        (Answering(1.0, math.nan, 3.0), "no finite number"),
        (Answering(1.0, 2.0, math.inf), "no finite number"),
        (Answering(1.0, 2.0, -math.inf), "no finite number"),
    ],
)
async def test_what_is_no_ranking_leaves_the_order_before_and_says_why(reranker: Reranker, reason: str) -> None:
    done = await reranked(reranker, ASKED, found("a", "b", "c"), seconds=5)

    assert done.order == (0, 1, 2)
    assert done.relevance == ()
    assert done.fallback is not None
    assert reason in done.fallback


async def test_one_that_takes_too_long_is_given_up() -> None:
    reranker = Hanging()
    done = await reranked(reranker, ASKED, found("a", "b"), seconds=0.01)

    assert done.order == (0, 1)
    assert done.fallback == "no answer within 0.01 s"
    assert reranker.given_up


async def test_a_mistake_in_the_input_is_not_taken_for_an_outage() -> None:
    with pytest.raises(InvalidInput, match="mistake"):
        await reranked(Failing(InvalidInput("mistake")), ASKED, found("a"), seconds=5)


async def test_numbers_of_any_kind_are_a_ranking() -> None:
    narrow = np.array([0.25, 0.5], dtype=np.float32)
    done = await reranked(Answering(*narrow), ASKED, found("a", "b"), seconds=5)

    assert (done.order, done.relevance) == ((1, 0), (0.25, 0.5))


async def test_nothing_found_asks_nobody() -> None:
    done = await reranked(Failing(BackendUnavailable("down")), ASKED, [], seconds=5)

    assert (done.order, done.fallback) == ((), None)
