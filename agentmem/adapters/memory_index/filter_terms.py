"""What a caller's filter means in conditions of an index, and what the index keeps so that it can be said exactly.

Engines leave out or mistake some kinds of values: Edge takes true for 1, none compares texts without regard to case,
and times in `metaData` are texts. What is kept for them begins with an underscore and stands only where it is needed.
"""

import math
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Final, assert_never, cast

from pydantic_core import to_jsonable_python

from agentmem.adapters.memory_index.conditions import (
    EVERYTHING,
    NOTHING,
    Absent,
    AnyCondition,
    Bound,
    Condition,
    Containing,
    Every,
    Neither,
    Side,
    Some,
)
from agentmem.domain import filter as asked
from agentmem.domain.filter import EXACT, Compare, Filter, Scalar, agrees, comparable, moment_of
from agentmem.domain.filter_fields import META, TIMES
from agentmem.domain.memory import TRANSIENT, MemoryNode, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.value import JsonValue

KEY_NAMES: Final = "_keys"
"""The canonical names of `key`."""

RUN: Final = "_run"
NO_RUN: Final = ""
"""Stands for an absent run, so that one keyword match finds it; no run is named so."""

VALID_FROM: Final = "_validFrom"
VALID_TO: Final = "_validTo"
TOLD: Final = "_told"
"""When it was told, kept of memories that were told before they begin."""

CREATED: Final = "_created"
END_LEARNED: Final = "_endLearned"
"""When an end became known. Like `VALID_TO` it is kept of memories that have an end."""

ACCESSED: Final = "_accessed"
"""The moment of `lastAccess`, apart from other moments so that a touch can set both in one write."""

_EXPIRED: Final = "_expired"
_DAY: Final = "_day"
"""The moment `dt` names."""

SHORT: Final = 60
"""Characters up to which a text may well be a name that many memories have."""

_FLAGS: Final = "_flags"
"""`metaData.name=true` or `metaData.name=false` for each truth value in `metaData`."""

_MOMENTS: Final = "_moments"
"""Microseconds since 1970, for texts that name a time."""

_FOLDED: Final = "_folded"
"""Texts with their case folded, where that changes them."""

_WITHOUT_CASE: Final = TIMES | {
    *("memoryId", "targetId", "entityIds", "sourceIds", "dependsOn", "supersedes", "supersededBy", "conflictsWith"),
    *("needsReview", "memoryType", "modality", "storeStatus", "trust", "dt"),
}
"""Fields of `MemoryNode` whose texts are always the same in lower case, and times, which are kept otherwise."""

_OF_THEIR_OWN: Final = {
    "validAt": VALID_FROM,
    "invalidAt": VALID_TO,
    "createdAt": CREATED,
    "expiredAt": _EXPIRED,
    "lastAccess": ACCESSED,
    "dt": _DAY,
}
_ELSEWHERE: Final = {"runId": RUN} | {name: kept for name, kept in _OF_THEIR_OWN.items() if name in TIMES}
"""Where a field is kept that is not kept under its own name."""

_FIELDS: Final = tuple(
    (name, info.alias or name)
    for name, info in MemoryNode.model_fields.items()
    if name not in TRANSIENT and info.alias not in {*_ELSEWHERE, "evidence", "metaData"}
)
"""What is kept as it is: names in Python and on the wire."""

DEFAULTS: Final = {
    info.alias or name: info.default.value if isinstance(info.default, StrEnum) else info.default
    for name, info in MemoryNode.model_fields.items()
    if name not in TRANSIENT and isinstance(info.default, str | int)
}
"""What stands in a field of most memories. It is not kept: a text takes Edge 4 us to take in, and there were twenty of
them in a memory."""


_READ_BACK: Final = 4
"""Neighbours as which a large number may be read back from JSON text; those asked for lie further apart."""


def condition_of(wanted: Filter) -> Condition:
    """The condition that holds for the very points whose memories the filter asks for (`domain.filter.holds`)."""
    match wanted:
        case Compare():
            return _comparison(wanted)
        case asked.AllOf(parts):
            return Every(_conditions(parts)) if parts else EVERYTHING
        case asked.AnyOf(parts):
            return Some(_conditions(parts)) if parts else NOTHING
        case asked.NotAny(parts):
            return Neither(_conditions(parts)) if parts else EVERYTHING
        case _:
            assert_never(wanted)


def filter_fields(memory: MemoryNode) -> dict[str, JsonValue]:
    """What is kept of a memory for filters alone; what is empty, or as it is by default, is left out."""
    plain = {RUN: memory.run_id or NO_RUN, **_plain(memory)}
    moments, folded = _of_texts([(name, value) for name, value in plain.items() if name not in _WITHOUT_CASE])
    inner_moments, inner_folded = _of_texts(memory.meta_data.items())
    kept: dict[str, JsonValue] = {
        **plain,
        "metaData": {name: _shallow(value) for name, value in memory.meta_data.items()},
        KEY_NAMES: _one_or_all([*dict.fromkeys(map(canonical_name, memory.key))]),
        _FLAGS: [*_flags(memory.meta_data)],
        _MOMENTS: {**moments, **_in_meta(inner_moments)},
        _FOLDED: {**folded, **_in_meta(inner_folded)},
    }
    accessed = {} if memory.last_access is None else accessed_fields(memory.last_access)
    return {name: value for name, value in kept.items() if value not in ([], {})} | _times(memory) | accessed


def accessed_fields(at: datetime) -> dict[str, JsonValue]:
    """What is kept of a memory that was last recalled at `at`: its wire form, and what filters compare."""
    return {"lastAccess": to_jsonable_python(at), ACCESSED: microseconds(at)}


def _conditions(parts: Iterable[Filter]) -> tuple[Condition, ...]:
    return tuple(condition_of(part) for part in parts)


def _comparison(wanted: Compare) -> Condition:
    path = _path(wanted.field)
    match wanted.op:
        case "exists":
            return EVERYTHING if wanted.field in DEFAULTS else _there(path)
        case "eq" | "in":
            return _or_default(wanted, _equal(wanted.field, wanted.values))
        case "ne" | "nin":
            return Neither((_or_default(wanted, _equal(wanted.field, wanted.values)),))
        case "gt" | "gte" | "lt" | "lte":
            (bound,) = wanted.values
            return _or_default(wanted, _bound(wanted.field, wanted.op, bound))
        case "contains":
            return _or_default(wanted, Containing(path, str(wanted.value)))
        case "icontains":
            part, folded = str(wanted.value).casefold(), f"{_FOLDED}.{path}"
            either = Some((Containing(folded, part), Every((Absent(folded), Containing(path, part)))))
            return _or_default(wanted, either)
        case _:
            assert_never(wanted.op)


def _there(path: str) -> Condition:
    return Neither((AnyCondition(RUN, (NO_RUN,)) if path == RUN else Absent(path),))


def _or_default(wanted: Compare, stated: Condition) -> Condition:
    """The condition, for what is kept; and what is not kept, where the default is what is asked for."""
    if wanted.field in DEFAULTS and agrees(wanted, DEFAULTS[wanted.field]):
        return Some((stated, Absent(wanted.field)))
    return stated


def _equal(field: str, values: Iterable[Scalar]) -> Condition:
    texts: list[str] = []
    others: list[Condition] = []
    for value in values:
        if isinstance(value, str):
            texts.append(canonical_name(value) if field == "key" else value)
        elif isinstance(value, bool):
            others.append(AnyCondition(_FLAGS, (_flag(field, value),)))
        else:
            others.append(_bound(field, "eq", value))
    if field == "runId":
        texts = [text for text in texts if text]  # an empty one stands for an absent run
    if texts:
        others.append(AnyCondition(KEY_NAMES if field == "key" else _path(field), tuple(texts)))
    return Some(tuple(others)) if others else NOTHING


def _bound(field: str, side: Side, value: Scalar) -> Bound:
    if isinstance(value, datetime):
        return Bound(_OF_THEIR_OWN.get(field, f"{_MOMENTS}.{_path(field)}"), side, microseconds(value))
    number = comparable(cast("float", value))
    return Bound(_path(field), side, number, _READ_BACK * math.ulp(number) if abs(number) > EXACT else 0)


def _path(field: str) -> str:
    return f'{META}"{field.removeprefix(META)}"' if field.startswith(META) else _ELSEWHERE.get(field, field)


def _flag(field: str, value: bool) -> str:
    return f"{field}={'true' if value else 'false'}"


def _flags(meta: Mapping[str, JsonValue]) -> list[str]:
    each = ((name, item) for name, value in meta.items() for item in (value if isinstance(value, list) else [value]))
    return [*dict.fromkeys(_flag(META + name, item) for name, item in each if isinstance(item, bool))]


def _plain(memory: MemoryNode) -> dict[str, JsonValue]:
    kept: dict[str, JsonValue] = {}
    for name, wire in _FIELDS:
        value = getattr(memory, name)
        if value is not None and value != () and value != DEFAULTS.get(wire, ()):
            kept[wire] = _one_or_all([*value]) if isinstance(value, tuple) else _number_or(value)
    return kept


def _times(memory: MemoryNode) -> dict[str, JsonValue]:
    own: dict[str, datetime | None] = {
        VALID_FROM: memory.valid_at,
        VALID_TO: memory.invalid_at,
        CREATED: memory.created_at,
        _EXPIRED: memory.expired_at,
        END_LEARNED: memory.invalid_at and (memory.expired_at or memory.created_at),
        TOLD: memory.told_at if memory.told_at < memory.valid_at else None,
    }
    kept: dict[str, JsonValue] = {name: microseconds(moment) for name, moment in own.items() if moment is not None}
    _, day = _of_name(memory.dt)
    return kept if day is None else {**kept, _DAY: day}


def _one_or_all(values: list[JsonValue]) -> JsonValue:
    """One value by itself: to filters it is the same, and Edge takes it in twice as fast."""
    return values[0] if len(values) == 1 else values


def _shallow(value: JsonValue) -> JsonValue:
    """What filters can see of a value in `metaData`: of what is nested deeper, only that it is there."""
    if isinstance(value, list):
        return [True if isinstance(item, list | dict) else _number_or(item) for item in value]
    return True if isinstance(value, dict) else _number_or(value)


def _number_or(value: JsonValue) -> JsonValue:
    """A number as it is compared; all else as it is."""
    return comparable(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _in_meta(kept: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {"metaData": kept} if kept else {}


def _of_texts(fields: Iterable[tuple[str, JsonValue]]) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
    """The moments that texts name, and the texts that change where case is folded, each under its field's name."""
    moments: dict[str, JsonValue] = {}
    folded: dict[str, JsonValue] = {}
    for name, value in fields:
        if isinstance(value, str):
            low, moment = _of_text(value) if len(value) > SHORT else _of_name(value)
            if low is not None:
                folded[name] = low
            if moment is not None:
                moments[name] = moment
        elif isinstance(value, list):
            seen = [(text, *_of_text(text)) for text in value if isinstance(text, str)]
            if any(low is not None for _, low, _ in seen):
                folded[name] = [text if low is None else low for text, low, _ in seen]
            if named := [moment for _, _, moment in seen if moment is not None]:
                moments[name] = [*named]
    return moments, folded


def _of_text(text: str) -> tuple[str | None, int | None]:
    """With its case folded, where that changes it, and the moment it names."""
    low, moment = text.casefold(), moment_of(text)
    return None if low == text else low, None if moment is None else microseconds(moment)


_of_name = lru_cache(maxsize=4_096)(_of_text)
