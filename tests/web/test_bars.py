"""Bars are as long as their numbers."""

from agentmem.interfaces.web.views.recall import WIDTH, below, beside


def test_bars_beside_one_another_fill_the_width_largest_first() -> None:
    bars = beside({"small": 1.0, "none": 0.0, "large": 2.0, "against": -1.0}, 4.0)
    assert [(bar.name, bar.x, bar.width, bar.against) for bar in bars] == [
        ("large", 0.0, 50.0, False),
        ("against", 50.0, 25.0, True),
        ("small", 75.0, 25.0, False),
    ]
    assert beside({}, 1.0) == beside({"none": 0.0}, 1.0) == []


def test_bars_below_one_another_share_a_measure() -> None:
    bars = below({"half": 1.0, "against": -0.5, "none": 0.0}, 2.0)
    assert [(bar.name, bar.x, bar.width) for bar in bars] == [("half", 0.0, 50.0), ("against", 0.0, 25.0)]
    assert below({"more": 4.0}, 2.0)[0].width == WIDTH
