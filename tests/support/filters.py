"""Random filters in the form callers write them, and random memories that they may fit or just miss."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from hypothesis import strategies as st

from agentmem.domain.memory import LAYERS, MemoryNode
from tests.support.nodes import NOON, a_memory

TEXTS = (
    "work",
    "Work",
    "wor",
    "5",
    "true",
    "",
    "*",
    "社保 管理系统",
    "社保管理系统",
    "SAP系统",
    "sap",
    "ＳＡＰ",
    "Straße",
)
TIMES = ("2026-03-09", "2026-03-09T12:00:00Z", "2026-03-09T20:00:00+08:00", "2026-03-09T12:00:00.000001+00:00", "1999")
NUMBERS = (0, 1, 5, 5.0, 5.5, -3, 0.1, 1e-9, 2**53 - 1)
NAMES = ("category", "rating", "客户", "due date", "a-b", "0", "trust", "validAt")
MOMENTS = tuple(NOON + timedelta(microseconds=shift) for shift in (-1, 0, 1, 86_400_000_000))

_scalars = st.sampled_from([*TEXTS, *TIMES, *NUMBERS, True, False]) | st.floats(-1e6, 1e6)
_odd = st.sampled_from([None, {}, {"work": 5}, [], [None], [["work"]], 2**60])
_texts = st.sampled_from([*TEXTS, *TIMES])


@st.composite
def nodes(draw: st.DrawFn, **fixed: object) -> MemoryNode:
    """A memory with odd things in `metaData`, near in its fields to what the filters ask for."""
    moments = st.sampled_from(MOMENTS)
    elsewhere = draw(st.sampled_from((UTC, timezone(timedelta(hours=-7)))))
    begins = draw(moments).astimezone(elsewhere)
    given: dict[str, object] = {
        "kind": draw(st.none() | _texts),
        "key": tuple(draw(st.lists(_texts, max_size=2))),
        "value": draw(st.none() | _texts),
        "importance": draw(st.sampled_from((0, 1, 5))),
        "memory_type": draw(st.sampled_from(LAYERS)),
        "run_id": draw(st.sampled_from((None, "talk", "Talk"))),
        "valid_at": begins,
        "invalid_at": draw(st.none() | st.just(begins + timedelta(days=1))),
        "expired_at": draw(st.none() | moments),
        "last_access": draw(st.none() | moments),
        "meta_data": draw(st.dictionaries(st.sampled_from(NAMES), _scalars | _odd | st.lists(_scalars, max_size=3))),
    }
    return a_memory(draw(st.sampled_from([text for text in TEXTS if text])), **{**given, **fixed})


def _conditions(field: str, values: st.SearchStrategy[Any], *others: st.SearchStrategy[Any]) -> Any:
    several = st.lists(values, max_size=3)
    operators = st.one_of(
        st.dictionaries(st.sampled_from(("eq", "ne")), values, min_size=1),
        st.dictionaries(st.sampled_from(("in", "nin")), several, min_size=1),
        st.fixed_dictionaries({"exists": st.booleans()}),
        *others,
    )
    return st.one_of(values, several, st.just("*"), operators).map(lambda condition: {field: condition})


def _ordered(bounds: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(st.sampled_from(("gt", "gte", "lt", "lte")), bounds, min_size=1, max_size=2)


_moments = st.sampled_from(TIMES[:-1]) | st.sampled_from(MOMENTS) | st.just(datetime(2026, 3, 9, 12))  # noqa: DTZ001
_parts = _texts.filter(bool).flatmap(lambda text: st.sampled_from([{"contains": text}, {"icontains": text.upper()}]))
_bounds = _ordered(st.sampled_from(NUMBERS) | st.floats(-1e6, 1e6) | _moments)
_PLAIN = (
    *(f"metaData.{name}" for name in NAMES),
    *NAMES[:-2],
    "kind",
    "key",
    "value",
    "importance",
    "memoryType",
    "run_id",
    "content",
    "metaData.kind",
)
_TIMED = ("validAt", "invalid_at", "created_at", "expiredAt", "lastAccess")

leaves: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(_PLAIN).flatmap(
        lambda field: _conditions(field, _scalars.filter(lambda value: value != "*"), _bounds, _parts)
    ),
    st.sampled_from(_TIMED).flatmap(lambda field: _conditions(field, _moments, _ordered(_moments))),
)
"""A condition on one field, in JSON but for datetimes."""

filters: st.SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inner: st.dictionaries(
        st.sampled_from(("AND", "OR", "NOT", "$or")), st.lists(inner, min_size=1, max_size=3), min_size=1, max_size=2
    ),
    max_leaves=6,
)
"""Conditions inside one another."""
