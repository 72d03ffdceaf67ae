"""Reads English time expressions: a moment, a range of two, an open end, a recurrence."""

from datetime import datetime

from agentmem import patterns as re
from agentmem.language.anchors_en import read_bounded
from agentmem.language.clocks_en import read_clock
from agentmem.language.dates import Days, Partial, one_day
from agentmem.language.every_en import read_every, read_every_behind
from agentmem.language.lexicon_en import MONTH, NUMBER_WORD, ORDINAL, WEEKDAY
from agentmem.language.moments import Expression, Moment, Relation, is_noted_range
from agentmem.language.moments_en import read_after_article, read_moment
from agentmem.language.spans_en import read_clock_range, read_counted, read_lasting, read_span, read_times_of_day

_I = re.IGNORECASE
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
