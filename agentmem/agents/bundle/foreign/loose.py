"""JSON that promises nothing: each look at it answers with the type that was asked for, empty where it is another."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from agentmem.domain.bounds import number_fault
from agentmem.domain.value import JsonValue

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_SECOND = 4_102_444_800
"""The year 2100."""

_MILLISECONDS = 10**11

Mapping = dict[str, JsonValue]


def mapping(value: JsonValue) -> Mapping:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: JsonValue) -> list[JsonValue]:
    """A list, or an empty one."""
    return value if isinstance(value, list) else []


def mappings(value: JsonValue) -> Iterator[Mapping]:
    """The objects of a list."""
    return (item for item in items(value) if isinstance(item, dict))


def text(value: JsonValue) -> str:
    """A text without blanks around it and without the one character that no database holds, or an empty one."""
    return value.replace("\x00", "\ufffd").strip() if isinstance(value, str) else ""


def texts(value: JsonValue) -> list[str]:
    """The texts of a list that are not empty."""
    return [found for item in items(value) if (found := text(item))]


def first_text(source: Mapping, *names: str) -> str:
    """The first of these fields that holds a text."""
    return next((found for name in names if (found := text(source.get(name)))), "")


def moment(value: JsonValue) -> datetime | None:
    """A time: ISO 8601, in UTC where it does not say otherwise, or seconds or milliseconds since 1970."""
    if isinstance(value, str):
        try:
            at = datetime.fromisoformat(value)
        except ValueError:
            return None
        return _within(at if at.tzinfo else at.replace(tzinfo=UTC))
    if isinstance(value, bool) or not isinstance(value, int | float) or number_fault(value):
        return None
    seconds = value / 1_000 if abs(value) > _MILLISECONDS else value
    return _EPOCH + timedelta(seconds=seconds) if 0 < seconds < _LAST_SECOND else None


def _within(at: datetime) -> datetime | None:
    return at if _EPOCH.year < at.year < _EPOCH.year + 130 else None
