"""Reads an English date with what surrounds it: a part of a period, or a weekday and the day it falls on."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from agentmem import patterns as re
from agentmem.language.dates import (
    Days,
    Partial,
    Precision,
    add_months,
    half_of,
    nth_weekday,
    on_weekday,
    period,
    settled,
    spans_years,
    third_of,
    whole_year,
    within,
)
from agentmem.language.dates_en import Calendar, Found, match_date, match_day
from agentmem.language.lexicon_en import (
    COUNT,
    ORDINAL,
    UNIT,
    WEEKDAY,
    YEAR,
    count_number,
    ordinal_number,
    unit_of,
    weekday_number,
    year_number,
)
from agentmem.language.moments import names_one_day, read_note
from agentmem.language.seasons import read_season_en

_I = re.IGNORECASE
_APPOSITION = re.compile(r"(?:\s?\(|,\s?|\s)(?:the\s)?", _I)
_WEEKDAY_SAID = re.compile(rf"\s?\(\s?{WEEKDAY}\s?\)", _I)
_ON_WEEKDAY = re.compile(rf"\.?\son\s(?:the\s)?(?P<weekday>{WEEKDAY})", _I)
_COUNTED_DAYS = re.compile(r"\b(?:days?|weeks?|fortnights?)\b", _I)
_SAID_YEAR = re.compile(r",?\s(?:of\s|in\s)?(?P<step>last|this|next)\syear(?![a-z'’])", _I)
_CLOSING = re.compile(r"\s?\)")
_ENDS_IN_DAY = re.compile(rf"(?:{WEEKDAY}|today|tomorrow|yesterday)\Z", _I)
_WHICH = re.compile(
    rf"(?:the\s)?(?:(?P<way>first|last)\s(?P<count>{COUNT})\s(?P<units>{UNIT})|(?P<nth>{ORDINAL}|last)\s(?P<unit>{UNIT}|half))"
    r"\s(?:of|in)\s(?:the\s)?",
    _I,
)
_NTH_WEEKDAY = re.compile(
    rf"(?:the\s)?(?P<nth>{ORDINAL}|last)\s(?P<weekday>{WEEKDAY})\s(?:of|in)\s(?:the\s(?:month\sof\s)?)?", _I
)
_PHASE = re.compile(
    r"(?:(?P<phase>beginning|start|middle|end)\sof\s(?:the\s)?|(?P<prefix>earlier|early|mid|late)(?:\sin|\sof)?[\s-](?:the\s)?)",
    _I,
)
_SHORT_PHASE = re.compile(r"(?:eo(?P<unit>[my])|(?P<word>year)[\s-]end)(?![a-z])", _I)
_PHASES = {"beginning": 0, "start": 0, "early": 0, "earlier": 0, "middle": 1, "mid": 1, "end": 2, "late": 2}
_BARE_YEAR = re.compile(YEAR, _I)
_BARE_UNIT = re.compile(r"(?:year|month|week)(?![a-z])", _I)


def read_date(text: str, position: int, today: date, *, sure: bool = False) -> Found | None:
    """The date that begins at this position and where it ends. `sure`: `May` cannot be a verb here."""
    best = match_date(text, position, today, sure=sure)
    best = best and _in_said_year(text, best, today)
    season = read_season_en(text, position, today)
    if season is not None and (best is None or season[1] > best[1]):
        best = season
    portion = _read_portion(text, position, today)
    portion = portion and _in_said_year(text, portion, today)
    if portion is not None and (best is None or portion[1] > best[1]):
        return on_weekday_behind(text, position, portion)
    return best and on_weekday_behind(text, position, _with_apposition(text, position, best, today))


def _in_said_year(text: str, found: Found, today: date) -> Found:
    """A date with the year behind it: May last year, Christmas of next year."""
    behind = _SAID_YEAR.match(text, found[1])
    part = found[0]
    if behind is None or not isinstance(part, Partial) or part.month is None or part.year is not None:
        return found
    year = today.year + {"last": -1, "this": 0, "next": 1}[behind["step"].lower()]
    days = settled(replace(part, year=year), today)
    return found if days is None else (replace(days, absolute=False), behind.end())


def on_weekday_behind(text: str, position: int, found: Found) -> Found:
    """A week, or a day counted in days or weeks, with the day of that week: `in 3 days on Friday`. One in brackets
    behind a date says nothing new: `May 22 (Tue)`.
    """
    calendar, end = found
    said = _WEEKDAY_SAID.match(text, end)
    if said is not None and names_one_day(calendar):
        return calendar, said.end()
    behind = _ON_WEEKDAY.match(text, end)
    if behind is None or not _names_week(calendar, text[position:end]):
        return found
    weekday = weekday_number(behind["weekday"])
    return _of_period(calendar, lambda week: on_weekday(week.begins, weekday)), behind.end()


def _names_week(calendar: Calendar, words: str) -> bool:
    if isinstance(calendar, Days):
        return calendar.precision == "week" or (calendar.precision == "day" and _COUNTED_DAYS.search(words) is not None)
    return calendar.portion is not None and "week" in words.lower()


def _with_apposition(text: str, position: int, found: Found, today: date) -> Found:
    """A weekday or relative day followed by the date itself: `Tuesday, Jan 15`, `this Friday (jun-15)`."""
    calendar, end = found
    gap = _APPOSITION.match(text, end)
    if gap is None or read_note(text, end) is not None or not _names_weekday(calendar, text[position:end]):
        return found
    said = match_day(text, gap.end(), today)
    if said is None:
        return found
    closing = _CLOSING.match(text, said[1]) if "(" in gap[0] else None
    day = _near(said[0], calendar) if isinstance(said[0], Partial) else said[0]
    return day, closing.end() if closing else said[1]


def _near(part: Partial, calendar: Calendar) -> Calendar:
    if isinstance(calendar, Partial):
        return replace(part, weekday=calendar.weekday)
    return settled(part, calendar.begins) or part


def _names_weekday(calendar: Calendar, words: str) -> bool:
    if isinstance(calendar, Partial):
        return calendar.weekday is not None and calendar.day is None
    return calendar.precision == "day" and not calendar.absolute and _ENDS_IN_DAY.search(words) is not None


def _read_portion(text: str, position: int, today: date) -> Found | None:
    """A part of a longer period: the first two weeks of May, the end of 2008, mid-November."""
    short = _SHORT_PHASE.match(text, position)
    if short is not None:
        return _phase(period(today, "month" if (short["unit"] or "").lower() == "m" else "year"), 2), short.end()
    return (
        _read_which(text, position, today)
        or _read_nth_weekday(text, position, today)
        or _read_phase(text, position, today)
    )


def _read_which(text: str, position: int, today: date) -> Found | None:
    which = _WHICH.match(text, position)
    whole = _read_period(text, which.end(), today) if which is not None else None
    if which is None or whole is None or not _can_be_counted(which, whole[0]):
        return None
    return _of_period(whole[0], lambda stretch: _which(which, stretch)), whole[1]


def _read_nth_weekday(text: str, position: int, today: date) -> Found | None:
    match = _NTH_WEEKDAY.match(text, position)
    whole = _read_period(text, match.end(), today) if match is not None else None
    if match is None or whole is None:
        return None
    nth = -1 if match["nth"].lower() == "last" else ordinal_number(match["nth"])
    weekday = weekday_number(match["weekday"])
    return _of_period(whole[0], lambda stretch: nth_weekday(stretch, weekday, nth)), whole[1]


def _read_phase(text: str, position: int, today: date) -> Found | None:
    match = _PHASE.match(text, position)
    whole = _read_period(text, match.end(), today) if match is not None else None
    if match is None or whole is None:
        return None
    third = _PHASES[(match["phase"] or match["prefix"]).lower()]
    return _of_period(whole[0], lambda stretch: _phase(stretch, third)), whole[1]


def _of_period(whole: Calendar, portion: Callable[[Days], Days]) -> Calendar:
    """A part of a period; where the year of that is left open, so is that of the part."""
    if isinstance(whole, Days):
        return portion(whole)
    return replace(whole, portion=portion if whole.portion is None else _inside(whole.portion, portion))


def _inside(outer: Callable[[Days], Days], inner: Callable[[Days], Days]) -> Callable[[Days], Days]:
    return lambda whole: inner(outer(whole))


def _read_period(text: str, position: int, today: date) -> Found | None:
    """A month, a quarter, a season or a year."""
    best: Found | None = None
    year = _BARE_YEAR.match(text, position)
    if year is not None:
        best = whole_year(year_number(year[0]), absolute=True), year.end()
    unit = _BARE_UNIT.match(text, position)
    if unit is not None:
        best = period(today, unit_of(unit[0])), unit.end()
    for named in (match_date(text, position, today, sure=True), read_season_en(text, position, today)):
        if named is not None and (best is None or named[1] > best[1]):
            best = named
    if best is None:
        return None
    if isinstance(best[0], Partial):
        return best if best[0].day is None and best[0].weekday is None else None
    return best if best[0].precision in ("year", "month", "week") else None


def _can_be_counted(match: re.Match, whole: Calendar) -> bool:
    """Days are counted in a month; in a year or a week only its first and its last."""
    if (
        match["way"]
        or match["unit"].lower() == "half"
        or unit_of(match["unit"]) != "day"
        or match["nth"].lower() in ("first", "last")
    ):
        return True
    return isinstance(whole, Partial) or whole.precision == "month"


def _which(match: re.Match, whole: Days) -> Days:
    if match["way"]:
        count = round(count_number(match["count"]))
        return within(whole, unit_of(match["units"]), 0 if match["way"].lower() == "first" else -count, count)
    nth = match["nth"].lower()
    if match["unit"].lower() == "half":
        return half_of(whole, second=nth != "first")
    return within(whole, unit_of(match["unit"]), -1 if nth == "last" else ordinal_number(nth) - 1)


def _phase(whole: Days, third: int) -> Days:
    """Beginning, middle or end of a period, with the point a range takes from it."""
    length = (whole.ends - whole.begins).days
    point = (None, whole.begins + timedelta(days=length // 2), whole.ends)[third]
    if spans_years(whole):
        return replace(third_of(whole, third), point=point)
    if whole.precision == "year":
        begins = date(whole.begins.year, (1, 5, 9)[third], 1)
        return Days(begins, add_months(begins, 4), "month", whole.absolute, point=point)
    if whole.precision == "week":
        first, last = ((0, 3), (2, 5), (3, length))[third]
        return Days(whole.begins + timedelta(days=first), whole.begins + timedelta(days=last), "day", point=point)
    step = 10 if length <= 31 else length // 3
    begins = whole.begins + timedelta(days=(0, step - 1 if length <= 31 else step, 2 * step)[third])
    ends = (whole.begins + timedelta(days=step), whole.begins + timedelta(days=2 * step), whole.ends)[third]
    precision: Precision = "day"
    return Days(begins, ends, precision, whole.absolute, point=point)
