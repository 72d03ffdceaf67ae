"""Reads an English date with what surrounds it: a part of a period, or a weekday and the day it falls on."""

import re
from dataclasses import replace
from datetime import date, timedelta

from agentmem.language.dates import (
    Days,
    Partial,
    Precision,
    add_months,
    nth_weekday,
    period,
    settled,
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
from agentmem.language.moments import read_note
from agentmem.language.seasons import read_season_en

_I = re.IGNORECASE
_APPOSITION = re.compile(r"(?:\s?\(|,\s?|\s)(?:the\s)?", _I)
_CLOSING = re.compile(r"\s?\)")
_ENDS_IN_DAY = re.compile(rf"(?:{WEEKDAY}|today|tomorrow|yesterday)\Z", _I)
_WHICH = re.compile(
    rf"(?:the\s)?(?:(?P<way>first|last)\s(?P<count>{COUNT})\s(?P<units>{UNIT})|(?P<nth>{ORDINAL}|last)\s(?P<unit>{UNIT}))"
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
    season = read_season_en(text, position, today)
    if season is not None and (best is None or season[1] > best[1]):
        best = season
    portion = _read_portion(text, position, today)
    if portion is not None and (best is None or portion[1] > best[1]):
        return portion
    return best and _with_apposition(text, position, best, today)


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
    which = _WHICH.match(text, position)
    if which is not None:
        whole = _read_period(text, which.end(), today)
        portion = _which(which, whole[0]) if whole is not None else None
        if whole is not None and portion is not None:
            return portion, whole[1]
    weekday = _NTH_WEEKDAY.match(text, position)
    whole = _read_period(text, weekday.end(), today) if weekday is not None else None
    if weekday is not None and whole is not None:
        nth = -1 if weekday["nth"].lower() == "last" else ordinal_number(weekday["nth"])
        return nth_weekday(whole[0], weekday_number(weekday["weekday"]), nth), whole[1]
    phase = _PHASE.match(text, position)
    whole = _read_period(text, phase.end(), today) if phase is not None else None
    if phase is None or whole is None:
        return None
    return _phase(whole[0], _PHASES[(phase["phase"] or phase["prefix"]).lower()]), whole[1]


def _read_period(text: str, position: int, today: date) -> tuple[Days, int] | None:
    """A month, a quarter or a year, settled."""
    best: Found | None = None
    year = _BARE_YEAR.match(text, position)
    if year is not None:
        best = whole_year(year_number(year[0]), absolute=True), year.end()
    unit = _BARE_UNIT.match(text, position)
    if unit is not None:
        best = period(today, unit_of(unit[0])), unit.end()
    named = match_date(text, position, today, sure=True)
    if named is not None and (best is None or named[1] > best[1]):
        best = named
    if best is None:
        return None
    whole = settled(best[0], today) if isinstance(best[0], Partial) else best[0]
    return (whole, best[1]) if whole is not None and whole.precision in ("year", "month", "week") else None


def _which(match: re.Match[str], whole: Days) -> Days | None:
    if match["way"]:
        count = round(count_number(match["count"]))
        return within(whole, unit_of(match["units"]), 0 if match["way"].lower() == "first" else -count, count)
    nth = match["nth"].lower()
    if unit_of(match["unit"]) == "day" and nth not in ("first", "last"):
        return None
    return within(whole, unit_of(match["unit"]), -1 if nth == "last" else ordinal_number(nth) - 1)


def _phase(whole: Days, third: int) -> Days:
    """Beginning, middle or end of a period, with the point a range takes from it."""
    length = (whole.ends - whole.begins).days
    point = (None, whole.begins + timedelta(days=length // 2), whole.ends)[third]
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
