"""Figures of rankings, worked out by hand."""

import math

import pytest

from agentmem_evals.retrieval.metrics import (
    all_at,
    any_at,
    by_category,
    figures,
    hit_at_1,
    ndcg_at,
    ranked_sessions,
    recall_at,
)

RANKED = ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k")
"""Eleven, so that the last one is just outside the first ten."""


def test_recall_is_the_share_of_the_evidence_that_was_found() -> None:
    assert recall_at(5, RANKED, {"b", "e", "f", "z"}) == 0.5
    assert recall_at(10, RANKED, {"b", "e", "f", "z"}) == 0.75
    assert recall_at(10, (), {"a"}) == 0.0


def test_only_the_first_counts_as_a_hit() -> None:
    assert hit_at_1(RANKED, {"a", "z"}) == 1.0
    assert hit_at_1(RANKED, {"b"}) == 0.0
    assert hit_at_1((), {"b"}) == 0.0


def test_all_wants_every_one_and_any_wants_one() -> None:
    assert (all_at(10, RANKED, {"a", "j"}), any_at(10, RANKED, {"a", "j"})) == (1.0, 1.0)
    assert (all_at(10, RANKED, {"a", "k"}), any_at(10, RANKED, {"a", "k"})) == (0.0, 1.0)
    assert (all_at(10, RANKED, {"k"}), any_at(10, RANKED, {"k"})) == (0.0, 0.0)


def test_ndcg_falls_with_the_place() -> None:
    second_and_fourth = 1 / math.log2(3) + 1 / math.log2(5)
    first_and_second = 1 + 1 / math.log2(3)

    assert ndcg_at(5, RANKED, {"a"}) == 1.0
    assert ndcg_at(5, RANKED, {"c"}) == 0.5
    assert ndcg_at(5, RANKED, {"f"}) == 0.0
    assert ndcg_at(5, RANKED, {"b", "d"}) == pytest.approx(second_and_fourth / first_and_second)


def test_ndcg_is_perfect_where_the_evidence_is_longer_than_the_list() -> None:
    assert ndcg_at(5, RANKED, set(RANKED[:7])) == pytest.approx(1.0)


def test_every_figure_of_the_contract_is_there_and_more_k_where_asked() -> None:
    names = ["hit@1", "recall@5", "recall@10", "recall@20", "recall@50", "all@10", "any@10", "ndcg@5", "ndcg@10"]

    assert list(figures(RANKED, {"a"})) == names
    assert figures(RANKED, {"b"}, also=(1, 2))["recall@2"] == 1.0


def test_means_are_over_questions_and_not_over_categories() -> None:
    found, missed = figures(RANKED, {"a"}), figures(RANKED, {"z"})

    means = by_category([("2", found), ("1", missed), ("2", found), (None, missed)])

    assert list(means) == ["all", "1", "2"]
    assert [means[name]["hit@1"] for name in means] == [0.5, 0.0, 1.0]


def test_a_session_is_as_good_as_its_best_turn_unless_told_otherwise() -> None:
    hits = [("2", 0.9), ("1", 0.8), ("1", 0.7), ("3", 0.1)]

    assert ranked_sessions(hits) == ["2", "1", "3"]
    assert ranked_sessions(hits, sum) == ["1", "2", "3"]
