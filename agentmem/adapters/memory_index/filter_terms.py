"""What a caller's filter means in conditions of an index, and what the index keeps so that it can be said exactly.

Engines leave out or mistake some kinds of values: Edge takes true for 1, none compares texts without regard to case,
and times in `metaData` are texts. What is kept for them begins with an underscore and stands only where it is needed.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, assert_never, cast

from pydantic_core import to_jsonable_python

from agentmem.adapters.memory_index.conditions import (
    EVERYTHING,
    NOTHING,
    Absent,
    AnyOf,
    Bound,
    Condition,
    Containing,
    Every,
    Neither,
    Side,
    Some,
)
from agentmem.domain import filter as asked
from agentmem.domain.filter import META, TIMES, Compare, Filter, Scalar, moment_of
from agentmem.domain.memory import MemoryNode, microseconds
from agentmem.domain.naming import canonical_name
from agentmem.domain.value import JsonValue

KEY_NAMES: Final = "_keys"
"""The canonical names of `key`."""

RUN: Final = "_run"
VALID_FROM: Final = "_validFrom"
CREATED: Final = "_created"
ACCESSED: Final = "_accessed"
"""The moment of `lastAccess`, apart from other moments so that a touch can set both in one write."""

_FLAGS: Final = "_flags"
"""`metaData.name=true` or `metaData.name=false` for each truth value in `metaData`."""

_MOMENTS: Final = "_moments"
"""Microseconds since 1970, for times that have no field of their own and texts that name one."""

_FOLDED: Final = "_folded"
"""Texts with their case folded, where that changes them."""

_WITHOUT_CASE: Final = TIMES | {
    *("memoryId", "targetId", "entityIds", "sourceIds", "dependsOn", "supersedes", "supersededBy", "conflictsWith"),
    *("memoryType", "modality", "actionStatus", "storeStatus", "trust"),
}
"""Fields of `MemoryNode` whose texts are always the same in lower case, and times, which are kept otherwise."""

_OF_THEIR_OWN: Final = {"validAt": VALID_FROM, "createdAt": CREATED, "lastAccess": ACCESSED}
_BY_NAME: Final = {"key": KEY_NAMES, "runId": RUN}


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


def filter_fields(memory: MemoryNode, wire: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """What is kept beside the wire form of a memory for filters alone; empty parts are left out."""
    moments, folded = _of_texts((name, value) for name, value in wire.items() if name not in _WITHOUT_CASE)
    inner_moments, inner_folded = _of_texts(memory.meta_data.items())
    kept: dict[str, JsonValue] = {
        KEY_NAMES: [*dict.fromkeys(map(canonical_name, memory.key))],
        _FLAGS: [*_flags(memory.meta_data)],
        _MOMENTS: {**moments, **_own_moments(memory), **_in_meta(inner_moments)},
        _FOLDED: {**folded, **_in_meta(inner_folded)},
    }
    accessed = {} if memory.last_access is None else accessed_fields(memory.last_access)
    return {name: value for name, value in kept.items() if value} | accessed


def accessed_fields(at: datetime) -> dict[str, JsonValue]:
    """What is kept of a memory that was last recalled at `at`: its wire form, and what filters compare."""
    return {"lastAccess": to_jsonable_python(at), ACCESSED: microseconds(at)}


def _conditions(parts: Iterable[Filter]) -> tuple[Condition, ...]:
    return tuple(condition_of(part) for part in parts)


def _comparison(wanted: Compare) -> Condition:
    path = _path(wanted.field)
    match wanted.op:
        case "exists":
            return Neither((Absent(path),))
        case "eq" | "in":
            return _equal(wanted.field, wanted.values)
        case "ne" | "nin":
            return Neither((_equal(wanted.field, wanted.values),))
        case "gt" | "gte" | "lt" | "lte":
            (bound,) = wanted.values
            return _bound(wanted.field, wanted.op, bound)
        case "contains":
            return Containing(path, str(wanted.value))
        case "icontains":
            part, folded = str(wanted.value).casefold(), f"{_FOLDED}.{path}"
            return Some((Containing(folded, part), Every((Absent(folded), Containing(path, part)))))
        case _:
            assert_never(wanted.op)


def _equal(field: str, values: Iterable[Scalar]) -> Condition:
    texts: list[str] = []
    others: list[Condition] = []
    for value in values:
        if isinstance(value, str):
            texts.append(canonical_name(value) if field == "key" else value)
        elif isinstance(value, bool):
            others.append(AnyOf(_FLAGS, (_flag(field, value),)))
        else:
            others.append(_bound(field, "eq", value))
    if field == "runId":
        texts = [text for text in texts if text]  # an empty one stands for an absent run
    if texts:
        others.append(AnyOf(_BY_NAME.get(field, _path(field)), tuple(texts)))
    return Some(tuple(others)) if others else NOTHING


def _bound(field: str, side: Side, value: Scalar) -> Bound:
    if isinstance(value, datetime):
        return Bound(_OF_THEIR_OWN.get(field, f"{_MOMENTS}.{_path(field)}"), side, microseconds(value))
    return Bound(_path(field), side, cast("float", value))


def _path(field: str) -> str:
    return f'{META}"{field.removeprefix(META)}"' if field.startswith(META) else field


def _flag(field: str, value: bool) -> str:
    return f"{field}={'true' if value else 'false'}"


def _flags(meta: Mapping[str, JsonValue]) -> list[str]:
    each = ((name, item) for name, value in meta.items() for item in (value if isinstance(value, list) else [value]))
    return [*dict.fromkeys(_flag(META + name, item) for name, item in each if isinstance(item, bool))]


def _own_moments(memory: MemoryNode) -> dict[str, JsonValue]:
    own = {"invalidAt": memory.invalid_at, "expiredAt": memory.expired_at}
    return {name: microseconds(moment) for name, moment in own.items() if moment is not None}


def _in_meta(kept: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {"metaData": kept} if kept else {}


def _of_texts(fields: Iterable[tuple[str, JsonValue]]) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
    """The moments that texts name, and the texts that change where case is folded, each under its field's name."""
    moments: dict[str, JsonValue] = {}
    folded: dict[str, JsonValue] = {}
    for name, value in fields:
        if not isinstance(value, str | list):
            continue
        texts = [value] if isinstance(value, str) else [item for item in value if isinstance(item, str)]
        without_case = [text.casefold() for text in texts]
        if without_case != texts:
            folded[name] = [*without_case]
        if named := [microseconds(moment) for text in texts if (moment := moment_of(text))]:
            moments[name] = [*named]
    return moments, folded
