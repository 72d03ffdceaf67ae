"""Reads English time expressions: a date, a time of day, both, a range, an open end, a recurrence."""

import re
from datetime import datetime, timedelta

from agentmem.language.clocks_en import read_clock
from agentmem.language.dates import Days, Partial, offset, one_day, period, settled, shifted
from agentmem.language.dates_en import read_date
from agentmem.language.lexicon_en import (
    CLOCK_UNIT,
    COUNT,
    DAY,
    ORDINAL,
    UNIT,
    WEEKDAY,
    YEAR,
    count_number,
    ordinal_number,
    unit_of,
    year_number,
)
from agentmem.language.moments import Clock, Expression, Instant, Moment, Relation, is_noted_range, read_note

_I = re.IGNORECASE
_FIRST_LETTERS = frozenset("0123456789abcdefghijlmnopqrstuvwy=<>@")
_GAP = re.compile(r"\s?,?\s?(?:(?:@|-(?=\d{1,2}(?::|\s?[ap]\.?m))|(?:at|around|about|for|on|in|by)(?=\s))\s?)?(?:about\s|around\s)?", _I)
_OF_DATE = re.compile(r"(?:,?\s|,)(?:(?:on|of|in|at)\s)?", _I)
_TO = re.compile(r"\s?(?:-|–|—|~|to|until|till|through|thru)\s?", _I)
_AND = re.compile(r"\s(?:and|to|through|-|~)\s|\s?[-~–]\s?", _I)
_FROM = re.compile(r"from\s", _I)
_BETWEEN = re.compile(r"between\s", _I)
_ABOUT = re.compile(r"(?:around|about|circa|approximately)\s(?=the\s\d|dinner|lunch|breakfast)", _I)
_LEADS: tuple[tuple[re.Pattern[str], Relation], ...] = (
    (re.compile(r"(?:no\slater\sthan|as\slate\sas|not\slater\sthan)\s", _I), "until"),
    (re.compile(r"(?:before|prior\sto|earlier\sthan|less\sthan(?=\s\d{4})|more\sthan(?=\s\S+\s\w+\sbefore))\s(?:about\s|around\s|the\s(?=year))?", _I), "before"),
    (re.compile(r"(?:until|till|up\sto|by)\s(?:the\s(?=year))?", _I), "until"),
    (re.compile(r"(?:after|later\sthan|greater\sthan|more\sthan(?=\s\d{4}))\s(?:the\s(?=year))?", _I), "after"),
    (re.compile(r"(?:ever\s)?since\s(?:the\s(?=year))?|(?:any\s?time\s)from\s|as\searly\sas\s|starting\s(?:on\s|from\s|in\s)?|[>]\s?=\s?", _I), "since"),
)
_TAILS: tuple[tuple[re.Pattern[str], Relation], ...] = (
    (re.compile(r"\s(?:or|and)\s(?:later|after|beyond)(?![a-z])|\sonwards?(?![a-z])", _I), "since"),
    (re.compile(r"\s(?:or|and)\s(?:earlier|before)(?![a-z])", _I), "until"),
)
_YEAR = re.compile(rf"(?P<equals>=)?(?P<year>{YEAR})(?![-/.:]\d|[a-z])", _I)
_ASKS_YEAR = re.compile(
    r"(?:\b(?:in|since|from|before|after|by|until|till|during|of|to|and|between|through|around|circa|than|year|year\sis|or)|[=<>])\s?\Z", _I
)
_NOT_A_YEAR = re.compile(r"\s?(?:[%$€£¥+]|(?:people|items?|users?|dollars?|units?|seats?|times|points?|students?|km|miles|words|or\smore)\b)", _I)
_YEAR_RANGE = re.compile(rf"(?P<year>{YEAR})(?=\s?(?:[-~–]|to\s|through\s|until\s)\s?(?:19|20|21)\d\d(?!\d|[-/]))", _I)
_NOW = re.compile(r"(?:right\s)?now(?![a-z])|at\s(?:the|this)\s(?:present\stime|moment|minute)", _I)
_TO_DATE = re.compile(r"date(?![a-z-]|\s\d)", _I)
_THE = re.compile(r"the\s", _I)
_TONIGHT = re.compile(r"tonight(?![a-z])", _I)
_NIGHT = re.compile(
    r"(?:(?P<phase>late|early|later)\s(?:in\s)?)?(?P<which>this|last|next|yesterday|tomorrow|today)\s(?P<early>early\s|late\s)?"
    r"(?P<part>morning|afternoon|evening|night)(?![a-z])", _I)  # fmt: skip
_END_OF_DAY = re.compile(r"(?:the\s)?end\sof\s(?:the\s)?(?P<day>today|tomorrow|day)(?![a-z])|eod(?![a-z])", _I)
_LATER_TODAY = re.compile(r"later\s(?:in\s)?today", _I)
_COUNTED = re.compile(
    rf"(?:(?P<lead>in|within(?:\sthe\snext)?)\s)?(?:(?P<half>half\san?\s)|(?P<count>{COUNT})\s?)(?P<unit>{CLOCK_UNIT})"
    r"(?P<and>\sand\sa\shalf)?(?:\s(?P<way>ago|later|earlier|from\snow))?", _I)  # fmt: skip
_AWAY_FROM = re.compile(rf"(?P<count>{COUNT})\s(?P<unit>{UNIT})\s(?P<way>after|before|from|since|following)\s(?:the\s)?", _I)
_DAYS_FROM = re.compile(
    rf"(?:for\s(?P<for_count>{COUNT})\s(?P<for_unit>days?|weeks?|months?),?\sfrom\s"
    rf"|(?P<count>{COUNT})\s(?P<unit>days?|weeks?|months?),?\s(?:starting|beginning|commencing)\s(?:on\s|from\s)?)", _I)  # fmt: skip
_WEEK_OF = re.compile(r"(?:the\sweek\s(?:(?:starting|beginning|commencing)\s(?:on\s)?|of\s)|w/c\s)", _I)
_FOR_HOURS = re.compile(rf"\sfor\s(?P<count>{COUNT})\s?(?P<unit>{CLOCK_UNIT})", _I)
_HOURS_FROM = re.compile(rf"(?:for\s)?(?P<count>{COUNT})\s?(?P<unit>{CLOCK_UNIT})\sfrom\s", _I)
_EVERY = re.compile(
    rf"(?:every|each)\s(?:other\s|single\s|second\s|(?:{COUNT})\s)?(?:{WEEKDAY}|{UNIT}|{CLOCK_UNIT}|morning|afternoon|evening|night)(?![a-z])"
    rf"|everyday|(?:on\s)?(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:on\s)?weekends|(?<!the\s)weekdays"
    rf"|(?:daily|nightly|weekly|biweekly|monthly|quarterly|yearly|annually)(?![a-z])"
    rf"|(?:once|twice|(?:{COUNT})\stimes)\s(?:a|an|per|each|every)\s(?:day|week|month|year|hour)", _I)  # fmt: skip
_DAY_PARTS = {"morning": 8, "afternoon": 12, "evening": 16, "night": 20}


def read_expression(text: str, position: int, now: datetime) -> Expression | None:
    """The longest expression that begins at this position, which must begin a word."""
    if text[position].lower() not in _FIRST_LETTERS or not _begins_word(text, position):
        return None
    options = [
        _read_every(text, position, now),
        _read_counted(text, position, now),
        _read_led(text, position, now),
        _read_span(text, position, now),
        _read_clock_range(text, position, now),
        _read_plain(text, position, position, now),
    ]
    return max((o for o in options if o is not None), key=lambda o: o.end, default=None)


def _begins_word(text: str, position: int) -> bool:
    if position == 0:
        return True
    before, ch = text[position - 1], text[position]
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
    for pattern in (_BETWEEN, _FROM):
        lead = pattern.match(text, position)
        if lead is not None:
            found = _read_plain(text, position, lead.end(), now, led=True, joiner=_AND if pattern is _BETWEEN else _TO)
            return found if found is not None and found.last is not None else None
    for pattern, relation in _LEADS:
        lead = pattern.match(text, position)
        if lead is not None:
            first = _read_after_the(text, lead.end(), now)
            if first is not None:
                return Expression(position, first.end, relation, first)
    return None


def _read_plain(
    text: str, start: int, position: int, now: datetime, *, led: bool = False, joiner: re.Pattern[str] = _TO
) -> Expression | None:
    first = _read_after_the(text, position, now, like=True) if led else read_moment(text, position, now)
    if first is None:
        return None
    ranged = _read_range(text, start, first, now, joiner)
    if ranged is not None:
        return ranged
    inner = _read_inner_range(text, start, first, now)
    if inner is not None:
        return inner
    lasting = _FOR_HOURS.match(text, first.end)
    if lasting is not None and first.clock is not None:
        return _lasting(start, lasting.end(), first, first.clock, lasting)
    for pattern, relation in _TAILS:
        tail = pattern.match(text, first.end)
        if tail is not None:
            return Expression(start, tail.end(), relation, first)
    return Expression(start, first.end, "at", first)


def _read_range(text: str, start: int, first: Moment, now: datetime, joiner: re.Pattern[str]) -> Expression | None:
    to = joiner.match(text, first.end)
    if to is None:
        return None
    last = _read_after_the(text, to.end(), now, like=True, dated=first.clock is not None)
    if last is None or (first.clock is not None and last.clock is None and last.instant is None):
        return None
    if isinstance(last.days, Days) and last.days.absolute and is_noted_range(text, last):
        return Expression(start, last.end, "at", last)
    if first.clock is None and first.instant is None and last.days is None and last.instant is None:
        return None
    return Expression(start, last.end, "range", first, last)


_TIME_RANGE = re.compile(
    r"\s?,?\s?(?:(?P<from>from|between)\s)?(?=\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)", _I
)
_OPEN_TIME = re.compile(r"\s(?P<lead>before|by|until|no\slater\sthan|later\sthan|after|from|since)\s(?:about\s|around\s)?", _I)
_BARE_HOUR = re.compile(r"(?P<hour>2[0-4](?!\d)|1\d(?!\d)|0\d|\d(?!\d))(?P<minute>(?<=0\d)[0-5]\d)?(?!\d)(?=\s?(?:-|–|to\s|and\s|until\s|till\s)\s?\d)", _I)


def _read_inner_range(text: str, start: int, first: Moment, now: datetime) -> Expression | None:
    """A date and then a range of times in it: `tomorrow from 7:00 to 8:00pm`, `Monday 8-9am`."""
    if first.days is None or not _is_one_day(first.days) or (first.clock is not None and first.clock.precision != "part"):
        return None
    gap = _TIME_RANGE.match(text, first.end)
    if gap is not None:
        clocks = _read_clocks(text, gap.end())
        if clocks is not None:
            (one, _), (other, end) = clocks
            held = Moment(first.end, first.days, _in_part(one, first.clock), None, first.note)
            return Expression(start, end, "range", held, Moment(end, None, _in_part(other, first.clock)))
    lead = _OPEN_TIME.match(text, first.end)
    clock = read_clock(text, lead.end(), dated=True) if lead is not None else None
    if lead is None or clock is None or clock[0].precision == "part":
        return None
    word = lead["lead"].lower()
    relation: Relation = "before" if word in ("before", "by", "until") or word.startswith("no") else "after"
    relation = "since" if word in ("from", "since") else relation
    return Expression(start, clock[1], relation, Moment(clock[1], first.days, clock[0], None, first.note))


def _read_clock_range(text: str, position: int, now: datetime) -> Expression | None:
    """Two times of day and perhaps the date they share: `5 to 6pm`, `between 7 and 9 last night`."""
    lead = _FROM.match(text, position) or _BETWEEN.match(text, position)
    clocks = _read_clocks(text, lead.end() if lead is not None else position)
    if clocks is None:
        return None
    (one, one_end), (other, end) = clocks
    closing = _clock_of_date(text, (other, end), now)
    if not (one.fixed or other.fixed or ":" in text[position:end]) and (lead is None or closing.days is None):
        return None
    if closing.days is not None and closing.clock is not None:
        other = closing.clock
    first = Moment(one_end, closing.days, one, None, closing.note)
    return Expression(position, closing.end, "range", first, Moment(closing.end, None, other))


def _in_part(clock: Clock, part: Clock | None) -> Clock:
    """`tonight from 7` is in the evening."""
    if part is None or clock.fixed or part.begins < 12 * 3600 or clock.begins >= 12 * 3600:
        return clock
    return Clock(clock.begins + 12 * 3600, clock.ends + 12 * 3600, clock.precision)


def _read_clocks(text: str, position: int) -> tuple[tuple[Clock, int], tuple[Clock, int]] | None:
    """Two clock times, of which the first may be a bare number: `8-9am`, `7 to 8:30`, `0730-0930`."""
    bare = _BARE_HOUR.match(text, position)
    one = read_clock(text, position, dated=True)
    if bare is not None and (one is None or one[1] <= bare.end()):
        seconds = int(bare["hour"]) * 3600 + int(bare["minute"] or 0) * 60
        one = (Clock(seconds, seconds + 3600, "hour", int(bare["hour"]) > 12), bare.end())
    if one is None or one[0].precision == "part":
        return None
    to = re.compile(r"\s?(?:-|–|to|and|until|till)\s?", _I).match(text, one[1])
    if to is None:
        return None
    other = read_clock(text, to.end(), dated=True, like=True)
    last = re.compile(r"(?P<hour>2[0-4](?!\d)|1\d(?!\d)|0\d|\d(?!\d))(?P<minute>(?<=0\d)[0-5]\d)?(?![\d:/]|\s?[ap]\.?m|st|nd|rd|th)", _I).match(text, to.end())
    if last is not None and (other is None or other[1] < last.end()):
        seconds = int(last["hour"]) * 3600 + int(last["minute"] or 0) * 60
        other = (Clock(seconds, seconds + 3600, "hour", int(last["hour"]) > 12), last.end())
    return None if other is None or other[0].precision == "part" else (one, other)


def _read_after_the(text: str, position: int, now: datetime, *, like: bool = False, dated: bool = False) -> Moment | None:
    """A moment whose article is not part of it: since `the` end of May."""
    found = read_moment(text, position, now, like=like, dated=dated)
    article = _THE.match(text, position)
    return read_moment(text, article.end(), now, like=like, dated=dated) if found is None and article else found


def read_moment(text: str, position: int, now: datetime, *, like: bool = False, dated: bool = False) -> Moment | None:
    """A date, a time of day, or both in either order."""
    instant = _read_now(text, position, now, like)
    if instant is not None:
        return instant
    night = _read_night(text, position, now)
    found = _read_days(text, position, now, like)
    if night is not None and (found is None or found[1] <= night.note):
        return _with_clock(text, night)
    clock = read_clock(text, position, dated=dated, like=like and dated)
    if clock is not None and (found is None or clock[1] > found[1]):
        return _clock_of_date(text, clock, now)
    if found is None:
        ordinal = re.compile(rf"(?:the\s)?(?P<day>{ORDINAL}|{DAY})", _I).match(text, position) if like else None
        return None if ordinal is None else Moment(ordinal.end(), Partial(day=ordinal_number(ordinal["day"])), note=ordinal.end())
    weak = re.match(r"(?:the|that|same)\s", text[position : found[1]], _I) and not isinstance(found[0], Partial) and found[0].precision != "day"
    days, end = read_note(text, found[1]) or found
    note = 0 if weak and re.match(r"(?:the|that|same|the same)\s\w+\Z", text[position : found[1]], _I) else end
    return _with_clock(text, Moment(end, days, None, None, note))


def _read_days(text: str, position: int, now: datetime, like: bool) -> tuple[Days | Partial, int] | None:
    found = read_date(text, position, now.date())
    away = _AWAY_FROM.match(text, position)
    if away is not None:
        base = read_date(text, away.end(), now.date())
        days = base and _settle_base(base[0], now)
        if base is not None and days is not None:
            sign = -1 if away["way"].lower() == "before" else 1
            count, unit = round(count_number(away["count"])), unit_of(away["unit"])
            try:
                return offset(days.begins, sign * count, unit), base[1]
            except (ValueError, OverflowError):
                return None
    year = _YEAR_RANGE.match(text, position)
    if year is None:
        year = _YEAR.match(text, position)
        asked = like or _ASKS_YEAR.search(text[max(0, position - 9) : position]) is not None
        if year is not None and not (year["equals"] or asked) or (year and _NOT_A_YEAR.match(text, year.end())):
            year = None
    if year is not None and (found is None or found[1] <= year.end()):
        return Partial(year=year_number(year["year"])), year.end()
    return found


def _settle_base(base: Days | Partial, now: datetime) -> Days | None:
    return settled(base, now.date()) if isinstance(base, Partial) else base


def _is_one_day(days: Days | Partial) -> bool:
    if isinstance(days, Days):
        return days.precision == "day" and (days.ends - days.begins).days == 1
    return days.day is not None or days.weekday is not None


def _with_clock(text: str, moment: Moment) -> Moment:
    """The moment with the time of day that follows its date."""
    days = moment.days
    if days is None or not _is_one_day(days):
        return moment
    part = read_clock(text, moment.end + 1, dated=False) if text.startswith(" in ", moment.end) else None
    gap = _GAP.match(text, moment.end)
    if gap is None or gap.end() == moment.end:
        return moment
    clock = part or read_clock(text, gap.end(), dated=True, like=gap[0].strip(" ,") not in ("", "in", "for"))
    if clock is None:
        return moment
    placed = _in_part(clock[0], moment.clock)
    if clock[0].precision == "part":
        after = _GAP.match(text, clock[1])
        inner = read_clock(text, after.end(), dated=True) if after is not None and after.end() > clock[1] else None
        if inner is not None and inner[0].precision != "part":
            return Moment(inner[1], days, _in_part(inner[0], clock[0]), None, moment.note)
    return Moment(clock[1], days, placed, None, moment.note)


def _clock_of_date(text: str, clock: tuple[Clock, int], now: datetime) -> Moment:
    """A time of day with the date that follows it: `at 6pm tomorrow`."""
    gap = _OF_DATE.match(text, clock[1])
    if gap is None:
        return Moment(clock[1], None, clock[0])
    night = _read_night(text, gap.end(), now)
    if night is not None:
        return Moment(night.end, night.days, _in_part(clock[0], night.clock), None, night.note)
    found = read_date(text, gap.end(), now.date())
    if found is None or (isinstance(found[0], Partial) and found[0].day is None and found[0].weekday is None):
        return Moment(clock[1], None, clock[0])
    if isinstance(found[0], Days) and found[0].precision != "day":
        return Moment(clock[1], None, clock[0])
    return Moment(found[1], found[0], clock[0], None, found[1])


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


def _read_night(text: str, position: int, now: datetime) -> Moment | None:
    """`tonight`, `last night`, `this morning`, `yesterday evening`, which name a day and a part of it."""
    later = _LATER_TODAY.match(text, position)
    if later is not None:
        half_day = Clock(12 * 3600, 24 * 3600, "part")
        return Moment(later.end(), one_day(now.date()), half_day, None, later.end())
    tonight = _TONIGHT.match(text, position)
    if tonight is not None:
        days, end = read_note(text, tonight.end()) or (one_day(now.date()), tonight.end())
        return Moment(end, days, Clock(20 * 3600, 24 * 3600, "part"), None, end)
    match = _NIGHT.match(text, position)
    if match is None:
        return None
    which, part = match["which"].lower(), match["part"].lower()
    day = now.date() + timedelta(days={"last": -1, "yesterday": -1, "next": 1, "tomorrow": 1}.get(which, 0))
    begins, ends = _DAY_PARTS[part] * 3600, _DAY_PARTS[part] * 3600 + 4 * 3600
    if part == "night":
        ends -= 1
    phase = (match["phase"] or match["early"] or "").lower().strip()
    if phase == "early":
        ends = begins + 2 * 3600
    elif phase:
        begins += 2 * 3600
    note = match.end("which") if which in ("yesterday", "tomorrow", "today") else match.end()
    return Moment(match.end(), one_day(day), Clock(begins, ends, "part"), None, note)


def _read_counted(text: str, position: int, now: datetime) -> Expression | None:
    """Hours and minutes from now: in five minutes, half an hour ago, within the next two hours."""
    match = _COUNTED.match(text, position)
    if match is None or not (match["lead"] or match["way"]):
        return None
    count = 0.5 if match["half"] else count_number(match["count"]) + (0.5 if match["and"] else 0)
    length = timedelta(seconds=count * _seconds(match["unit"]))
    if (match["lead"] or "").lower().startswith("within"):
        return Expression(position, match.end(), "at", Moment(match.end(), None, None, Instant(now, now + length, "minute")))
    past = (match["way"] or "").lower() in ("ago", "earlier")
    at = now - length if past else now + length
    return Expression(position, match.end(), "at", Moment(match.end(), None, None, Instant(at, at + timedelta(minutes=1), "minute")))


def _read_span(text: str, position: int, now: datetime) -> Expression | None:
    """A length and where it begins: `3 days starting next Monday`, `for 2 hours from 2pm`, `the week of Feb 4`."""
    hours = _HOURS_FROM.match(text, position)
    if hours is not None:
        first = read_moment(text, hours.end(), now, like=True)
        if first is not None and first.clock is not None:
            return _lasting(position, first.end, first, first.clock, hours)
    match = _DAYS_FROM.match(text, position) or _WEEK_OF.match(text, position)
    if match is None:
        return None
    found = read_date(text, match.end(), now.date())
    days = found and _settle_base(found[0], now)
    if found is None or days is None or days.precision != "day":
        return None
    if match.re is _WEEK_OF:
        stretch = period(days.begins, "week")
    else:
        count, unit = match["for_count"] or match["count"], match["for_unit"] or match["unit"]
        stretch = Days(days.begins, shifted(days.begins, round(count_number(count)), unit_of(unit)), "day")
    return Expression(position, found[1], "at", Moment(found[1], stretch, note=found[1]))


def _lasting(start: int, end: int, first: Moment, clock: Clock, match: re.Match[str]) -> Expression:
    length = round(count_number(match["count"]) * _seconds(match["unit"]))
    until = Clock(clock.begins + length, clock.begins + length + 60, "minute", fixed=True)
    return Expression(start, end, "range", first, Moment(end, None, until))


def _seconds(unit: str) -> int:
    return {"h": 3600, "m": 60}.get(unit[0].lower(), 1)


def _read_every(text: str, position: int, now: datetime) -> Expression | None:
    every = _EVERY.match(text, position)
    if every is None:
        return None
    gap = _GAP.match(text, every.end())
    rest = read_moment(text, gap.end(), now, dated=True) if gap is not None and gap.end() > every.end() else None
    end = rest.end if rest is not None and rest.days is None else every.end()
    return Expression(position, end, recurring=True)
