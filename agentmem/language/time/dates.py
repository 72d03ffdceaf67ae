"""Calendar arithmetic on stretches of whole days, for the readers of time expressions, and what comes again.

Nothing here knows a language. A date that does not exist (30 February) or lies outside the calendar raises
`ValueError` or `OverflowError`; the readers take that as "no time".
"""

from calendar import monthrange
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Literal

Precision = Literal["year", "month", "week", "day", "part", "hour", "minute", "second"]
Lean = Literal["past", "future"]
Unit = Literal[
    "day", "weekday", "weekend", "week", "fortnight", "month", "quarter", "half", "year", "decade", "century"
]

_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
_DAYS = {"day": 1, "week": 7, "fortnight": 14}


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days from `begins` up to and without `ends`.

    `absolute`: spoken in full, so that the words alone say when. `edges`: the ends as spoken, where they are
    narrower than the stretch: "five years ago" names a day, but means its year. `point`: where a range ends that
    names this stretch, if that is not its beginning: "before the end of May" lasts until June.
    """

    begins: date
    ends: date
    precision: Precision = "day"
    absolute: bool = False
    edges: tuple[date, date] | None = None
    point: date | None = None


@dataclass(frozen=True, slots=True)
class Partial:
    """A calendar date with fields left out, to be completed by a neighbour or by the reference.

    `months`: how many follow one another from `month`, three for a season. `portion`: the part that is meant of them,
    as in the end of May, the first week of October. `moving`: the day of a year, about `month`, where it is another
    each year, as Easter is: it looks ahead as weekdays do.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    months: int = 1
    portion: Callable[[Days], Days] | None = None
    moving: Callable[[int], date] | None = None


def one_day(day: date, *, absolute: bool = False) -> Days:
    """The day itself."""
    return Days(day, day + timedelta(days=1), "day", absolute)


def whole_month(year: int, month: int, *, absolute: bool = False, count: int = 1) -> Days:
    """The month, or `count` months from it."""
    first = date(year, month, 1)
    return Days(first, add_months(first, count), "month", absolute)


def whole_year(year: int, *, absolute: bool = False, count: int = 1) -> Days:
    """The year, or `count` years from it."""
    return Days(date(year, 1, 1), date(year + count, 1, 1), "year", absolute)


def add_months(day: date, count: int) -> date:
    """The same day of another month, or its last day where the month is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def shifted(day: date, count: int, unit: Unit) -> date:
    """The day `count` units later; weekdays skip Saturday and Sunday."""
    if unit == "weekday":
        step = timedelta(days=1 if count > 0 else -1)
        for _ in range(min(abs(count), 10_000)):
            day += step
            while day.weekday() > 4:
                day += step
        return day
    if unit in _MONTHS:
        return add_months(day, count * _MONTHS[unit])
    return day + timedelta(days=count * _DAYS.get(unit, 7))


def period(day: date, unit: Unit, count: int = 0) -> Days:
    """The calendar unit that holds the day, or the one `count` units later."""
    monday = day - timedelta(days=day.weekday())
    match unit:
        case "day" | "weekday":
            return one_day(shifted(day, count, unit))
        case "week" | "fortnight":
            first = monday + timedelta(days=count * _DAYS[unit])
            return Days(first, first + timedelta(days=_DAYS[unit]), "week")
        case "weekend":
            saturday = monday + timedelta(days=5 + 7 * count)
            return Days(saturday, saturday + timedelta(days=2), "day")
        case "month" | "quarter" | "half":
            length = _MONTHS[unit]
            first = date(day.year, (day.month - 1) // length * length + 1, 1)
            first = add_months(first, count * length)
            return Days(first, add_months(first, length), "month")
        case "year" | "decade" | "century":
            length = _MONTHS[unit] // 12
            return whole_year(day.year // length * length + count * length, count=length)


def offset(day: date, count: int, unit: Unit) -> Days:
    """What "`count` units from this day" means: a day for days and weeks, a month for months, a year for years."""
    if unit == "weekend":
        return period(day, unit, count)
    target = shifted(day, count, unit)
    stretch = one_day(target)
    if unit not in _MONTHS:
        return stretch
    whole = period(target, "year" if _MONTHS[unit] % 12 == 0 else "month")
    return replace(whole, edges=(stretch.begins, stretch.ends))


def within(stretch: Days, unit: Unit, first: int, count: int = 1) -> Days:
    """`count` units of a stretch from the `first`, counted from 0, or from the end if negative.

    A week belongs to the month or year that holds its Thursday.
    """
    if unit == "week":
        if first >= 0:
            thursday = stretch.begins + timedelta(days=(3 - stretch.begins.weekday()) % 7)
        else:
            last = stretch.ends - timedelta(days=1)
            thursday = last - timedelta(days=(last.weekday() - 3) % 7) + timedelta(days=7)
        begins = thursday + timedelta(days=7 * first - 3)
        return Days(begins, begins + timedelta(days=7 * count), "week")
    if unit == "weekend":
        saturday = nth_weekday(stretch, 5, first + 1 if first >= 0 else -1).begins
        begins = saturday + timedelta(days=7 * (first + 1) if first < 0 else 0)
        return Days(begins, begins + timedelta(days=7 * count - 5), "day")
    base = stretch.begins if first >= 0 else stretch.ends
    begins = shifted(base, first, unit)
    precision: Precision = "year" if unit in ("year", "decade") else "month" if unit in _MONTHS else "day"
    return Days(begins, shifted(begins, count, unit), precision)


def third_of(stretch: Days, third: int) -> Days:
    """The early, middle or late years of a decade or a century: four of ten, three of ten, three of ten."""
    tenth = (stretch.ends.year - stretch.begins.year) // 10
    first, last = ((0, 4), (4, 7), (7, 10))[third]
    return whole_year(stretch.begins.year + first * tenth, absolute=stretch.absolute, count=(last - first) * tenth)


def spans_years(stretch: Days) -> bool:
    """Whether it is a decade or a century."""
    return stretch.precision == "year" and stretch.ends.year - stretch.begins.year >= 10


def half_of(stretch: Days, *, second: bool) -> Days:
    """The first or second half of a year or a month, which has its middle after the fifteenth."""
    if stretch.precision == "year":
        return within(stretch, "half", int(second))
    middle = stretch.begins + timedelta(days=15)
    return Days(middle, stretch.ends, "day") if second else Days(stretch.begins, middle, "day")


def on_weekday(day: date, weekday: int, weeks: int = 0) -> Days:
    """The weekday (Monday is 0) in the calendar week of the day, or `weeks` weeks later."""
    return one_day(day + timedelta(days=weekday - day.weekday() + 7 * weeks))


def nth_weekday(stretch: Days, weekday: int, number: int) -> Days:
    """The first, second, … weekday of a stretch, or the last for -1."""
    if number < 0:
        last = stretch.ends - timedelta(days=1)
        return one_day(last - timedelta(days=(last.weekday() - weekday) % 7))
    first = stretch.begins + timedelta(days=(weekday - stretch.begins.weekday()) % 7 + 7 * (number - 1))
    if first >= stretch.ends:
        raise ValueError(f"no {number}th weekday before {stretch.ends}")
    return one_day(first)


def beside(base: Days, what: Unit | int, step: Literal[-1, 1]) -> Days:
    """The day, week, weekend, month or year right before or after a stretch, or the nearest weekday (an int) there."""
    edge = base.begins if step < 0 else base.ends - timedelta(days=1)
    if isinstance(what, int):
        return one_day(edge + timedelta(days=step * ((step * (what - edge.weekday()) - 1) % 7 + 1)))
    here = period(edge, what)
    return here if step > 0 and edge < here.begins else period(edge, what, step)


def easter(year: int) -> date:
    """Easter Sunday, by the Gregorian computus of Meeus, Jones and Butcher."""
    a, (b, c) = year % 19, divmod(year, 100)
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    rest = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    month, day = divmod(h + rest - 7 * ((a + 11 * h + 22 * rest) // 451) + 114, 31)
    return date(year, month, day + 1)


def settled(part: Partial, today: date, lean: Lean | None = None) -> Days | None:
    """The date that is meant: the nearest in the direction of speech, or else the nearest at all.

    Weekdays and days of the month look ahead unless the speech is about the past; today counts as ahead, and what was
    on Saturday was not today. For a date without a year the future counts as three times as near, because talk of
    the past mostly says so.
    """
    if part.year is not None and part.month is None:
        return whole_year(part.year, absolute=True)
    if part.year is not None and part.month is not None:
        if part.day is None:
            return _portion(part, whole_month(part.year, part.month, absolute=True, count=part.months))
        return one_day(date(part.year, part.month, part.day), absolute=True)
    candidates = _candidates(part, today)
    ahead = min((c for c in candidates if c.ends > today), key=lambda c: c.begins, default=None)
    begun = max((c for c in candidates if c.begins <= today), key=lambda c: c.begins, default=None)
    behind = max((c for c in candidates if c.ends <= today), key=lambda c: c.begins, default=None)
    if ahead is None or lean == "past":
        return (behind if part.month is None and part.day is None else begun) or ahead
    if (
        behind is None
        or lean == "future"
        or part.moving
        or (part.month is None and (part.day is None or part.weekday is None))
    ):
        return ahead
    return ahead if ahead.begins - today <= 3 * (today - behind.ends) else behind


def completed(first: Partial, last: Partial) -> tuple[Partial, Partial]:
    """Both ends of a range, each with what only the other says: `3月1日到5日`, `3 and 12 of Sept`."""
    if last.month is None and last.day is not None and last.weekday is None:
        last = replace(last, month=first.month, year=last.year or first.year)
    if first.month is None and first.day is not None and first.weekday is None and last.month is not None:
        month, year = last.month, last.year
        if last.day is not None and first.day > last.day:
            month, year = (month - 1, year) if month > 1 else (12, year and year - 1)
        first = replace(first, month=month, year=first.year or year)
    if first.year is None and last.year is not None and first.month is not None:
        later = (first.month, first.day or 0) > (last.month or 12, last.day or 31)
        first = replace(first, year=last.year - later)
    return first, last


def following(part: Partial, day: date) -> Days | None:
    """The first date of this description that does not end before the day."""
    if part.year is not None:
        return settled(part, day)
    return min((c for c in _candidates(part, day) if c.ends > day), key=lambda c: c.begins, default=None)


def _candidates(part: Partial, today: date) -> Sequence[Days]:
    """Dates of this description on both sides of today."""
    if part.moving is not None:
        return [one_day(part.moving(year)) for year in range(max(1, today.year - 1), min(9998, today.year + 1) + 1)]
    if part.month is not None:
        return _in_years(part, part.month, today)
    if part.day is not None:
        return _in_months(part.day, part.weekday, today)
    if part.weekday is not None:
        return [on_weekday(today, part.weekday, weeks) for weeks in (-1, 0, 1)]
    return []


def _in_years(part: Partial, month: int, today: date) -> list[Days]:
    found: list[Days] = []
    for year in range(max(1, today.year - 8), min(9998, today.year + 8) + 1):
        if part.day is None:
            with suppress(ValueError):  # not every May has a fifth Sunday
                found.append(_portion(part, whole_month(year, month, count=part.months)))
        elif part.day <= monthrange(year, month)[1]:
            day = date(year, month, part.day)
            if part.weekday is None or abs(year - today.year) <= 1 or day.weekday() == part.weekday:
                found.append(one_day(day))
    return found


def _portion(part: Partial, whole: Days) -> Days:
    return whole if part.portion is None else part.portion(whole)


@lru_cache(maxsize=1_024)  # a document numbers its parts, and many a number could be a day: 第3号
def _in_months(day_of_month: int, weekday: int | None, today: date) -> tuple[Days, ...]:
    found: list[Days] = []
    for months in range(-14, 15):
        first = add_months(today.replace(day=1), months)
        if day_of_month <= monthrange(first.year, first.month)[1]:
            day = first.replace(day=day_of_month)
            if weekday is None or day.weekday() == weekday:
                found.append(one_day(day))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Recurrence:
    """What all occurrences have in common; an empty field is a wildcard: every 2 July leaves year and weekday open.

    Months and days count from 1, weekdays from 0 for Monday; `hours` are seconds after midnight, the end exclusive.
    """

    months: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()
    weekdays: frozenset[int] = frozenset()
    hours: tuple[int, int] | None = None

    def holds(self, local: datetime) -> bool:
        """Whether a moment, on the clock of those who speak, may be an occurrence."""
        second = local.hour * 3600 + local.minute * 60 + local.second
        return (
            (not self.months or local.month in self.months)
            and (not self.days or local.day in self.days)
            and (not self.weekdays or local.weekday() in self.weekdays)
            and (self.hours is None or self.hours[0] <= second < self.hours[1])
        )


def recurrence(
    said: Days | Partial | None = None, *, weekdays: frozenset[int] = frozenset(), hours: tuple[int, int] | None = None
) -> Recurrence:
    """The recurrence of a date that leaves out its year; of one that is said in full, only what stands beside it."""
    if not isinstance(said, Partial):
        return Recurrence(weekdays=weekdays, hours=hours)
    first, count = (said.month, said.months) if said.month is not None else (1, 0)
    months = frozenset((first - 1 + more) % 12 + 1 for more in range(count))
    days = frozenset(() if said.day is None else (said.day,))
    if said.weekday is not None:
        weekdays |= {said.weekday}
    return Recurrence(months, days, weekdays, hours)
