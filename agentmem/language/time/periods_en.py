"""Reads an English date with what surrounds it: a part of a period, a weekday and the day it falls on, a date counted
from another one.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

from agentmem import patterns as re
from agentmem.language.time.dates import (
    Days,
    Partial,
    Precision,
    Unit,
    add_months,
    beside,
    half_of,
    nth_weekday,
    offset,
    on_weekday,
    one_day,
    period,
    settled,
    shifted,
    spans_years,
    third_of,
    whole_year,
    within,
)
from agentmem.language.time.dates_en import Calendar, Found, match_date, match_day
from agentmem.language.time.moments import Expression, Moment, names_one_day, read_note
from agentmem.language.time.seasons import read_season_en
from agentmem.language.time.vocabulary_en import (
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


_AWAY_FROM = re.compile(
    rf"(?P<count>{COUNT})\s(?P<unit>{UNIT})\s(?P<way>after|before|from|since|following|prior\sto)\s(?:the\s)?", _I
)
_NEXT_TO = re.compile(
    rf"(?:the|last)\s(?P<what>day|week(?:end)?|month|year|{WEEKDAY})\s(?P<way>before|after|following|preceding|prior\sto)\s(?:the\s)?",
    _I,
)
_BOUND = re.compile(
    rf"(?:in\s)?(?P<bound>less|fewer|more)\sthan\s(?P<count>{COUNT})\s(?P<unit>{UNIT})"
    r"(?:\s(?:(?P<now>ago|from\snow)(?![a-z])|(?P<way>after|before|from)\s(?:the\s)?))?",
    _I,
)


_UNITS: dict[str, Unit] = {"day": "day", "week": "week", "weekend": "weekend", "month": "month", "year": "year"}


def settled_date(text: str, position: int, now: datetime) -> tuple[Days, int] | None:
    """A date to count from."""
    found = read_date(text, position, now.date())
    if found is None:
        return None
    days = settled(found[0], now.date()) if isinstance(found[0], Partial) else found[0]
    return None if days is None else (days, found[1])


def read_anchored(text: str, position: int, now: datetime) -> tuple[Days | Partial, int] | None:
    """The date that is counted from another one."""
    away = _AWAY_FROM.match(text, position)
    base = settled_date(text, away.end(), now) if away is not None else None
    if away is not None and base is not None:
        count = round(count_number(away["count"])) * (-1 if _is_before(away["way"]) else 1)
        return on_weekday_behind(text, position, (offset(base[0].begins, count, unit_of(away["unit"])), base[1]))
    next_to = _NEXT_TO.match(text, position)
    base = settled_date(text, next_to.end(), now) if next_to is not None else None
    if next_to is None or base is None:
        return None
    what = next_to["what"].lower()
    unit = _UNITS.get(what)
    return beside(base[0], unit or weekday_number(what), -1 if _is_before(next_to["way"]) else 1), base[1]


def _is_before(way: str) -> bool:
    return way.lower().split()[0] in ("before", "preceding", "prior")


def read_bounded(text: str, position: int, now: datetime) -> Expression | None:
    """`less than 3 days after tomorrow` lasts from then, `more than two weeks ago` until then."""
    match = _BOUND.match(text, position)
    if match is None:
        return None
    base: tuple[Days, int] | None = (one_day(now.date()), match.end())
    if match["way"]:
        base = settled_date(text, match.end(), now)
    elif not match["now"] and not match[0].lower().startswith("in "):
        return None
    if base is None:
        return None
    back = (match["now"] or match["way"] or "").lower() in ("ago", "before")
    start, end = base[0].begins, base[1]
    far = shifted(start, round(count_number(match["count"])) * (-1 if back else 1), unit_of(match["unit"]))
    if match["bound"].lower() == "more":
        return Expression(position, end, "before" if back else "since", Moment(end, one_day(far), note=end))
    return Expression(position, end, "at", Moment(end, Days(min(start, far), max(start, far)), note=end))
