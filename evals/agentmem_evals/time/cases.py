"""Reads time cases: JSON in the format of the Microsoft Recognizers specs, a list of texts with what they name.

A value without an offset, as they all are, is taken in UTC, and so is the moment of speech. What the format says
beyond that (timex, modifiers, which platform supports a case) is passed over.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from pydantic import AliasChoices, BaseModel, Field, RootModel

from agentmem import patterns as re
from agentmem.errors import InvalidInput
from agentmem.runtime.configuration.yaml_file import read_text
from agentmem_evals.json_file import MAX_BYTES, Json

Resolution = tuple[datetime | None, datetime | None]
"""Begin and end, the end exclusive; a point has its own moment twice; open where it has none."""

UNSPOKEN = datetime(2000, 1, 1, tzinfo=UTC)
"""The moment of speech of a case that names none."""

_CLOCK = re.compile(r"\d\d:\d\d:\d\d")


@dataclass(frozen=True, slots=True)
class ExpectedTime:
    """A time a text names: where its words begin, of what kind it is, and what it may stand for.

    `allowed` is empty where the format holds the words for a time that cannot be told.
    """

    start: int
    text: str
    kind: str
    allowed: tuple[Resolution, ...]


@dataclass(frozen=True, slots=True)
class TimeCase:
    """A text, spoken at `reference`, and the times it names."""

    text: str
    reference: datetime
    expected: tuple[ExpectedTime, ...]


class _Value(BaseModel):
    value: str | None = None
    start: str | None = None
    end: str | None = None


class _Resolution(BaseModel):
    values: list[_Value]


class _Result(BaseModel):
    text: str = Field(alias="Text")
    start: int = Field(alias="Start", ge=0)
    kind: str = Field(validation_alias=AliasChoices("TypeName", "Typename"))
    resolution: _Resolution | None = Field(default=None, alias="Resolution")


class _Context(BaseModel):
    reference: str | None = Field(default=None, alias="ReferenceDateTime")


class _Case(BaseModel):
    text: str = Field(alias="Input")
    context: _Context = Field(default=_Context(), alias="Context")
    results: list[_Result] = Field(alias="Results")


class _Cases(RootModel[list[_Case]]):
    pass


def read_cases(path: Path) -> list[TimeCase]:
    """The cases of a file, in its order. Raises `InvalidInput`: file, line, key, what is wrong."""
    source = Json(str(path), read_text(path, MAX_BYTES))
    return [_case(source, number, case) for number, case in enumerate(source.read(_Cases).root)]


def _case(source: Json, number: int, case: _Case) -> TimeCase:
    reference = UNSPOKEN
    if case.context.reference is not None:
        try:
            reference = _moment(case.context.reference, UNSPOKEN)
        except ValueError as error:
            raise _wrong(source, (number, "Context", "ReferenceDateTime"), case.context.reference) from error
    expected = tuple(
        _expected(source, (number, "Results", place), result, reference) for place, result in enumerate(case.results)
    )
    return TimeCase(case.text, reference, expected)


def _expected(source: Json, at: tuple[int | str, ...], result: _Result, reference: datetime) -> ExpectedTime:
    kind = result.kind.rpartition(".")[2]
    values = result.resolution.values if result.resolution is not None else []
    allowed: list[Resolution] = []
    for place, value in enumerate(values if kind in POINTS | RANGES else ()):
        found = _resolution(source, (*at, "Resolution", "values", place), value, reference)
        allowed += [] if found is None else [found]
    return ExpectedTime(result.start, result.text, kind, tuple(allowed))


POINTS = frozenset({"date", "datetime", "time"})
RANGES = frozenset({"daterange", "datetimerange", "timerange"})
UNRESOLVED = "not resolved"


def _resolution(source: Json, at: tuple[int | str, ...], value: _Value, reference: datetime) -> Resolution | None:
    """What one value allows; None where it says that the time cannot be told."""
    if UNRESOLVED in (value.value, value.start, value.end):
        return None
    moments: list[datetime | None] = []
    for key, text in (("value", value.value), ("start", value.start), ("end", value.end)):
        try:
            moments.append(None if text is None else _moment(text, reference))
        except ValueError as error:
            raise _wrong(source, (*at, key), text) from error
    point, begins, ends = moments
    if point is not None:
        return point, point
    if begins is not None and ends is not None and ends < begins:
        ends += timedelta(days=1)  # from ten in the evening to two
    return None if begins is None and ends is None else (begins, ends)


def _moment(text: str, reference: datetime) -> datetime:
    """An ISO date, date and time, or time of the day of speech."""
    if _CLOCK.fullmatch(text):
        return datetime.combine(reference.date(), time.fromisoformat(text), UTC)
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found


def _wrong(source: Json, location: tuple[int | str, ...], text: str | None) -> InvalidInput:
    return source.wrong(
        location, f"must be a date, a time or both such as 2016-11-07 16:12:00, not {(text or '')[:60]!r}"
    )
