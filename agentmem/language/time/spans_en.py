"""Reads English spans of time: two clock times, a length with its beginning, a length from now."""

from datetime import datetime, timedelta

from agentmem import patterns as re
from agentmem.language.time.clocks_en import read_clock
from agentmem.language.time.dates import Days, Partial, period, shifted
from agentmem.language.time.moments import ClockTime, Expression, Instant, Moment, Relation, names_one_day
from agentmem.language.time.moments_en import clock_with_date, read_moment, within_part
from agentmem.language.time.periods_en import settled_date
from agentmem.language.time.vocabulary_en import CLOCK_UNIT, COUNT, DAY, MONTH, count_number, ordinal_number, unit_of

_I = re.IGNORECASE
_NUMBER = r"(?P<hour>2[0-4](?!\d)|1\d(?!\d)|0\d|\d(?!\d))(?P<minute>(?<=0\d)[0-5]\d)?"
_FIRST_HOUR = re.compile(rf"{_NUMBER}(?!\d)(?=\s?(?:-|–|to\s|and\s|until\s|till\s)\s?\d)", _I)
_LAST_HOUR = re.compile(rf"{_NUMBER}(?![\d:/]|\s?[ap]\.?m|st|nd|rd|th)", _I)
_TO = re.compile(r"\s?(?:-|–|to|and|until|till)\s?", _I)
_SAYS_CLOCK = re.compile(r":|\d\s?[ap]\.?m?\b|clock|noon|midnight|past|morning|afternoon|evening|night|0\d{3}", _I)
_LEAD = re.compile(r"(?:from|between)\s", _I)
_TIME_RANGE = re.compile(
    r"\s?,?\s?(?:(?:from|between)\s)?(?=\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)", _I
)
_OPEN_TIME = re.compile(
    r"\s(?P<lead>before|by|until|no\slater\sthan|later\sthan|after|from|since)\s(?:about\s|around\s)?", _I
)
_OPEN: dict[str, Relation] = {
    "before": "before", "by": "before", "until": "before", "no later than": "before", "later than": "after",
    "after": "after", "from": "since", "since": "since",
}  # fmt: skip
_COUNTED = re.compile(
    rf"(?:(?P<lead>in|within(?:\sthe\snext)?)\s)?(?:(?P<half>half\san?\s)|(?P<count>{COUNT})\s?)(?P<unit>{CLOCK_UNIT})"
    r"(?P<and>\sand\sa\shalf)?(?:\s(?P<way>ago|later|earlier|from\snow))?",
    _I,
)
_MIXED = re.compile(
    rf"(?:(?P<lead>in|within)\s)?(?:(?:the\s)?next\s)?(?:(?P<count>{COUNT})\s)?(?P<unit>days?|weeks?|months?|years?)"
    rf"(?:,?\sand\s|,\s|\s)(?P<more>{COUNT})\s?(?P<more_unit>{CLOCK_UNIT})(?:\s(?P<way>ago|later|earlier|from\snow))?",
    _I,
)
_DAYS_BEFORE_HOURS = re.compile(r"(?:days?|weeks?|months?|years?)(?:,?\sand\s|,?\s)", _I)
_MIXED_OPENING = 40
"""Characters in which the days of such a length must be named."""
_FOR_HOURS = re.compile(rf"\sfor\s(?P<count>{COUNT})\s?(?P<unit>{CLOCK_UNIT})", _I)
_HOURS_FROM = re.compile(rf"(?:for\s)?(?P<count>{COUNT})\s?(?P<unit>{CLOCK_UNIT})\sfrom\s", _I)
_FOR_HOURS_FROM = re.compile(rf",?\sfor\s(?P<count>{COUNT})\s?(?P<unit>{CLOCK_UNIT})\s(?:from|starting\sat)\s", _I)
_DAYS_FROM = re.compile(
    rf"(?:for\s(?P<for_count>{COUNT})\s(?P<for_unit>days?|weeks?|months?),?\sfrom\s"
    rf"|(?P<count>{COUNT})\s(?P<unit>days?|weeks?|months?),?\s(?:starting|beginning|commencing)\s(?:on\s|from\s)?)",
    _I,
)
_STRETCH = re.compile(
    rf"(?:(?:in|within|over|during|for)\s)?(?:the\s)?(?P<step>next|last|past|previous|coming|upcoming)\s(?:(?P<count>{COUNT})\s)?"
    rf"(?P<unit>{CLOCK_UNIT})",
    _I,
)
_DAYS_OF_MONTH = re.compile(
    rf"(?P<day>(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?)\s?(?:-|–|to|until|till|through)\s?(?={DAY}\s(?:of\s)?{MONTH})",
    _I,
)
_WEEK_OF = re.compile(
    r"(?:(?:the\s)?(?P<weekend>weekend\sof\s)|the\sweek\s(?:(?:starting|beginning|commencing)\s(?:on\s)?|of\s)|w/c\s)",
    _I,
)


def read_span(text: str, position: int, now: datetime) -> Expression | None:
    """A length and where it begins: `3 days starting next Monday`, `for 2 hours from 2pm`, `the week of Feb 4`."""
    hours = _HOURS_FROM.match(text, position)
    if hours is not None:
        first = read_moment(text, hours.end(), now, like=True, dated=True)
        if first is not None and first.clock is not None:
            return _lasting(position, first.end, first, first.clock, hours)
    days = _DAYS_OF_MONTH.match(text, position)
    last = read_moment(text, days.end(), now) if days is not None else None
    if days is not None and last is not None:
        return Expression(
            position, last.end, "range", Moment(days.end(), Partial(day=ordinal_number(days["day"]))), last
        )
    length = _DAYS_FROM.match(text, position)
    match = length or _WEEK_OF.match(text, position)
    found = settled_date(text, match.end(), now) if match is not None else None
    if match is None or found is None or found[0].precision != "day":
        return None
    begins = found[0].begins
    if length is None:
        return Expression(
            position,
            found[1],
            "at",
            Moment(found[1], period(begins, "weekend" if match["weekend"] else "week"), note=found[1]),
        )
    count, unit = length["for_count"] or length["count"], length["for_unit"] or length["unit"]
    stretch = Days(begins, shifted(begins, round(count_number(count)), unit_of(unit)), "day")
    return Expression(position, found[1], "at", Moment(found[1], stretch, note=found[1]))


def read_counted(text: str, position: int, now: datetime) -> Expression | None:
    """Hours and minutes from now: in five minutes, half an hour ago, within the next two hours."""
    stretch = _STRETCH.match(text, position)
    if stretch is not None:
        length = timedelta(seconds=count_number(stretch["count"] or "1") * _seconds(stretch["unit"]))
        past = stretch["step"].lower() in ("last", "past", "previous")
        span = Instant(now - length, now, "minute") if past else Instant(now, now + length, "minute")
        return Expression(position, stretch.end(), "at", Moment(stretch.end(), None, None, span))
    mixed = _read_mixed(text, position, now)
    if mixed is not None:
        return mixed
    match = _COUNTED.match(text, position)
    if match is None or not (match["lead"] or match["way"]):
        return None
    count = 0.5 if match["half"] else count_number(match["count"]) + (0.5 if match["and"] else 0)
    length = timedelta(seconds=count * _seconds(match["unit"]))
    if (match["lead"] or "").lower().startswith("within"):
        span = Instant(now, now + length, "minute")
    else:
        at = now - length if (match["way"] or "").lower() in ("ago", "earlier") else now + length
        span = Instant(at, at + timedelta(minutes=1), "minute")
    return Expression(position, match.end(), "at", Moment(match.end(), None, None, span))


def _read_mixed(text: str, position: int, now: datetime) -> Expression | None:
    """Days with hours, from now: in 2 days and 3 hours, 1 day 5 hours ago, within the next day and 5 hours."""
    if _DAYS_BEFORE_HOURS.search(text[position : position + _MIXED_OPENING]) is None:
        return None
    match = _MIXED.match(text, position)
    if match is None or not (match["lead"] or match["way"]):
        return None
    sign = -1 if (match["way"] or "").lower() in ("ago", "earlier") else 1
    day = shifted(now.date(), sign * round(count_number(match["count"] or "1")), unit_of(match["unit"]))
    length = timedelta(seconds=count_number(match["more"]) * _seconds(match["more_unit"]))
    at = datetime.combine(day, now.timetz()) + sign * length
    within = (match["lead"] or "").lower().startswith("within")
    span = Instant(now, at, "minute") if within else Instant(at, at + timedelta(minutes=1), "minute")
    return Expression(position, match.end(), "at", Moment(match.end(), None, None, span))


def read_clock_range(text: str, position: int, now: datetime) -> Expression | None:
    """Two times of day and perhaps the date they share: `5 to 6pm`, `between 7 and 9 last night`."""
    lead = _LEAD.match(text, position)
    clocks = _two_clocks(text, lead.end() if lead is not None else position)
    if clocks is None:
        return None
    (one, one_end), (other, end) = clocks
    closing = clock_with_date(text, (other, end), now)
    certain = _SAYS_CLOCK.search(text, position, end) is not None
    if not certain and (lead is None or closing.days is None):
        return None
    first = Moment(one_end, closing.days, one, None, closing.note)
    return Expression(position, closing.end, "range", first, Moment(closing.end, None, closing.clock))


def read_times_of_day(text: str, start: int, first: Moment) -> Expression | None:
    """What a moment goes on with: tomorrow `from 7:00 to 8:00pm`, Monday `8-9am`, Friday `before 5pm`, 9am
    `for 2 hours`.
    """
    lasting = read_lasting(text, start, first)
    if lasting is not None:
        return lasting
    timed = first.clock is not None and first.clock.precision != "part"
    if first.days is None or timed or not names_one_day(first.days):
        return None
    hours = _FOR_HOURS_FROM.match(text, first.end)
    begun = read_clock(text, hours.end(), dated=True, like=True) if hours is not None else None
    if hours is not None and begun is not None:
        return _lasting(start, begun[1], Moment(begun[1], first.days, begun[0], None, first.note), begun[0], hours)
    gap = _TIME_RANGE.match(text, first.end)
    clocks = _two_clocks(text, gap.end()) if gap is not None else None
    if clocks is not None:
        (one, _), (other, end) = clocks
        held = Moment(first.end, first.days, within_part(one, first.clock), None, first.note)
        return Expression(start, end, "range", held, Moment(end, None, within_part(other, first.clock)))
    lead = _OPEN_TIME.match(text, first.end)
    clock = read_clock(text, lead.end(), dated=True) if lead is not None else None
    if lead is None or clock is None:
        return None
    relation = _OPEN[" ".join(lead["lead"].lower().split())]
    return Expression(start, clock[1], relation, Moment(clock[1], first.days, clock[0], None, first.note))


def read_lasting(text: str, start: int, first: Moment) -> Expression | None:
    """A clock time with a length behind it: from 2pm `for 2 hours`."""
    lasting = _FOR_HOURS.match(text, first.end)
    if lasting is None or first.clock is None:
        return None
    return _lasting(start, lasting.end(), first, first.clock, lasting)


def _two_clocks(text: str, position: int) -> tuple[tuple[ClockTime, int], tuple[ClockTime, int]] | None:
    """Two clock times, of which either may be a bare number: `8-9am`, `7 to 8:30`, `0730-0930`."""
    one = _longer(read_clock(text, position, dated=True), _FIRST_HOUR.match(text, position))
    to = _TO.match(text, one[1]) if one is not None else None
    if one is None or to is None:
        return None
    other = _longer(read_clock(text, to.end(), dated=True, like=True), _LAST_HOUR.match(text, to.end()))
    if other is None or "part" in (one[0].precision, other[0].precision):
        return None
    return one, other


def _longer(clock: tuple[ClockTime, int] | None, bare: re.Match | None) -> tuple[ClockTime, int] | None:
    """The clock time, unless the bare number beside it reads more of the text."""
    if bare is None or (clock is not None and clock[1] > bare.end()):
        return clock
    if clock is not None and clock[1] == bare.end() and bare["minute"] is None:
        return clock
    seconds = int(bare["hour"]) * 3600 + int(bare["minute"] or 0) * 60
    return ClockTime(seconds, seconds + 3600, "hour", int(bare["hour"]) > 12), bare.end()


def _lasting(start: int, end: int, first: Moment, clock: ClockTime, match: re.Match) -> Expression:
    length = round(count_number(match["count"]) * _seconds(match["unit"]))
    until = ClockTime(clock.begins + length, clock.begins + length + 60, "minute", fixed=True)
    return Expression(start, end, "range", first, Moment(end, None, until))


def _seconds(unit: str) -> int:
    return {"h": 3600, "m": 60}.get(unit[0].lower(), 1)
