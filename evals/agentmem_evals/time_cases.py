"""Time cases, read and scored: JSON in the format of the Microsoft Recognizers specs, texts with what they name.

A value without an offset, as they all are, is taken in UTC, and so is the moment of speech. What the format says
beyond that (timex, modifiers, which platform supports a case) is passed over.

Exact is the share of cases of which every time is found and resolved right. In scope are cases that name only dates,
times of day and ranges of them, and those that name none, where nothing may be found. Durations, recurrences and time
zones are not resolved to a time, so cases with them are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from pydantic import AliasChoices, BaseModel, Field, RootModel

from agentmem import patterns as re
from agentmem.errors import InvalidInput
from agentmem.language.time import TimeMention, find_times
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


NOTHING = "no time"
SEVERAL = "several kinds"


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """A case in scope and what was found in it. `kind` is what it names: a date, a time, several kinds, no time."""

    case: TimeCase
    kind: str
    found: tuple[TimeMention, ...]
    correct: bool


@dataclass(frozen=True, slots=True)
class TimeReport:
    """`cases` counts all cases of a file, `scored` holds those in scope."""

    cases: int
    scored: tuple[ScoredCase, ...]

    @property
    def correct(self) -> int:
        """How many of the scored cases are right."""
        return sum(one.correct for one in self.scored)

    @property
    def exact(self) -> float:
        """The share of the scored cases that are right; 0 where there are none."""
        return self.correct / len(self.scored) if self.scored else 0.0

    @property
    def failures(self) -> list[ScoredCase]:
        """The scored cases that are not right, in the order of the file."""
        return [one for one in self.scored if not one.correct]


def score(cases: Sequence[TimeCase]) -> TimeReport:
    """Read every case in scope with the resolver as it is."""
    return TimeReport(len(cases), tuple(_scored(case) for case in cases if in_scope(case)))


def in_scope(case: TimeCase) -> bool:
    """Whether a case names nothing but dates, times of day and ranges of them."""
    return all(one.kind in POINTS | RANGES for one in case.expected)


def _scored(case: TimeCase) -> ScoredCase:
    found = tuple(find_times(case.text, case.reference))
    kinds = {one.kind for one in case.expected}
    kind = SEVERAL if len(kinds) > 1 else next(iter(kinds), NOTHING)
    right = all(any(_is(mention, one) for mention in found) for one in case.expected)
    return ScoredCase(case, kind, found, right if case.expected else not found)


def _is(mention: TimeMention, expected: ExpectedTime) -> bool:
    if mention.start != expected.start or (expected.kind.startswith("time") and mention.dated):
        return False
    begins, ends = (_whole(edge) for edge in mention.edges)
    if expected.kind in RANGES:
        return (begins, ends) in expected.allowed
    if expected.kind == "date" and (begins is None or ends != begins + timedelta(days=1)):
        return False
    return (begins, begins) in expected.allowed


def _whole(edge: datetime | None) -> datetime | None:
    """To the second, which is as fine as the format is."""
    return None if edge is None else edge.replace(microsecond=0)
