"""What a filter is made of, before an engine's own words: small values that each adapter translates.

`qdrant_client.models` takes 0.6 s to import, too long for a command that only wants to ask the embedded index.
"""

import sys
from dataclasses import dataclass
from typing import Final, Literal

_MOST: Final = sys.float_info.max

Side = Literal["eq", "gt", "gte", "lt", "lte"]


@dataclass(frozen=True, slots=True)
class AnyCondition:
    """The keyword `field` is one of `values`, or holds one of them."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """The number `field` is `value` (`eq`), greater (`gt`), not less (`gte`), less (`lt`) or not greater (`lte`). What
    lies no further from it than `slack` counts as the same."""

    field: str
    side: Side
    value: float
    slack: float = 0

    @property
    def limits(self) -> dict[str, float]:
        """The ends of a range; of several numbers in a field, one has to lie between both."""
        ends = {"gte": -self.slack, "lte": self.slack, "gt": self.slack, "lt": -self.slack}
        sides = ("gte", "lte") if self.side == "eq" else (self.side,)
        return {side: max(-_MOST, min(_MOST, self.value + ends[side])) for side in sides}


@dataclass(frozen=True, slots=True)
class Containing:
    """The text `field` contains `part`, character by character. Engines that cut words would miss parts of Chinese."""

    field: str
    part: str


@dataclass(frozen=True, slots=True)
class Absent:
    """There is no `field`, or nothing in it."""

    field: str


@dataclass(frozen=True, slots=True)
class Every:
    """All of at least one condition hold."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Some:
    """One or more of at least one condition hold."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Neither:
    """None of at least one condition holds."""

    parts: tuple["Condition", ...]


Condition = AnyCondition | Bound | Containing | Absent | Every | Some | Neither

NOTHING: Final = AnyCondition("storeStatus", ("",))
"""No memory has such a status. Engines read a group without conditions as no restriction, so none is ever built."""

EVERYTHING: Final = Neither((NOTHING,))
