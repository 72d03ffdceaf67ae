"""Codes: what tells two versions or models apart."""

import pytest

from agentmem.language.record_fields import codes_asked, speaks_of


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        ("Is v2.1 compatible with the old dock?", {"v2.1"}),
        ("Is version 2.1 compatible with the old dock?", {"v2.1"}),
        ("RT-90多重？", {"rt90"}),
        ("K3和K5哪个便宜", {"k3", "k5"}),
        ("How big is the boot of the 2019 model?", {"2019"}),
        ("2019款的后备箱多大", {"2019"}),
    ],
)
def test_a_version_a_model_and_a_model_year_are_codes(question: str, codes: set[str]) -> None:
    assert codes_asked(question) == codes


@pytest.mark.parametrize(
    "question",
    [
        "What did she sell in 2019?",
        "Who came at 5pm with 12 boxes of 3kg?",
        "Which version had tethering before v2.1?",
        "v2.1之前有什么功能",
        "Who has the address k3@depot.org or 555-0142?",
        "What was earned in Q3?",
    ],
)
def test_counts_times_addresses_and_bounds_are_none(question: str) -> None:
    assert codes_asked(question) == frozenset()


def test_a_sentence_speaks_of_the_code_it_says_or_of_the_last_one_before_it() -> None:
    assert speaks_of(frozenset({"k3"}), "", "The K-3 folds.")
    assert not speaks_of(frozenset({"k3"}), "K3", "The K5 folds.")
    assert speaks_of(frozenset({"k3"}), "Models › K3", "It folds.")
    assert speaks_of(frozenset({"k3"}), "Models › K3", "It takes the M40 motor.")
    assert not speaks_of(frozenset({"k3"}), "The K3 folds. The K5 does not.", "It costs less.")
    assert not speaks_of(frozenset({"k3"}), "Models", "It folds.")
