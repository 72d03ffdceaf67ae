"""Filters: which memories a question may find, by what stands in their fields; the form is the one Mem0's users know.

`parse_filter` reads them, `holds` says what they mean, the index says the same in its own words. A filter only ever
narrows what a scope lets through.
"""

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, assert_never, cast, get_args

from agentmem import patterns as re
from agentmem.domain.bounds import check_value, number_fault, shown, text_fault, time_fault
from agentmem.domain.event import USER_ID
from agentmem.domain.filter_fields import META, META_NAME, PYTHON_NAMES, TIMES, check_field, field_of, in_metadata
from agentmem.domain.memory import MemoryNode, microseconds
from agentmem.domain.naming import canonical_name, is_unnamed
from agentmem.errors import InvalidInput

Scalar = str | int | float | bool | datetime
Op = Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "icontains", "exists"]

EXACT: Final = 2**53
"""Up to this whole numbers are compared exactly, beyond it to `DIGITS` digits. Times are compared in microseconds, as
float64, which tells them apart to 32 us from the year 2255 on."""

DIGITS, PLACES = 15, 22
"""Significant digits and decimal places to which fractions are compared: as many as an index reads back exactly."""

DEEPEST, MAX_CONDITIONS, MAX_VALUES, LONGEST_TEXT = 8, 200, 1_000, 10_000

MAX_NESTED, MAX_PARTS = 32, 10_000
"""Filters inside one another; what is asked for stands inside those that say whose memories may be seen."""

_OPS: Final = get_args(Op)
_ORDER: Final[Mapping[str, Callable[..., bool]]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}
_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_GROUPS: Final = {"AND": "AND", "OR": "OR", "NOT": "NOT", "$and": "AND", "$or": "OR", "$not": "NOT"}


@dataclass(frozen=True, slots=True)
class Compare:
    """`op` holds between a field and `value`: a tuple for `in` and `nin`, None for `exists`, else one value.

    `field` is a wire name of `MemoryNode` or `metaData.name`. Of a field with several values one has to fit. Values
    of different kinds are never equal: not 1 and true, not 5 and "5". Fractions are compared as `comparable` says.
    `ne` and `nin` are the contrary of `eq` and `in`, so they hold where the field is absent; nothing else does.
    `contains` looks for a part of a text, `icontains` without regard to case. Names in `key` are equal where their
    canonical forms are. A moment is compared with a field's time, or with a text that is one. Raises
    `InvalidInput`.
    """

    field: str
    op: Op
    value: Scalar | tuple[Scalar, ...] | None = None

    def __post_init__(self) -> None:
        check_value("field", self.field, str)
        check_value("op", self.op, str)
        check_field(self.field)
        if self.op not in _OPS:
            raise InvalidInput(f"unknown operator {shown(self.op)}; allowed: {', '.join(_OPS)}")
        if isinstance(self.value, tuple) != (self.op in ("in", "nin")) or (self.value is None) != (self.op == "exists"):
            raise InvalidInput(f"{self.op} takes {_taken(self.op)}")
        if len(self.values) > MAX_VALUES:
            raise InvalidInput(f"{len(self.values)} values, allowed: {MAX_VALUES}")
        for value in self.values:
            _check_value(value)
            _check_fits(self.field, self.op, value)

    @property
    def values(self) -> tuple[Scalar, ...]:
        """What the field is compared with: none for `exists`."""
        if isinstance(self.value, tuple):
            return self.value
        return () if self.value is None else (self.value,)


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part holds; without parts everything does. Raises `InvalidInput`."""

    parts: tuple["Filter", ...]

    def __post_init__(self) -> None:
        _check_parts(self.parts)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds; without parts nothing does. Raises `InvalidInput`."""

    parts: tuple["Filter", ...]

    def __post_init__(self) -> None:
        _check_parts(self.parts)


@dataclass(frozen=True, slots=True)
class NotAny:
    """No part holds; without parts everything does. Raises `InvalidInput`."""

    parts: tuple["Filter", ...]

    def __post_init__(self) -> None:
        _check_parts(self.parts)


Filter = Compare | AllOf | AnyOf | NotAny


def holds(wanted: Filter, node: MemoryNode) -> bool:
    """Whether the memory is one of those the filter asks for."""
    match wanted:
        case Compare(field, "exists"):
            return _held(field, node) not in (None, (), [])
        case Compare(_, "ne" | "nin"):
            return not _fits(wanted, node)
        case Compare():
            return _fits(wanted, node)
        case AllOf(parts):
            return all(holds(part, node) for part in parts)
        case AnyOf(parts):
            return any(holds(part, node) for part in parts)
        case NotAny(parts):
            return not any(holds(part, node) for part in parts)
        case _:
            assert_never(wanted)


def agrees(wanted: Compare, held: object) -> bool:
    """Whether one value that a field holds is what is asked for; of `ne` and `nin`, what is not."""
    if isinstance(wanted.value, tuple):
        return any(_agrees(wanted, value, held) for value in wanted.value)
    return wanted.value is not None and _agrees(wanted, wanted.value, held)


def comparable(number: float) -> int | float:
    """The number as it is compared: a whole one up to `EXACT` as it is, all others to `DIGITS` digits and `PLACES`
    places.

    Qdrant keeps numbers as JSON text and, of 16 digits and more, reads back a neighbour of what was written.
    """
    if not math.isfinite(number):
        return number
    if -EXACT <= number <= EXACT and number == int(number):
        return int(number)
    short = round(float(f"{number:.{DIGITS}g}"), PLACES)
    if not math.isfinite(short):
        return float(number)
    return int(short) if short.is_integer() and -EXACT <= short <= EXACT else short


def moment_of(text: str) -> datetime | None:
    """The moment a text names: an ISO date, or date and time, in UTC where it has no offset. None for other text."""
    if text[4:5] != "-" or not _MOMENT.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def parse_filter(given: object) -> Filter:
    """A filter from its JSON form; `{}` lets everything through.

    `{"kind": "x"}` is short for `{"kind": {"eq": "x"}}`, `{"kind": ["x", "y"]}` for `in`, `{"kind": "*"}` for `exists`.
    `{"AND": [...]}`, `{"OR": [...]}` and `{"NOT": [...]}` (also `$and`, `$or`, `$not`) hold filters again; what stands
    side by side holds together. Fields are those of `MemoryNode` by either name, `user_id` for `targetName`; any other
    name, and `metaData.name`, is one in `metaData`; a slip of a field's name is none. Raises `InvalidInput`, naming the
    place.
    """
    wanted = _mapping(given, "filters", 0)
    conditions = sum(1 for _ in _compares(wanted))
    if conditions > MAX_CONDITIONS:
        raise InvalidInput(f"filters: {conditions} conditions, allowed: {MAX_CONDITIONS}")
    return wanted


def names_in_metadata(wanted: Filter) -> tuple[str, ...]:
    """The names in `metaData` that a filter asks for, each once."""
    asked = (part.field for part in _compares(wanted) if part.field.startswith(META))
    return tuple(dict.fromkeys(field.removeprefix(META) for field in asked if field != META + USER_ID))


def _compares(wanted: Filter) -> Iterator[Compare]:
    if isinstance(wanted, Compare):
        yield wanted
        return
    for part in wanted.parts:
        yield from _compares(part)


def _mapping(given: object, path: str, depth: int) -> Filter:
    if not isinstance(given, Mapping):
        raise InvalidInput(f"{path}: must be an object such as {{'kind': 'x'}}, is {shown(given)}")
    parts: list[Filter] = []
    for name, value in cast("Mapping[object, object]", given).items():
        if not isinstance(name, str):
            raise InvalidInput(f"{path}: a field is a text, not {shown(name)}")
        place = f"{path}.{name if META_NAME.fullmatch(in_metadata(name) or name) else shown(name)}"
        if name in _GROUPS:
            parts.append(_group(_GROUPS[name], value, f"{path}.{name}", depth))
        else:
            parts += _conditions(name, value, place)
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))


def _group(kind: str, given: object, path: str, depth: int) -> Filter:
    if depth == DEEPEST:
        raise InvalidInput(f"{path}: nested deeper than {DEEPEST}")
    items = _items(given)
    if not items:
        raise InvalidInput(f"{path}: must be a list of at least one filter, is {shown(given)}")
    parts: list[Filter] = []
    for number, item in enumerate(items):
        if item == {}:
            raise InvalidInput(f"{path}[{number}]: an empty filter")
        parts.append(_mapping(item, f"{path}[{number}]", depth + 1))
    match kind:
        case "AND":
            return AllOf(tuple(parts))
        case "OR":
            return AnyOf(tuple(parts))
        case _:
            return NotAny(tuple(parts))


def _conditions(name: str, given: object, path: str) -> list[Filter]:
    field = field_of(name, path)
    if given == "*":
        return [Compare(field, "exists")]
    if _items(given) is not None:
        return [_condition(field, "in", given, path)]
    if not isinstance(given, Mapping):
        named = _condition(field, "eq", given, path)
        by_id = name == "user_id" and isinstance(given, str) and is_unnamed(given)
        return [AnyOf((named, _condition(META + USER_ID, "eq", given, path)))] if by_id else [named]
    if not given:
        raise InvalidInput(f"{path}: no condition; allowed: {', '.join(_OPS)}")
    stated = cast("Mapping[object, object]", given)
    return [_condition(field, op, operand, path) for op, operand in stated.items()]


def _condition(field: str, op: object, given: object, path: str) -> Filter:
    try:
        if op == "exists":
            return _existence(field, given)
        items, timely = _items(given), field in TIMES or op in _ORDER
        value = _value(given, timely) if items is None else tuple(_value(item, timely) for item in items)
        return Compare(field, cast("Op", op), cast("Scalar | tuple[Scalar, ...] | None", value))
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from error


def _existence(field: str, given: object) -> Filter:
    if not isinstance(given, bool):
        raise InvalidInput(f"exists takes true or false, not {shown(given)}")
    there = Compare(field, "exists")
    return there if given else NotAny((there,))


def _items(given: object) -> tuple[object, ...] | None:
    return tuple(cast("list[object]", given)) if isinstance(given, list | tuple) else None


def _value(given: object, timely: bool) -> object:
    """A text as the moment it names, where one is meant; a datetime without offset in UTC; all else as it is."""
    if isinstance(given, datetime):
        return given if given.tzinfo else given.replace(tzinfo=UTC)
    moment = moment_of(given) if timely and isinstance(given, str) else None
    return given if moment is None else moment


def _check_parts(parts: tuple[Filter, ...]) -> None:
    check_value("parts", parts, tuple[Compare | AllOf | AnyOf | NotAny, ...])
    level: tuple[Filter, ...] = parts
    for _ in range(MAX_NESTED):
        level = tuple(inner for part in level if not isinstance(part, Compare) for inner in part.parts)
        if not level:
            return
        if len(level) > MAX_PARTS:
            raise InvalidInput(f"a filter has more than {MAX_PARTS} parts")
    raise InvalidInput(f"a filter is nested deeper than {MAX_NESTED}")


def _check_value(value: object) -> None:
    match value:
        case bool():
            return
        case str():
            if text_fault(value, LONGEST_TEXT):
                raise InvalidInput(f"a text is valid Unicode of up to {LONGEST_TEXT} characters")
        case int() | float():
            if fault := number_fault(value):
                raise InvalidInput(f"{shown(value)} {fault}")
        case datetime():
            if fault := time_fault(value):
                raise InvalidInput(fault)
        case _:
            raise InvalidInput(f"a value is a text, a number, a truth value or a time, not {shown(value)}")


def _check_fits(field: str, op: str, value: Scalar) -> None:
    searches = op in ("contains", "icontains")
    if searches and (not isinstance(value, str) or not value):
        raise InvalidInput(f"{op} needs some text, not {shown(value)}")
    if field in TIMES and searches:
        raise InvalidInput(f"{op} does not apply to a time")
    if field in TIMES and not isinstance(value, datetime):
        raise InvalidInput(f"{shown(value)} is no time such as 2026-03-09 or 2026-03-09T12:00:00+08:00")
    if op in _ORDER and isinstance(value, bool | str):
        raise InvalidInput(f"{op} needs a number or a time such as 2026-03-09T12:00:00+08:00, not {shown(value)}")


def _taken(op: str) -> str:
    match op:
        case "in" | "nin":
            return "a list"
        case "exists":
            return "no value"
        case _:
            return "one text, number, truth value or time; whether a field is there is asked by exists"


def _held(field: str, node: MemoryNode) -> object:
    if field.startswith(META):
        return node.meta_data.get(field.removeprefix(META))
    return getattr(node, PYTHON_NAMES[field])


def _fits(wanted: Compare, node: MemoryNode) -> bool:
    held = _held(wanted.field, node)
    several = _items(held)
    return agrees(wanted, held) if several is None else any(agrees(wanted, each) for each in several)


def _agrees(wanted: Compare, value: Scalar, held: object) -> bool:
    like = _of_kind(value, held)
    if like is None:
        return False
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = comparable(value)
    if isinstance(value, datetime):
        value, like = float(microseconds(value)), float(microseconds(cast("datetime", like)))
    match wanted.op:
        case "contains":
            return str(value) in str(like)
        case "icontains":
            return str(value).casefold() in str(like).casefold()
        case "gt" | "gte" | "lt" | "lte":
            compare: Callable[..., bool] = _ORDER[wanted.op]
            return compare(like, value)
        case _ if wanted.field == "key":
            return canonical_name(str(like)) == canonical_name(str(value))
        case _:
            return like == value


def _of_kind(value: Scalar, held: object) -> object:
    """What is held, if it is of the kind of `value`; a text that names a moment also is of the kind of a moment."""
    match value:
        case bool():
            return held if isinstance(held, bool) else None
        case str():
            return held if isinstance(held, str) else None
        case datetime():
            return moment_of(held) if isinstance(held, str) else held if isinstance(held, datetime) else None
        case _:
            return comparable(held) if isinstance(held, int | float) and not isinstance(held, bool) else None
