"""How sure recall is."""

import pytest

from agentmem.retrieval.confidence import SLOT, THRESHOLD, confidence, nearness

ASKED = frozenset({"fold", "bike", "price"})


def test_a_hit_that_says_what_is_asked_is_likelier_than_one_that_says_half() -> None:
    whole, half, nothing = (confidence(ASKED, [frozenset(words)], 6.0) for words in (ASKED, {"bike"}, {"rain"}))
    assert whole > half > nothing
    assert whole > THRESHOLD > nothing


def test_hits_that_say_it_together_are_less_sure_than_one_that_says_it_all() -> None:
    together = confidence(ASKED, [frozenset({word}) for word in ASKED], 6.0)
    assert confidence(ASKED, [ASKED], 6.0) > together > confidence(ASKED, [frozenset({"bike"})] * 3, 6.0)


def test_rarer_matches_make_surer() -> None:
    assert confidence(ASKED, [frozenset({"bike"})], 9.0) > confidence(ASKED, [frozenset({"bike"})], 1.0)


def test_a_filled_slot_is_enough() -> None:
    assert confidence(ASKED, [frozenset({"rain"})], 0.0, slot_filled=True) == SLOT >= THRESHOLD


def test_without_a_hit_or_a_word_there_is_no_confidence() -> None:
    assert confidence(ASKED, [], 9.0) == 0.0
    assert confidence(frozenset(), [ASKED], 9.0) == 0.0


def test_nearness_is_what_stands_out_whatever_the_model_s_cosines_are() -> None:
    assert nearness([0.6, 0.2, 0.2]) == pytest.approx(0.5)
    assert nearness([0.9, 0.8, 0.8]) == pytest.approx(0.5)
    assert nearness([0.8, 0.8, 0.8]) == 0.0
    assert nearness([]) == 0.0


def test_what_is_near_in_meaning_is_surer_than_what_is_not() -> None:
    said = [frozenset({"bike"})]
    assert confidence(ASKED, said, 3.0, near=0.4) > confidence(ASKED, said, 3.0, near=0.05)
