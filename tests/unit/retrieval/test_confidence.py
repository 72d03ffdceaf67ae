"""How sure recall is."""

from agentmem.retrieval.confidence import SLOT, THRESHOLD, confidence

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
