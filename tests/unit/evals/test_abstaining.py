"""Thresholds on confidence, worked out by hand."""

from itertools import pairwise

import pytest

from agentmem_evals.retrieval.metrics import best_threshold, curve, kept, told_apart


def test_what_reaches_the_threshold_is_kept() -> None:
    assert kept([0.0, 0.2, 0.4, 0.4], 0.4) == 0.5
    assert kept([0.0, 0.2], 0.0) == 1.0


def test_the_curve_runs_from_keeping_everything_to_refusing_nearly_everything() -> None:
    points = curve([0.5, 0.75, 1.0], [0.0, 0.25])

    assert (points[0].threshold, points[0].kept, points[0].refused) == (0.0, 1.0, 0.0)
    assert points[-1].threshold == 1.0
    assert points[-1].kept == pytest.approx(1 / 3)
    assert points[-1].refused == 1.0
    assert all(one.threshold < other.threshold for one, other in pairwise(points))


def test_the_best_threshold_parts_the_two_where_they_can_be_parted() -> None:
    chosen = best_threshold(curve([0.6, 0.8, 0.9], [0.1, 0.2, 0.3]))

    assert 0.3 < chosen.threshold <= 0.6
    assert (chosen.kept, chosen.refused) == (1.0, 1.0)


def test_a_curve_over_one_value_is_one_point() -> None:
    (point,) = curve([0.3], [0.3, 0.3])
    assert (point.kept, point.refused) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("answerable", "others", "share"),
    [([2.0, 3.0], [0.0, 1.0], 1.0), ([0.0], [1.0], 0.0), ([1.0, 1.0], [1.0], 0.5), ([0.0, 2.0], [-1.0, 1.0], 0.75)],
)
def test_told_apart_counts_the_pairs_in_the_right_order(
    answerable: list[float], others: list[float], share: float
) -> None:
    assert told_apart(answerable, others) == share
