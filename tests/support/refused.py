"""Values that a stranger hands in where something else is meant, of every kind; each is beyond what is kept."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Final

from agentmem.domain.bounds import MAX_DEPTH, MAX_META, MAX_TEXT


class BrokenZone(tzinfo):
    """A time zone that fails when it is asked."""

    def utcoffset(self, dt: datetime | None, /) -> timedelta | None:
        """Fails."""
        raise OverflowError("no such offset")


EAST, WEST = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))

TEXTS: Final[Mapping[str, str]] = {
    "half a surrogate pair": "\ud800",
    "a low surrogate inside": "a\udc00b",
    "a NUL": "a\x00b",
    "too long": "x" * (MAX_TEXT + 1),
}
INTS: Final[Mapping[str, int]] = {
    "65 bits": 2**63,
    "65 bits below": -(2**63) - 1,
    "no float": 10**309,
    "no text either": 10**5_000,
}
FLOATS: Final[Mapping[str, float]] = {"nan": math.nan, "infinity": math.inf, "below all": -math.inf}
TIMES: Final[Mapping[str, datetime]] = {
    "before the first": datetime.fromisoformat("0001-01-01T00:00:00+14:00"),
    "after the last": datetime.fromisoformat("9999-12-31T23:59:59.999999+00:00"),
    "after the last in the west": datetime.max.replace(tzinfo=WEST),
    "too early": datetime(999, 12, 31, tzinfo=UTC),
    "too late": datetime(9000, 1, 1, 0, 0, 1, tzinfo=UTC),
    "without a zone": datetime(2026, 3, 9, 12),  # noqa: DTZ001 - that is what is wrong with it
    "in a zone that fails": datetime(2026, 3, 9, 12, tzinfo=BrokenZone()),
}


def _nested(levels: int) -> dict[str, object]:
    whole: dict[str, object] = {}
    inner = whole
    for _ in range(levels):
        deeper: dict[str, object] = {}
        inner["x"] = deeper
        inner = deeper
    return whole


def _circle() -> dict[str, object]:
    whole: dict[str, object] = {}
    whole["x"] = [whole]
    return whole


JSON: Final[Mapping[str, dict[str, object]]] = {
    **{f"a number: {name}": {"order": value} for name, value in {**INTS, **FLOATS}.items()},
    **{f"a text: {name}": {"note": [value]} for name, value in TEXTS.items() if name != "too long"},
    **{f"a name: {name}": {value: 1} for name, value in TEXTS.items() if name != "too long"},
    "too deep": _nested(MAX_DEPTH + 1),
    "deeper than the stack": _nested(20_000),
    "a circle": _circle(),
    "too large": {"x": "y" * (MAX_META + 1)},
    "no JSON": {"x": object()},
    "bytes": {"x": b"\xff"},
    "a set": {"x": {1}},
}
"""Objects that cannot be kept as JSON."""

OTHERS: Final[Mapping[str, object]] = {
    "nothing": None,
    "an object": object(),
    "bytes": b"\xff\x00",
    "a truth value": True,
    "a fraction": 0.5,
    "a list": [],
    "a mapping": {},
    "a list of lists": [[["x"]]],
    "a class": int,
    "an empty text": "",
    "a star": "*",
    "a line break": "a\nb",
}
"""Values that are fine somewhere, and not where they are handed in."""

ALL: Final[Mapping[str, object]] = {**TEXTS, **INTS, **FLOATS, **TIMES, **JSON, **OTHERS}
__all__ = ["ALL", "EAST", "FLOATS", "INTS", "JSON", "OTHERS", "TEXTS", "TIMES", "BrokenZone"]
