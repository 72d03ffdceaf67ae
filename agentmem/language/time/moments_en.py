"""Reads one side of an English time expression: a date, a time of day, or both in either order."""

from datetime import datetime, timedelta

from agentmem import patterns as re
from agentmem.language.time.clocks_en import read_clock
from agentmem.language.time.dates import Days, Partial, one_day, period
from agentmem.language.time.moments import ClockTime, Instant, Moment, names_one_day, read_note
from agentmem.language.time.periods_en import read_anchored, read_date
from agentmem.language.time.vocabulary_en import (
    DAY,
    ORDINAL,
    YEAR,
    ordinal_number,
    year_number,
)

_I = re.IGNORECASE
_HOUR = 3600
GAP = re.compile(
    r"T(?=\d\d:\d\d)|\s?,?\s?(?:(?:@|-(?=\d{1,2}(?::|\s?[ap]\.?m))|(?:at|around|about|for|on|in|by)(?=\s))\s?)?"
    r"(?:about\s|around\s)?",
    _I,
)
_OF_DATE = re.compile(r"(?:,?\s|,)(?:(?:on|of|in|at)\s)?", _I)
_THE = re.compile(r"the\s", _I)
_WEAK = re.compile(r"(?:the|that|same)\s(?:week(?:end)?|month|year|fortnight)\Z", _I)
_DAY_OF_RANGE = re.compile(
    rf"(?:the\s)?(?P<day>{ORDINAL}|{DAY})(?:\s(?:of\s|in\s)?(?P<step>this|next|last)\smonth)?", _I
)
_YEAR = re.compile(rf"(?P<equals>=)?(?P<year>{YEAR})(?![-/.:]\d|[a-z])", _I)
_ASKS_YEAR = re.compile(
    r"(?:\b(?:in|since|from|before|after|by|until|till|during|of|to|and|between|through|around|circa|than|year|year\sis|or)"
    r"|[=<>])\s?\Z",
    _I,
)
_NOT_A_YEAR = re.compile(
    r"\s?(?:[%$€£¥+]|(?:people|items?|users?|dollars?|units?|seats?|times|points?|students?|km|miles|words|or\smore)\b)",
    _I,
)
_YEAR_RANGE = re.compile(rf"(?P<year>{YEAR})(?=\s?(?:[-~–]|to\s|through\s|until\s)\s?(?:19|20|21)\d\d(?!\d|[-/]))", _I)
_NOW = re.compile(r"(?<!just\s)(?:right\s)?now(?![a-z])|at\s(?:the|this)\s(?:present\stime|moment|minute)", _I)
_TO_DATE = re.compile(r"date(?![a-z-]|\s\d)", _I)
_END_OF_DAY = re.compile(r"(?:the\s)?end\sof\s(?:the\s)?(?P<day>today|tomorrow|day)(?![a-z])|eod(?![a-z])", _I)
_LATER_TODAY = re.compile(r"later\s(?:in\s)?today", _I)
_TONIGHT = re.compile(r"tonight(?![a-z])", _I)
_PART_OF_DAY = re.compile(
    r"(?:(?P<phase>late|early|later)\s(?:in\s)?)?(?P<which>this|last|next|yesterday|tomorrow|today)\s"
    r"(?P<early>early\s|late\s)?(?P<part>morning|afternoon|evening|night)(?![a-z])",
    _I,
)
_PARTS = {"morning": (8, 12), "afternoon": (12, 16), "evening": (16, 20), "night": (20, 24)}
_NEAR_DAYS = {"last": -1, "yesterday": -1, "next": 1, "tomorrow": 1}


def read_moment(text: str, position: int, now: datetime, *, like: bool = False, dated: bool = False) -> Moment | None:
    """The moment that begins here. `like`: it continues a range, so a bare number may be a year or a day;
    `dated`: the range is one of clock times, so it may be an hour.
    """
    instant = _read_now(text, position, now, like)
    if instant is not None:
        return instant
    part = read_part_of_day(text, position, now)
    found = _read_days(text, position, now, like)
    if part is not None and (found is None or found[1] <= part.note):
        return _with_clock(text, part)
    clock = read_clock(text, position, dated=dated, like=like and dated)
    if clock is not None and (found is None or clock[1] > found[1]):
        return clock_with_date(text, clock, now)
    if found is None:
        return _day_of_range(text, position, now) if like else None
    days, end = read_note(text, found[1]) or found
    weak = _WEAK.match(text[position:end]) is not None  # found, but not worth a note: "partner of the week"
    return _with_clock(text, Moment(end, days, note=0 if weak else end))


def _day_of_range(text: str, position: int, now: datetime) -> Moment | None:
    """A bare number as a day of the month, for the side of a range that leaves the month to the other."""
    match = _DAY_OF_RANGE.match(text, position)
    if match is None:
        return None
    day = ordinal_number(match["day"])
    if match["step"] is None:
        return Moment(match.end(), Partial(day=day), note=match.end())
    month = period(now.date(), "month", {"this": 0, "next": 1, "last": -1}[match["step"].lower()])
    return Moment(match.end(), one_day(month.begins.replace(day=day)), note=match.end())


def read_after_article(
    text: str, position: int, now: datetime, *, like: bool = False, dated: bool = False
) -> Moment | None:
    """A moment whose article is not part of it: since `the` end of May."""
    found = read_moment(text, position, now, like=like, dated=dated)
    article = _THE.match(text, position)
    bare = read_moment(text, article.end(), now, like=like, dated=dated) if article is not None else None
    return bare if bare is not None and (found is None or bare.end > found.end) else found


def clock_with_date(text: str, clock: tuple[ClockTime, int], now: datetime) -> Moment:
    """A time of day with the date that follows it, if one does: `6pm tomorrow`."""
    alone = Moment(clock[1], None, clock[0])
    gap = _OF_DATE.match(text, clock[1])
    if gap is None:
        return alone
    part = read_part_of_day(text, gap.end(), now)
    if part is not None:
        return Moment(part.end, part.days, within_part(clock[0], part.clock), None, part.note)
    found = read_date(text, gap.end(), now.date())
    if found is None or not names_one_day(found[0]):
        return alone
    return Moment(found[1], found[0], clock[0], None, found[1])


def within_part(clock: ClockTime, part: ClockTime | None) -> ClockTime:
    """The hour in the part of the day it was said with: `tonight at 7` is in the evening."""
    half = 12 * _HOUR
    if part is None or clock.fixed or part.begins < half or clock.begins >= half:
        return clock
    return ClockTime(clock.begins + half, clock.ends + half, clock.precision)


def read_part_of_day(text: str, position: int, now: datetime) -> Moment | None:
    """`tonight`, `last night`, `this morning`, `yesterday evening`: a day and a part of it."""
    later = _LATER_TODAY.match(text, position)
    if later is not None:
        return Moment(later.end(), one_day(now.date()), ClockTime(12 * _HOUR, 24 * _HOUR, "part"), None, later.end())
    tonight = _TONIGHT.match(text, position)
    if tonight is not None:
        days, end = read_note(text, tonight.end()) or (one_day(now.date()), tonight.end())
        return Moment(end, days, ClockTime(20 * _HOUR, 24 * _HOUR, "part"), None, end)
    match = _PART_OF_DAY.match(text, position)
    if match is None:
        return None
    which = match["which"].lower()
    day = now.date() + timedelta(days=_NEAR_DAYS.get(which, 0))
    note = match.end("which") if which in ("yesterday", "tomorrow", "today") else match.end()
    return Moment(match.end(), one_day(day), _part_clock(match), None, note)


def _part_clock(match: re.Match) -> ClockTime:
    begins, ends = (hour * _HOUR for hour in _PARTS[match["part"].lower()])
    if match["part"].lower() == "night":
        ends -= 1
    phase = (match["phase"] or match["early"] or "").lower().strip()
    if phase == "early":
        ends = begins + 2 * _HOUR
    elif phase:
        begins += 2 * _HOUR
    return ClockTime(begins, ends, "part")


def _with_clock(text: str, moment: Moment) -> Moment:
    """The moment with the time of day that follows its date."""
    if moment.days is None or not names_one_day(moment.days):
        return moment
    gap = GAP.match(text, moment.end)
    if gap is None or gap.end() == moment.end:
        return moment
    in_part = read_clock(text, moment.end + 1, dated=False) if text.startswith(" in ", moment.end) else None
    clock = in_part or read_clock(text, gap.end(), dated=True, like=gap[0].strip(" ,") not in ("", "in", "for"))
    if clock is None:
        return moment
    if clock[0].precision == "part":
        after = GAP.match(text, clock[1])
        inner = read_clock(text, after.end(), dated=True) if after is not None and after.end() > clock[1] else None
        if inner is not None and inner[0].precision != "part":
            return Moment(inner[1], moment.days, within_part(inner[0], clock[0]), None, moment.note)
    return Moment(clock[1], moment.days, within_part(clock[0], moment.clock), None, moment.note)


def _read_days(text: str, position: int, now: datetime, like: bool) -> tuple[Days | Partial, int] | None:
    """A date, a date counted from another one, or a year that its neighbours make one."""
    anchored = read_anchored(text, position, now)
    if anchored is not None:
        return anchored
    found = read_date(text, position, now.date(), sure=like and text[position : position + 1].isupper())
    year = _YEAR_RANGE.match(text, position) or _asked_year(text, position, like)
    if year is not None and (found is None or found[1] <= year.end()):
        return Partial(year=year_number(year["year"])), year.end()
    return found


def _asked_year(text: str, position: int, like: bool) -> re.Match | None:
    """Four figures that the words around them make a year."""
    year = _YEAR.match(text, position)
    if year is None or _NOT_A_YEAR.match(text, year.end()) is not None:
        return None
    asked = like or year["equals"] or _ASKS_YEAR.search(text[max(0, position - 9) : position])
    return year if asked else None


def _read_now(text: str, position: int, now: datetime, like: bool) -> Moment | None:
    match = _NOW.match(text, position) or (_TO_DATE.match(text, position) if like else None)
    if match is not None:
        return Moment(match.end(), None, None, Instant(now, now + timedelta(seconds=1), "second"))
    end = _END_OF_DAY.match(text, position)
    if end is None:
        return None
    day = now + timedelta(days=(end["day"] or "").lower() == "tomorrow")
    last = day.replace(hour=23, minute=59, second=59, microsecond=0)
    return Moment(end.end(), None, None, Instant(last, last + timedelta(seconds=1), "second"))
