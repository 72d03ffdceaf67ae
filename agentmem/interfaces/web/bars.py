"""Numbers as bars: where each begins and how far it goes. Nothing is drawn here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 100.0
"""The whole width of a drawing, in its own units."""


@dataclass(frozen=True, slots=True)
class ShareBar:
    """What a number is called, the number, and its bar from `x` on; `against`: it is below zero."""

    name: str
    value: float
    x: float
    width: float
    against: bool


def beside(values: Mapping[str, float]) -> Sequence[ShareBar]:
    """Bars that follow one another and fill the width, the largest first; what is nothing has none."""
    whole = sum(map(abs, values.values()))
    bars: list[ShareBar] = []
    x = 0.0
    for name, value in _largest_first(values):
        width = WIDTH * abs(value) / whole
        bars.append(ShareBar(name, value, round(x, 2), round(width, 2), value < 0))
        x += width
    return bars


def below(values: Mapping[str, float], most: float) -> Sequence[ShareBar]:
    """Bars one below the other, all from the left, the largest first; `most` fills the width."""
    full = max(most, *map(abs, values.values())) if values else most
    return [
        ShareBar(name, value, 0.0, round(WIDTH * abs(value) / full, 2), value < 0)
        for name, value in _largest_first(values)
    ]


def _largest_first(values: Mapping[str, float]) -> list[tuple[str, float]]:
    shown = [(name, value) for name, value in values.items() if value]
    return sorted(shown, key=lambda item: (-abs(item[1]), item[0]))
