"""The bounds of everything that comes from outside, and the one place that checks them.

Whole numbers fit 64 bits, and a truth value is none; other numbers are finite. Times lie between the years 1000 and
9000, so that they hold in every UTC offset, have four digits, and may be reckoned with. Texts are valid Unicode without
NUL. Nothing is longer or deeper than what is said here.

Values made of pydantic are `Checked` (`domain.value`), others call `check_fields`; calls are checked by `check_value`.
"""

import math
import reprlib
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

from agentmem.errors import InvalidInput

MIN_INT: Final = -(2**63)
MAX_INT: Final = 2**63 - 1
MIN_TIME: Final = datetime(1000, 1, 1, tzinfo=UTC)
MAX_TIME: Final = datetime(9000, 1, 1, tzinfo=UTC)
MAX_SPAN: Final = timedelta(days=36_525)
"""The longest duration: a hundred years."""

MAX_NAME: Final = 200
"""Characters in a name or an id."""

MAX_TEXT: Final = 262_144
"""Characters in one turn, or in what is asked; a longer text is a document."""

MAX_DOCUMENT: Final = 8_388_608
"""Characters in one document, and in any other text."""

MAX_ITEMS: Final = 1_000_000
"""Items in a list, or names in an object."""

MAX_DEPTH: Final = 64
"""Lists and objects inside one another."""

MAX_META: Final = 262_144
"""Characters of the JSON that somebody keeps with a turn or a memory."""

TIMES: Final = f"between {MIN_TIME:%Y-%m-%d} and {MAX_TIME:%Y-%m-%d}, in UTC"
_SHOWN: Final = 60


def text_fault(text: str, most: int = MAX_DOCUMENT) -> str | None:
    """What is wrong with a text, None where nothing is."""
    if len(text) > most:
        return f"has {len(text)} characters, allowed: {most}"
    if "\x00" in text:
        return f"holds a NUL character (U+0000) at {text.index(chr(0))}: take it out"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"holds half a surrogate pair at {error.start}: it is not valid text"
    return None


def number_fault(value: float) -> str | None:
    """What is wrong with a number: it is not finite, or does not fit 64 bits."""
    if isinstance(value, int):
        return None if MIN_INT <= value <= MAX_INT else "is a whole number that does not fit 64 bits"
    return None if math.isfinite(value) else f"is {value}, allowed: a finite number"


def time_fault(moment: datetime) -> str | None:
    """What is wrong with a time: it has no UTC offset, or lies too far away to be reckoned with."""
    try:
        if moment.utcoffset() is None:
            return f"{moment.isoformat()} must have a UTC offset"
        within = MIN_TIME <= moment <= MAX_TIME
    except Exception as error:  # noqa: BLE001 - a time zone of the caller's own may raise whatever it likes
        return f"is a time whose zone fails: {type(error).__name__}"
    return None if within else f"{moment.isoformat()} lies too far away, allowed: {TIMES}"


def within_times(moment: datetime | None) -> datetime | None:
    """The time, where it is one that is taken; None for any other, as where no time is known."""
    return None if moment is None or time_fault(moment) else moment


def address_fault(address: str) -> str | None:
    """What is wrong with the address of a server, None where it can be called."""
    try:
        parts = urlsplit(address)
        called = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError as error:  # a bracket that nothing closes, a port beyond all ports
        return f"{shown(address)} is no address: {error}"
    if called and address.isprintable() and " " not in address:
        return None
    return f"{shown(address)} is no address such as http://localhost:6333"


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """The same moment in this zone; at the ends of the calendar at its own offset."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def json_fault(value: object, most: int = MAX_DOCUMENT, depth: int = MAX_DEPTH) -> str | None:
    """What is wrong with JSON: a part of it, or that it is too deep or, counted in characters, too large."""
    size = 0
    for part, level in _parts(value, depth):
        if level > depth:
            return f"is nested deeper than {depth}"
        fault = _scalar_fault(part)
        if fault is not None:
            return fault
        size += len(part) if isinstance(part, str) else 1
        if size > most:
            return f"is larger than {most} characters"
    return None


def _parts(value: object, depth: int) -> Iterator[tuple[object, int]]:
    """Every part of JSON, names included, with how deep it lies; nothing below what is too deep."""
    todo: list[tuple[object, int]] = [(value, 0)]
    while todo:
        part, level = todo.pop()
        yield part, level
        if isinstance(part, Mapping):
            held = cast("Mapping[object, object]", part)
            todo += ((item, level + 1) for pair in held.items() for item in pair)
        elif isinstance(part, list | tuple | set | frozenset):
            todo += ((item, level + 1) for item in cast("Collection[object]", part))


def _scalar_fault(part: object) -> str | None:
    match part:
        case str():
            return text_fault(part)
        case int() | float():
            return number_fault(part)
        case None | list() | tuple() | Mapping():
            return None
        case _:
            return f"holds {_article(part)}, which is no JSON"


def check_text(name: str, text: str, most: int = MAX_DOCUMENT) -> str:
    """The text. Raises `InvalidInput` for one that is not valid, or is longer than `most`."""
    return _refuse(name, text_fault(text, most), text)


def check_time(name: str, moment: datetime | None) -> None:
    """Raise `InvalidInput` for a time without a UTC offset, or one that lies too far away."""
    if moment is not None:
        _refuse(name, time_fault(moment), moment)


def check_json(name: str, value: object, most: int = MAX_META) -> None:
    """Raise `InvalidInput` for what is no JSON, or too much of it."""
    _refuse(name, json_fault(value, most), value)


T = TypeVar("T")


def _refuse(name: str, fault: str | None, value: T) -> T:
    if fault is not None:
        raise InvalidInput(f"{name}: {fault}")
    return value


def check_fields(value: object) -> None:
    """Check the fields of a dataclass against their types and the bounds. Raises `InvalidInput`."""
    for name, hint, fit in _declared(type(value)):
        held = getattr(value, name)
        if type(held) is not hint and not fit(held):
            raise InvalidInput(_unfit(name, held, hint))
        _refuse(name, _fault(held), held)


@lru_cache(256)
def _declared(kind: type) -> tuple[tuple[str, Any, "Test"], ...]:
    """The fields of a dataclass: what each is declared as, and what tells whether a value is of that type."""
    hints = get_type_hints(kind)
    names = [each.name for each in fields(kind)]  # pyright: ignore[reportArgumentType] - a dataclass, as the caller says
    return tuple((name, hints[name], _test(hints[name])) for name in names)


def check_value(name: str, value: object, hint: Any) -> None:
    """Check a value against the type it is declared as, and the bounds. Raises `InvalidInput`."""
    check_kind(name, value, hint)
    _refuse(name, _fault(value), value)


def check_kind(name: str, value: object, hint: Any) -> None:
    """Check a value against the type it is declared as and nothing else. Raises `InvalidInput`."""
    if not fits(value, hint):
        raise InvalidInput(_unfit(name, value, hint))


def _unfit(name: str, value: object, hint: Any) -> str:
    """What does not fit: the value, or the first item of a list or a mapping that would do."""
    for each in get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,):
        origin, arguments = get_origin(each), get_args(each)
        if isinstance(origin, type) and fits(value, origin) and not isinstance(value, str | bytes):
            for place, part, kind in _items(name, value, origin, arguments):
                if not fits(part, kind):
                    return _unfit(place, part, kind)
    return f"{name}: must be {_described(hint)}, not {_article(value)}"


def check_argument(name: str, value: object, hint: Any) -> None:
    """The same for what a function is given, where a time without an offset may mean UTC. Raises `InvalidInput`."""
    if isinstance(value, datetime) and value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    check_value(name, value, hint)


def _fault(value: object) -> str | None:
    """What is wrong with a value or with anything in it; objects that are no plain data are left to themselves."""
    if value is None or value is True or value is False:
        return None
    if isinstance(value, str):
        return text_fault(value, MAX_TEXT)
    if not isinstance(value, _LOOKED_INTO) or not value:
        return _plain_fault(cast(object, value))
    for count, (part, level) in enumerate(_parts(cast(object, value), MAX_DEPTH)):
        if level > MAX_DEPTH or count > MAX_ITEMS:
            return f"is nested deeper than {MAX_DEPTH}, or has more than {MAX_ITEMS} items"
        fault = _plain_fault(part)
        if fault is not None:
            return fault
    return None


_LOOKED_INTO: Final = (dict, list, tuple, set, frozenset, Mapping)
"""What something may be wrong with inside."""


def _plain_fault(part: object) -> str | None:
    match part:
        case str():
            return text_fault(part)
        case int() | float():
            return number_fault(part)
        case datetime():
            return time_fault(part)
        case _:
            return None


def fits(value: object, hint: Any) -> bool:
    """Whether a value is of a declared type; what cannot be told, such as what a function takes, is taken as said."""
    return type(value) is hint or _test(hint)(value)


Test = Callable[[Any], bool]


@lru_cache(1_024)  # every call is checked, and taking a type apart takes longer than the rest of a check
def _test(hint: Any) -> Test:
    """What tells whether a value is of a declared type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None:
        return _test_of_kind(hint)
    if origin is Annotated:
        return _test(arguments[0])
    if origin in (Union, types.UnionType):
        kinds, tests = frozenset(arguments), tuple(map(_test, arguments))
        return lambda value: type(value) in kinds or any(test(value) for test in tests)
    if origin is Literal:
        return lambda value: any(isinstance(value, type(each)) and value == each for each in arguments)
    if origin is Callable or origin is type:
        return callable
    return _test_of_parts(origin, arguments)


def _test_of_kind(hint: Any) -> Test:
    if hint is Any:  # a class since Python 3.11, and one that knows no instances
        return _taken_as_said
    if hint is None or hint is types.NoneType:
        return lambda value: value is None
    if hint is float:
        return lambda value: isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    if not isinstance(hint, type) or getattr(hint, "_is_protocol", False):
        return _taken_as_said
    kind = Mapping if hasattr(hint, "__total__") else hint  # a TypedDict knows no instances
    return lambda value: isinstance(value, kind)


def _taken_as_said(_value: object) -> bool:
    return True


def _test_of_parts(origin: type, arguments: tuple[Any, ...]) -> Test:
    """For what holds others: a tuple, a mapping, a list."""
    held = _test_of_kind(origin)
    tests = tuple(_test(each) for each in arguments if each is not ...)
    if issubclass(origin, tuple):
        if arguments[1:] == (...,):
            return lambda value: held(value) and all(map(tests[0], value))
        return lambda value: (
            held(value)
            and len(value) == len(tests)
            and all(test(item) for test, item in zip(tests, value, strict=True))
        )
    if issubclass(origin, Mapping):
        of_key, of_item = tests
        return lambda value: held(value) and all(of_key(key) and of_item(item) for key, item in value.items())
    if issubclass(origin, Collection) and arguments:
        return lambda value: held(value) and not isinstance(value, str | bytes) and all(map(tests[0], value))
    texts = str | bytes if issubclass(origin, Iterable) else ()
    return lambda value: held(value) and not isinstance(value, texts)


def _items(name: str, value: object, origin: type, kinds: Sequence[Any]) -> Iterator[tuple[str, object, Any]]:
    """What a list or a mapping holds: where, the item, and what it must be."""
    if issubclass(origin, Mapping):
        for key, item in cast("Mapping[object, object]", value).items():
            yield f"{name}: its key {shown(key)}", key, kinds[0]
            yield f"{name}[{shown(key)}]", item, kinds[1]
    elif issubclass(origin, Collection):
        for number, item in enumerate(cast("Collection[object]", value)):
            yield f"{name}[{number}]", item, kinds[0]


def _described(hint: Any) -> str:
    """A declared type in words that a caller understands."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(_described(each) for each in arguments)
    if origin is Literal:
        return f"one of {', '.join(map(repr, arguments))}"
    kind: Any = origin or hint
    if kind in (None, types.NoneType):
        return "None"
    return _WORDS.get(kind, getattr(kind, "__name__", str(kind)))


_WORDS: Final[Mapping[Any, str]] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    datetime: "a datetime",
    tuple: "a tuple",
    list: "a list",
    Sequence: "a list",
    Collection: "a list",
    Iterable: "a list",
    Mapping: "a mapping",
    dict: "a mapping",
}


def _article(value: object) -> str:
    if value is None:
        return "None"
    name = type(value).__name__[:_SHOWN]
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


def shown(value: object) -> str:
    """The value as Python writes it, in one short line that can be printed."""
    try:
        return _SHORT.repr(value)
    except Exception:  # noqa: BLE001 - a value of a stranger may fail to say what it is; its type says enough
        return _article(value)


_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHOWN
