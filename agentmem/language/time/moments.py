"""What a time expression says, before and after it is resolved; shared by the readers of both languages."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Literal

from agentmem import patterns as re
from agentmem.language.time.dates import (
    Days,
    Lean,
    Partial,
    Precision,
    Recurrence,
    completed,
    following,
    one_day,
    settled,
)

Relation = Literal["at", "range", "before", "after", "since", "until"]
Edges = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day in seconds after midnight. Unless `fixed`, seven may be in the morning or in the evening."""

    begins: int
    ends: int
    precision: Precision
    fixed: bool = True


HOUR_SECONDS = 3600


def clock_at(
    hour: int, minute: int = 0, second: int = 0, precision: Precision = "hour", fixed: bool = True
) -> ClockTime:
    """The second, the minute or else the hour that a time of day names."""
    begins = hour * HOUR_SECONDS + minute * 60 + second
    lasts = {"second": 1, "minute": 60}.get(precision)
    return ClockTime(begins, begins + (lasts or HOUR_SECONDS), precision if lasts else "hour", fixed)


@dataclass(frozen=True, slots=True)
class Instant:
    """A stretch of time counted from now to the second: in five minutes, the last hour."""

    begins: datetime
    ends: datetime
    precision: Precision


@dataclass(frozen=True, slots=True)
class Moment:
    """One side of an expression. `note` is where the words that say the date end."""

    end: int
    days: Days | Partial | None = None
    clock: ClockTime | None = None
    instant: Instant | None = None
    note: int = 0


@dataclass(frozen=True, slots=True)
class Expression:
    """A reading of the characters from `start` to `end`; one that recurs is not resolved."""

    start: int
    end: int
    relation: Relation = "at"
    first: Moment | None = None
    last: Moment | None = None
    every: Recurrence | None = None
    precision: Precision = "day"


@dataclass(frozen=True, slots=True)
class Resolution:
    """The interval of an expression, its ends as spoken, and what to note where in the text."""

    begins: datetime | None
    ends: datetime | None
    edges: Edges
    precision: Precision
    dated: bool
    iso: str
    notes: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Settled:
    """A moment as an interval."""

    begins: datetime
    ends: datetime
    edges: tuple[datetime, datetime]
    precision: Precision
    days: Days | None
    note: int
    point: datetime | None = None


def names_one_day(days: Days | Partial) -> bool:
    """Whether a time of day can follow: a day does, a month or a week does not."""
    if isinstance(days, Days):
        return days.precision == "day" and (days.ends - days.begins).days == 1
    if days.portion is None:
        return days.day is not None or days.weekday is not None
    sample = settled(days, date(2000, 1, 1))
    return sample is not None and names_one_day(sample)


def names_weekday(part: Partial) -> bool:
    """Whether it says a weekday and nothing else."""
    return part == Partial(weekday=part.weekday) and part.weekday is not None


def resolve(expression: Expression, now: datetime, lean: Lean | None) -> Resolution | None:
    """The interval an expression stands for, seen from `now`; None if there is no such date.

    Days and times of day are those of the zone of `now`, so a day may last 23 hours; spans are counted in true time.
    """
    try:
        found = _resolve(expression, now, lean)
        if found is None or isinstance(now.tzinfo, timezone):
            return found
        edges = (_with_offset(found.edges[0]), _with_offset(found.edges[1]))
        return replace(found, begins=_with_offset(found.begins), ends=_with_offset(found.ends), edges=edges)
    except (ValueError, OverflowError):
        return None


def _with_offset(at: datetime | None) -> datetime | None:
    """The moment in the offset that holds then; one that the clocks leap over is taken an hour later."""
    if at is None:
        return None
    there = at.astimezone(UTC).astimezone(at.tzinfo)
    return there.replace(tzinfo=timezone(there.utcoffset() or timedelta()), fold=0)


def iso_days(days: Days) -> str:
    """A stretch as written in prose: 2026, 2026-03, 2026-03-12, 2026-03-09/2026-03-15."""
    last = days.ends - timedelta(days=1)
    cut: dict[Precision, int] = {"year": 4, "month": 7}
    size = cut.get(days.precision, 10)
    first_iso, last_iso = days.begins.isoformat()[:size], last.isoformat()[:size]
    return first_iso if first_iso == last_iso else f"{first_iso}/{last_iso}"


def _resolve(expression: Expression, now: datetime, lean: Lean | None) -> Resolution | None:
    first, last = expression.first, expression.last
    if expression.every is not None or first is None:
        return Resolution(None, None, (None, None), expression.precision, False, "")
    if last is not None:
        return _resolve_range(first, last, now, lean)
    one = _settle(first, now, lean)
    if one is None:
        return None
    notes = _notes(one, expression.relation)
    dated = one.days is not None or first.instant is not None
    begins, ends, edges = _related(one, expression.relation)
    return Resolution(begins, ends, edges, one.precision, dated, _iso(one, expression.relation, dated), notes)


def _related(one: _Settled, relation: Relation) -> tuple[datetime | None, datetime | None, Edges]:
    """Interval and spoken ends of before, after, since and until."""
    names_day = one.precision not in ("year", "month", "week")
    match relation:
        case "before":
            return None, one.point or one.begins, (None, one.point or one.edges[0])
        case "until":
            return None, one.ends, (None, one.edges[0] if names_day else one.edges[1])
        case "after":
            begins = one.edges[0] if names_day and one.precision != "part" else one.edges[1]
            return one.ends, None, (begins, None)
        case "since":
            return one.begins, None, (one.edges[0], None)
        case _:
            return one.begins, one.ends, one.edges


def _resolve_range(first: Moment, last: Moment, now: datetime, lean: Lean | None) -> Resolution | None:
    first, last = _joined(first, last)
    sides = _settle_both(first, last, now, lean)
    if sides is None:
        return None
    one, other = sides
    dated = one.days is not None or first.instant is not None
    precision = one.precision if one.precision == other.precision else max(one.precision, other.precision, key=_FINE)
    edges = (one.point or one.edges[0], other.point or other.edges[0])
    return Resolution(
        one.begins, other.ends, edges, precision, dated, f"{_iso_first(one, dated)}/{_iso_last(other, dated)}",
        _range_notes(one, other),
    )  # fmt: skip


def _settle_both(first: Moment, last: Moment, now: datetime, lean: Lean | None) -> tuple[_Settled, _Settled] | None:
    """Both sides; unless the speech is of the past, a range that is going on is the one that is meant."""
    if lean != "past" and isinstance(first.days, Partial) and first.days.month is not None and first.days.year is None:
        begun = _settle_both(first, last, now, "past")
        if begun is not None and begun[1].ends > now:
            return begun
    one = _settle(first, now, lean)
    other = _settle_after(last, one, now) if one is not None else None
    return None if one is None or other is None or other.ends <= one.begins else (one, other)


_ORDER: tuple[Precision, ...] = ("year", "month", "week", "day", "part", "hour", "minute", "second")
_FINE: Callable[[Precision], int] = _ORDER.index


def _joined(first: Moment, last: Moment) -> tuple[Moment, Moment]:
    """Both sides, each with what only the other says: the month, the year, the day, the half of the day."""
    if isinstance(first.days, Partial) and isinstance(last.days, Partial):
        left, right = completed(first.days, last.days)
        first, last = replace(first, days=left), replace(last, days=right)
    elif isinstance(first.days, Partial) and isinstance(last.days, Days) and names_weekday(first.days):
        back = (last.days.begins.weekday() - (first.days.weekday or 0)) % 7
        first = replace(first, days=one_day(last.days.begins - timedelta(days=back)))
    elif isinstance(first.days, Partial) and isinstance(last.days, Days) and first.days.year is None:
        left, _ = completed(first.days, Partial(last.days.begins.year, last.days.begins.month, last.days.begins.day))
        first = replace(first, days=left)
    elif isinstance(first.days, Days) and isinstance(last.days, Partial) and last.days.month is None:
        begins = first.days.begins
        last = replace(last, days=completed(Partial(begins.year, begins.month, begins.day), last.days)[1])
    if first.days is None and first.clock is not None and last.days is not None:
        first = replace(first, days=last.days, note=last.note)
    if first.clock is not None and last.clock is not None:
        first, last = _same_half(first, first.clock, last, last.clock)
    return first, last


def _same_half(first: Moment, left: ClockTime, last: Moment, right: ClockTime) -> tuple[Moment, Moment]:
    """`5 to 7pm` are both in the afternoon, `8am-3` and `2pm to 4` end after they begin."""
    half = 12 * 3600
    same_day = last.days is None or last.days is first.days
    if not left.fixed and right.fixed and right.begins >= half:
        moved = left.begins + half
        if left.begins < half and moved <= right.begins:
            first = replace(first, clock=replace(left, begins=moved, ends=left.ends + half, fixed=True))
    elif left.fixed and not right.fixed and same_day and right.begins <= left.begins:
        if right.begins + half > left.begins:
            last = replace(last, clock=replace(right, begins=right.begins + half, ends=right.ends + half))
    elif not left.fixed and not right.fixed and same_day and right.begins <= left.begins <= half:
        last = replace(last, clock=replace(right, begins=right.begins + half, ends=right.ends + half))
    return first, last


def _settle_after(last: Moment, one: _Settled, now: datetime) -> _Settled | None:
    days = last.days
    if isinstance(days, Partial):
        days = following(days, one.begins.date())
        if days is None:
            return None
    if days is None and last.clock is not None and one.days is not None:
        days = one.days
    if days is None and last.clock is not None and one.precision in ("second", "minute", "hour"):
        other = _settle(replace(last, days=Days(one.begins.date(), one.begins.date())), now, None)
    else:
        other = _settle(replace(last, days=days), now, None)
    if other is not None and other.ends <= one.begins and last.days is None and last.clock is not None:
        half = timedelta(hours=12)
        other = _later(other, half if not last.clock.fixed and other.ends + half > one.begins else 2 * half)
    return other


def _later(one: _Settled, by: timedelta) -> _Settled:
    return replace(one, begins=one.begins + by, ends=one.ends + by, edges=(one.edges[0] + by, one.edges[1] + by))


def _settle(moment: Moment, now: datetime, lean: Lean | None) -> _Settled | None:
    if moment.instant is not None:
        span = moment.instant
        begins, ends = span.begins.astimezone(now.tzinfo), span.ends.astimezone(now.tzinfo)
        return _Settled(begins, ends, (begins, ends), span.precision, None, 0)
    days = moment.days
    if isinstance(days, Partial):
        days = settled(days, now.date(), lean)
        if days is None:
            return None
    clock = moment.clock
    if clock is None:
        return None if days is None else _settle_days(days, now, moment.note)
    base = _midnight(days.begins if days is not None else now.date(), now)
    begins, ends = base + timedelta(seconds=clock.begins), base + timedelta(seconds=clock.ends)
    return _Settled(begins, ends, (begins, ends), clock.precision, days, moment.note)


def _settle_days(days: Days, now: datetime, note: int) -> _Settled:
    begins, ends = _midnight(days.begins, now), _midnight(days.ends, now)
    edges = (begins, ends) if days.edges is None else (_midnight(days.edges[0], now), _midnight(days.edges[1], now))
    point = None if days.point is None else _midnight(days.point, now)
    return _Settled(begins, ends, edges, days.precision, days, note, point)


def _midnight(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time(), now.tzinfo)


def _notes(one: _Settled, relation: Relation = "at") -> tuple[tuple[int, str], ...]:
    if one.days is None or one.days.absolute or not one.note:
        return ()
    if one.days.point == one.days.ends and relation in ("before", "until"):
        return ((one.note, (one.days.ends - timedelta(days=1)).isoformat()),)  # by the end of May: 31 May
    return ((one.note, iso_days(one.days)),)


def _range_notes(one: _Settled, other: _Settled) -> tuple[tuple[int, str], ...]:
    """Two days are noted together after the second; with clock times each is noted where it stands."""
    if one.days is None or other.days is None:
        return ()
    if one.days is other.days or one.days == other.days:
        return _notes(one)
    timed = one.precision in ("hour", "minute", "second", "part")
    if timed or (one.days.absolute and other.days.absolute):
        return _notes(one) + _notes(other)
    return ((other.note, f"{_iso_first(one, True)}/{_iso_last(other, True)}"),)


def _iso(one: _Settled, relation: Relation, dated: bool) -> str:
    side = _iso_side(one, dated)
    match relation:
        case "before" if one.point is None:
            return f"../{side.partition('/')[0]}"
        case "before" | "until":
            return f"../{side.rpartition('/')[2]}"
        case "after" if one.precision == "part":
            return f"{_iso_side(replace(one, begins=one.ends, precision='minute'), dated)}/.."
        case "after":
            return f"{side.rpartition('/')[2]}/.."
        case "since":
            return f"{side.partition('/')[0]}/.."
        case _:
            return side


def _iso_side(one: _Settled, dated: bool) -> str:
    if one.days is not None and one.precision in ("year", "month", "week", "day"):
        return iso_days(one.days)
    if one.precision == "part":
        return one.begins.date().isoformat() if dated else one.begins.strftime("%H:%M")
    style = "%H:%M:%S" if one.precision == "second" else "%H:%M"
    clock = one.begins.strftime(style)
    return f"{one.begins.date().isoformat()}T{clock}" if dated else clock


def _iso_first(one: _Settled, dated: bool) -> str:
    return _iso_side(one, dated).partition("/")[0]


def _iso_last(other: _Settled, dated: bool) -> str:
    return _iso_side(other, dated).rpartition("/")[2]


_NOTED = re.compile(r"\s?[(（](\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:/(\d{4})(?:-(\d\d))?(?:-(\d\d))?)?[)）]")


def read_note(text: str, position: int) -> tuple[Days, int] | None:
    """The resolution that already stands behind a date, `(2026-03-12)`: it holds, whenever the text is read again."""
    match = _NOTED.match(text, position)
    if match is None:
        return None
    try:
        first = settled(_noted(match, 1), date.min)
        last = settled(_noted(match, 4), date.min) if match[4] else first
    except ValueError:
        return None
    if first is None or last is None:
        return None
    return Days(first.begins, last.ends, first.precision, absolute=True), match.end()


def _noted(match: re.Match, group: int) -> Partial:
    year, month, day = (int(part) if part else None for part in match.group(group, group + 1, group + 2))
    return Partial(year, month, day)


def is_noted_range(text: str, moment: Moment) -> bool:
    """Whether the note behind this moment resolves a whole range, of which the moment is the last side."""
    return text[moment.note - 1 : moment.note] in (")", "）") and "/" in text[max(0, moment.note - 24) : moment.note]
