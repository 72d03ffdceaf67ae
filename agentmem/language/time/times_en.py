"""Reads English time expressions: a moment, a range of two, an open end, a recurrence (every Monday at 7)."""

from datetime import datetime

from agentmem import patterns as re
from agentmem.language.time.clocks_en import read_clock
from agentmem.language.time.dates import Days, Partial, Recurrence, one_day, recurrence
from agentmem.language.time.moments import Expression, Moment, Relation, is_noted_range
from agentmem.language.time.moments_en import GAP, read_after_article, read_moment
from agentmem.language.time.periods_en import read_bounded
from agentmem.language.time.seasons import read_bare_season
from agentmem.language.time.spans_en import read_clock_range, read_counted, read_lasting, read_span, read_times_of_day
from agentmem.language.time.vocabulary_en import (
    CLOCK_UNIT,
    COUNT,
    MONTH,
    NUMBER_WORD,
    ORDINAL,
    UNIT,
    WEEKDAY,
    ordinal_number,
    weekday_number,
)

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


# Every expression begins with one of these; most words of a text do not, and are passed over at once.
_STARTS = re.compile(
    r"[\d=<>@]|(?:"
    r"an?|about|after|afternoons?|annually|any|anytime|approximately|around|as|at|before|beginning|between|biweekly|by|calendar"
    r"|christmas|circa|coming|couple|current|cy|daily|date|day|daytime|dinner[a-z]*|during|each|earl[a-z]*|earth|eighteen[a-z]*|eod|eo[my]"
    r"|easter|end|evenings?|ever|every[a-z]*|fewer|following|for|from|greater|half|halloween|independence|in|last|late|later|less|lunch[a-z]*"
    r"|mid[a-z]*|middle|monthly|more|mornings?|next|nights?|nighttime|nightly|no|noon[a-z]*|not|now|on|once|over|past|previous|prior"
    r"|quarter[a-z]*|remain[a-z]*|rest|right|saint|same|since|start[a-z]*|st|thanksgiving|that|the|this|till|to|today|tom[a-z]*|tmrw?|tonight"
    r"|twice|until|up|upcoming|valentine[a-z]*|w|weekdays|weekends?|weekly|week|within|year|yearly|yesterday|hundred|thousand"
    r"|new|q[1-4]|h[1-2]|spring|summer|autumn|fall|winter"
    rf"|{MONTH}|{WEEKDAY}|[a-z]{{3,6}}days|{NUMBER_WORD}|{ORDINAL}|[a-z]{{3,6}}ties"
    r")(?![a-z])",
    _I,
)
_TO = re.compile(r"\s?(?:-|–|—|~|to|until|till|through|thru)\s?", _I)
_AND = re.compile(r"\s(?:and|to|through|-|~)\s|\s?[-~–]\s?", _I)
_ORDINAL = re.compile(rf"\b{ORDINAL}", _I)
_TENS = re.compile(r"(?:twenty|thirty)-\Z", _I)
_FROM = re.compile(r"from\s", _I)
_BETWEEN = re.compile(r"between\s", _I)
_ABOUT = re.compile(r"(?:around|about|circa|approximately)\s(?=the\s\d|dinner|lunch|breakfast)", _I)
_TO_DATE = re.compile(r"(?<!up\s)to\sdate(?=\s*(?:[.,;!?]|\Z))", _I)
_LEADS: tuple[tuple[re.Pattern, Relation], ...] = (
    (re.compile(r"(?:no\slater\sthan|as\slate\sas|not\slater\sthan)\s", _I), "until"),
    (re.compile(
        r"(?:before|prior\sto|earlier\sthan|less\sthan(?=\s\d{4})|more\sthan(?=\s\S+\s\w+\sbefore))\s"
        r"(?:about\s|around\s|the\s(?=year))?", _I), "before"),
    (re.compile(r"(?:until|till|up\sto|by)\s(?:the\s(?=year))?", _I), "until"),
    (re.compile(r"(?:after|later\sthan|greater\sthan|more\sthan(?=\s\d{4}))\s(?:the\s(?=year))?", _I), "after"),
    (re.compile(
        r"(?:ever\s)?since\s(?:the\s(?=year))?|any\s?time\sfrom\s|as\searly\sas\s|starting\s(?:on\s|from\s|in\s)?"
        r"|>\s?=\s?", _I), "since"),
)  # fmt: skip
_TAILS: tuple[tuple[re.Pattern, Relation], ...] = (
    (re.compile(r"\s(?:or|and)\s(?:later|after|beyond)(?![a-z])|\sonwards?(?![a-z])", _I), "since"),
    (re.compile(r"\s(?:or|and)\s(?:earlier|before)(?![a-z])", _I), "until"),
)


_COUNT_ZH = re.compile(r"\d{1,3}[\u4e00-\u9fff]")
"""A number that counts something Chinese: no English expression begins so."""


def read_expression(text: str, position: int, now: datetime) -> Expression | None:
    """The longest expression that begins at this position, which must begin a word."""
    if not _begins_word(text, position) or _STARTS.match(text, position) is None or _COUNT_ZH.match(text, position):
        return None
    options = (
        read_every(text, position, now),
        read_counted(text, position, now),
        _read_led(text, position, now),
        read_bounded(text, position, now),
        read_span(text, position, now),
        read_clock_range(text, position, now),
        _read_plain(text, position, position, now),
    )
    return max((o for o in options if o is not None), key=lambda o: o.end, default=None)


def _begins_word(text: str, position: int) -> bool:
    """Not inside a word, a code, a price, a telephone number."""
    if position == 0:
        return True
    before, ch = text[position - 1], text[position]
    if before == "-" and _TENS.search(text, max(0, position - 8), position):
        return False
    if before.isascii() and before.isalnum():
        return False
    if ch.isdecimal() and before in ".:$€£¥#+":
        return before == ":" and text[max(0, position - 2) : position - 1].isalpha()
    return not (before == "-" and ch.isdecimal() and text[max(0, position - 2) : position - 1].isdecimal())


def _read_led(text: str, position: int, now: datetime) -> Expression | None:
    """An expression after `before`, `since`, `from`, `between`, `around`."""
    about = _ABOUT.match(text, position)
    if about is not None:
        return _read_plain(text, position, about.end(), now)
    so_far = _TO_DATE.match(text, position)
    if so_far is not None:
        return Expression(position, so_far.end(), "before", Moment(so_far.end(), one_day(now.date())))
    for pattern, joiner in ((_BETWEEN, _AND), (_FROM, _TO)):
        lead = pattern.match(text, position)
        first = read_after_article(text, lead.end(), now, like=True) if lead is not None else None
        if first is not None:
            ranged = _read_range(text, position, first, now, joiner) or read_lasting(text, position, first)
            if ranged is not None:
                return ranged
        hour = read_clock(text, lead.end(), dated=True, like=True) if lead is not None else None
        if hour is not None:
            return read_lasting(text, position, Moment(hour[1], None, hour[0]))
    for pattern, relation in _LEADS:
        lead = pattern.match(text, position)
        first = read_after_article(text, lead.end(), now) if lead is not None else None
        if first is not None:
            return Expression(position, first.end, relation, first)
    return None


def _read_plain(text: str, start: int, position: int, now: datetime) -> Expression | None:
    first = read_moment(text, position, now)
    if first is None:
        return None
    longer = (
        read_every_behind(text, start, first)
        or _read_range(text, start, first, now, _TO)
        or read_times_of_day(text, start, first)
    )
    if longer is not None:
        return longer
    for pattern, relation in _TAILS:
        tail = pattern.match(text, first.end)
        if tail is not None:
            return Expression(start, tail.end(), relation, first)
    return Expression(start, first.end, "at", first)


def _read_range(text: str, start: int, first: Moment, now: datetime, joiner: re.Pattern) -> Expression | None:
    """The expression of two moments of a kind, if a second one follows."""
    to = joiner.match(text, first.end)
    last = read_after_article(text, to.end(), now, like=True, dated=first.clock is not None) if to is not None else None
    if last is None or (first.clock is not None and last.clock is None and last.instant is None):
        return None
    if isinstance(last.days, Days) and last.days.absolute and is_noted_range(text, last):
        return Expression(start, last.end, "at", last)
    if first.clock is None and first.instant is None and last.days is None and last.instant is None:
        return None
    if (
        _is_bare_day(first)
        and (_is_bare_day(last) or last.clock is not None)
        and not _ORDINAL.search(text[start : last.end])
    ):
        return None  # from 9 to 5 are no days
    return Expression(start, last.end, "range", first, last)


def _is_bare_day(moment: Moment) -> bool:
    return isinstance(moment.days, Partial) and moment.clock is None and moment.days == Partial(day=moment.days.day)
