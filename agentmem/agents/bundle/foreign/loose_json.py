"""Reads JSON that promises nothing (each look at it answers with the requested type, empty where it is another), and
the values that every foreign format is read into.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from agentmem.domain.bounds import number_fault
from agentmem.domain.memory import MemoryType
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


_LONGEST_NAME = 200
_NAMES_KEPT = 50


@dataclass(frozen=True, slots=True)
class ForeignPassage:
    """Words of a file, on their way to become a memory of layer `layer`.

    `about` names whom they are about: None the agent itself, "" whoever the file does not name. `by_agent` tells who
    said them, where they are a turn of talk `run`; `at` when, None where the file does not say. `key` are the words
    they are found by.
    """

    layer: MemoryType
    text: str
    about: str | None
    at: datetime | None = None
    by_agent: bool = False
    run: str | None = None
    kind: str | None = None
    key: tuple[str, ...] = ()


@dataclass(slots=True)
class Dropped:
    """What was left behind, by what it is: how many, and the first names."""

    counts: dict[str, int] = field(default_factory=dict[str, int])
    names: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def note(self, what: str, names: Iterable[str] | None = None, *, count: int = 1) -> None:
        """Add to what was left behind: these, or `count` that have no names."""
        given = list(names or ())
        more = count if names is None else len(given)
        if more:
            self.counts[what] = self.counts.get(what, 0) + more
            kept = self.names.setdefault(what, [])
            kept += [name_of(name, "?") for name in given[: max(0, _NAMES_KEPT - len(kept))]]

    def note_given(self, what: str, value: JsonValue) -> None:
        """The same for a field, where there is anything in it: by its keys, its length, or as one."""
        if isinstance(value, dict):
            self.note(what, value)
        elif isinstance(value, list):
            self.note(what, count=len(value))
        elif value:
            self.note(what)


@dataclass(frozen=True, slots=True)
class Foreign:
    """A file read: of which format, of whom (`name`, what it says it is, and how it speaks), with what memories."""

    format: str
    name: str | None
    role: str
    style: str
    passages: tuple[ForeignPassage, ...]
    dropped: Dropped
    boundaries: tuple[str, ...] = ()


def name_of(text: str, otherwise: str) -> str:
    """The text as a name: printable, on one line, not too long; `otherwise` where nothing of it is left."""
    shown = " ".join("".join(ch if ch.isprintable() else " " for ch in text).split())[:_LONGEST_NAME].strip()
    return otherwise if shown in ("", "*", ".") else shown
