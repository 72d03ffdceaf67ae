"""How sure recall is."""

import pytest

from agentmem.language.tokens import query_sparse, sparse
from agentmem.ports.memory_index import Sparse
from agentmem.retrieval.confidence import SLOT, THRESHOLD, confidence, nearness
from agentmem.retrieval.term_weights import TermWeights, terms_said

ASKED = "what does the fold bike cost in the shop"
UNRELATED = [f"rain number{number} and wind" for number in range(400)]


def sure(*texts: str) -> float:
    """How sure recall is where these texts are all there is."""
    return confidence(terms_said(ASKED, texts), among=len(texts))


def test_a_hit_that_says_what_is_asked_is_likelier_than_one_that_says_half() -> None:
    whole, half, nothing = (
        sure(text, *UNRELATED) for text in ("the fold bike cost much in the shop", "a bike in a shop", "rain")
    )
    assert whole > half > THRESHOLD > nothing


def test_hits_that_say_it_together_are_less_sure_than_one_that_says_it_all() -> None:
    together = sure("fold it", "a bike", "the cost", "our shop", *UNRELATED)
    assert sure("the fold bike cost, shop", *UNRELATED) > together


@pytest.mark.parametrize("size", [1, 7, 200, 400])
def test_what_answers_in_a_large_memory_answers_in_a_small_one(size: int) -> None:
    assert sure("he paid 300 for the bike in the shop", *UNRELATED[: size - 1]) >= THRESHOLD


def test_a_single_memory_that_shares_a_word_is_not_refused() -> None:
    assert sure("he has a bike") >= THRESHOLD > sure("he likes rain")


def test_a_filled_slot_is_enough() -> None:
    assert confidence(terms_said(ASKED, ["rain"]), among=400, slot_filled=True) == SLOT >= THRESHOLD


def test_without_a_candidate_or_a_word_there_is_no_confidence() -> None:
    assert confidence(terms_said(ASKED, [])) == 0.0
    nothing_asked = TermWeights([Sparse(*sparse("a bike"))], Sparse(*query_sparse("")))
    assert confidence(nothing_asked) == 0.0


def test_nearness_is_what_stands_out_whatever_the_model_s_cosines_are() -> None:
    assert nearness([0.6, 0.2, 0.2]) == pytest.approx(0.5)
    assert nearness([0.9, 0.8, 0.8]) == pytest.approx(0.5)
    assert nearness([0.8, 0.8, 0.8]) == 0.0
    assert nearness([]) == 0.0


def test_what_is_near_in_meaning_is_surer_than_what_is_not() -> None:
    said = terms_said(ASKED, ["he has a bike", *UNRELATED])
    assert confidence(said, near=0.4) > confidence(said, near=0.05)
