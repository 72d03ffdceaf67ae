"""Reads English recurrences: every Monday at 7, each July 2nd, every year in May, on weekends, twice a week."""

from datetime import datetime

from agentmem import patterns as re
from agentmem.language.clocks_en import read_clock
from agentmem.language.dates import Partial
from agentmem.language.lexicon_en import (
    CLOCK_UNIT,
    COUNT,
    MONTH,
    ORDINAL,
    UNIT,
    WEEKDAY,
    ordinal_number,
    weekday_number,
)
from agentmem.language.moments import Expression, Moment
from agentmem.language.moments_en import GAP, read_after_article, read_moment
from agentmem.language.recurrences import Recurrence, recurrence
from agentmem.language.seasons import read_bare_season

_I = re.IGNORECASE
_EACH = re.compile(
    rf"(?:every|each)\s(?:(?:other|single|second|(?:{COUNT}))\s)?(?P<what>{WEEKDAY}|{UNIT}|{CLOCK_UNIT}"
    r"|morning|afternoon|evening|night)(?![a-z])",
    _I,
)
_MORE_DAYS = re.compile(rf"(?:\s?,\s(?:and\s)?|\s(?:and|or)\s)(?P<what>{WEEKDAY})", _I)
_EACH_DATE = re.compile(
    rf"(?:every|each)\s(?=(?:the\s)?(?:{MONTH}|{ORDINAL}|christmas|easter|new\syear|halloween|spring|summer|autumn|fall|winter))",
    _I,
)
_PLURAL = re.compile(
    r"everyday|(?:on\s)?(?P<what>(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends)|(?<!the\s)(?P<working>weekdays)"
    r"|(?:daily|nightly|weekly|biweekly|monthly|quarterly|yearly|annually)(?![a-z])"
    rf"|(?:once|twice|(?:{COUNT})\stimes)\s(?:a|an|per|each|every)\s(?:day|week|month|year|hour)",
    _I,
)
_OF_EACH = re.compile(
    rf"(?:the\s)?(?P<nth>{ORDINAL})\s(?:day|(?P<weekday>{WEEKDAY}))?\s?of\s(?:every|each)\smonth(?![a-z])",
    _I,
)
_BEHIND = re.compile(r",?\s(?:of\s)?(?:every|each)\s(?:single\s)?(?:year|month|week)(?![a-z])", _I)


def read_every(text: str, position: int, now: datetime) -> Expression | None:
    """The recurrence that begins here, with the date or the time of day that follows it."""
    dated = _read_each_date(text, position, now) or _read_of_each(text, position)
    if dated is not None:
        return dated
    every = _EACH.match(text, position) or _PLURAL.match(text, position)
    if every is None:
        return None
    what = (every["what"] or "").lower()
    weekdays, end = _weekdays(text, what or (every[0].lower() if every[0][0] in "wW" else ""), every.end())
    gap = GAP.match(text, end)
    rest = read_moment(text, gap.end(), now, dated=True) if gap is not None and gap.end() > end else None
    if rest is None or (rest.days is not None and not _recurs(rest)):
        rest = None
    part = (
        read_clock(text, every.start("what"), dated=True)
        if what in ("morning", "afternoon", "evening", "night")
        else None
    )
    clock = rest.clock if rest is not None and rest.clock is not None else part[0] if part is not None else None
    said = recurrence(
        rest.days if rest is not None else None,
        weekdays=weekdays,
        hours=(clock.begins, clock.ends) if clock is not None else None,
    )
    return Expression(position, rest.end if rest is not None else end, every=said)


def _read_of_each(text: str, position: int) -> Expression | None:
    """The 15th of every month, the second Tuesday of each month."""
    match = _OF_EACH.match(text, position)
    if match is None:
        return None
    nth = ordinal_number(match["nth"])
    if match["weekday"] is None:
        days, weekdays = frozenset({nth}), frozenset[int]()
    else:
        days, weekdays = frozenset(range(7 * nth - 6, 7 * nth + 1)), frozenset({weekday_number(match["weekday"])})
    return Expression(position, match.end(), every=Recurrence(days=days, weekdays=weekdays))


def read_every_behind(text: str, start: int, first: Moment) -> Expression | None:
    """A date with the recurrence behind it: July 2nd `every year`."""
    behind = _BEHIND.match(text, first.end)
    if behind is None or not _recurs(first):
        return None
    hours = (first.clock.begins, first.clock.ends) if first.clock is not None else None
    return Expression(start, behind.end(), every=recurrence(first.days, hours=hours))


def _read_each_date(text: str, position: int, now: datetime) -> Expression | None:
    """Every 2 July, each May, every summer."""
    lead = _EACH_DATE.match(text, position)
    if lead is None:
        return None
    season = read_bare_season(text, lead.end())
    first = Moment(season[1], season[0]) if season is not None else read_after_article(text, lead.end(), now)
    if first is None or not _recurs(first):
        return None
    hours = (first.clock.begins, first.clock.ends) if first.clock is not None else None
    return Expression(position, first.end, every=recurrence(first.days, hours=hours))


def _recurs(moment: Moment) -> bool:
    return isinstance(moment.days, Partial) and moment.days.year is None


def _weekdays(text: str, what: str, end: int) -> tuple[frozenset[int], int]:
    """The days of the week that recur, and where the last of them ends: every Monday `and Thursday`."""
    if what in ("weekdays", "weekday", "workday", "business day", "working day", "week day"):
        return frozenset(range(5)), end
    if what.startswith("weekend"):
        return frozenset((5, 6)), end
    if re.match(WEEKDAY.replace("(?![a-z])", "s?(?![a-z])"), what) is None:
        return frozenset(), end
    days = {weekday_number(what)}
    more = _MORE_DAYS.match(text, end)
    while more is not None:
        days.add(weekday_number(more["what"]))
        end = more.end()
        more = _MORE_DAYS.match(text, end)
    return frozenset(days), end
