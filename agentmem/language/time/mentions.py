"""Time expressions of Chinese and English text, resolved against the moment they were spoken.

`find_times` reads dates, clock times, ranges, open ends and recurrences; `annotate` writes the resolved date
after the spoken one; `asked_times` reads those of a question. The grammars are in `times_zh` and `times_en`; what they
have in common is in `moments`. Vague words (最近, 以后, just now) are no times.

A question about the past means the past one: "in May" asked in August is this year's, "on Saturday" the last one,
夏天 the last summer. What recurs leaves open what it does not name: see `TimeMention.covers`.

A time as search terms: a day is `2026-03-07`, as it stands in texts with resolved dates; a month is `2026-03`, a year
`2026`. So a time in a question finds what was said, or happened, then.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from functools import lru_cache

from agentmem import patterns as re
from agentmem.characters import is_han, nfkc_with_offsets
from agentmem.language.time import times_en, times_zh
from agentmem.language.time.dates import Days, Lean, Precision, Recurrence
from agentmem.language.time.moments import Edges, Expression, Moment, Resolution, read_note, resolve
from agentmem.language.time.seasons import read_bare_season
from agentmem.language.time.tenses import lean_before, lean_of, question_tense, tense

Reader = Callable[[str, int, datetime], Expression | None]


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time expression: `source[start:end] == text`, and the interval it stands for.

    `begins` and `ends` are aware, in the UTC offset that then holds in the zone of the reference; `ends` is
    exclusive; either is None where the expression is open (2018年之后, before Friday), both where it recurs, and
    `every` says what recurs. `iso` is the resolution as written in prose. `edges` are the ends as spoken: "from Monday
    to Friday" names Friday, and the interval holds all of it; "five years ago" names a day, and the interval holds
    its year. `dated` is false for a clock time alone, which is then taken for today's. `notes` says what `annotate`
    writes, and where.
    """

    start: int
    end: int
    text: str
    begins: datetime | None
    ends: datetime | None
    precision: Precision
    every: Recurrence | None
    iso: str
    edges: Edges = (None, None)
    dated: bool = True
    notes: tuple[tuple[int, str], ...] = ()

    @property
    def recurring(self) -> bool:
        """Whether it comes again, and stands for no single interval."""
        return self.every is not None

    def covers(self, local: datetime) -> bool:
        """Whether a moment lies within; a recurrence reads `local` on the clock of those who speak."""
        if self.every is not None:
            return self.every.holds(local)
        return (self.begins is None or self.begins <= local) and (self.ends is None or local < self.ends)


REMEMBERED = 400
"""Characters up to which it is remembered of a text that it holds no time."""

_HAN = re.compile("[\u4e00-\u9fff]")
_POSSESSIVE = re.compile(r"['’](?:s\b|(?=\stime\b))")
_MAY_BEGIN = re.compile(f"[{re.escape(''.join(sorted(times_zh.STARTS)))}=<>@]|(?<![0-9A-Za-z])[A-Za-z]|\\d")
"""Where one of the grammars has to look at all: they are asked at one place in five."""
_CLAUSE_MARK = re.compile(r"[,，。.!！?？;；\n]")


def find_times(text: str, reference: datetime) -> list[TimeMention]:
    """All time expressions of a text in order, without overlap. The reference must be aware."""
    return read_times(text, reference, clause_tense, readers_of(text))


def read_times(
    text: str, reference: datetime, leaning: Callable[[str, Expression], Lean | None], readers: Sequence[Reader]
) -> list[TimeMention]:
    """All time expressions these readers know, each resolved in the direction that `leaning` finds for it."""
    shift = reference.utcoffset()
    if shift is None:
        raise ValueError(f"the reference needs a UTC offset: {reference!r}")
    now = reference.astimezone(timezone(shift))
    plain, offsets = nfkc_with_offsets(text)
    plain = plain.translate(times_zh.SIMPLIFIED)
    found: list[TimeMention] = []
    if len(plain) <= REMEMBERED and _is_timeless(
        plain, now.replace(hour=0, minute=0, second=0, microsecond=0), *readers
    ):
        return found
    for expression in _expressions(plain, now, readers):
        resolution = resolve(expression, reference, leaning(plain, expression))
        if resolution is not None:
            found.append(_mention(text, offsets, expression, resolution))
    return found


@lru_cache(8_192)  # what is held is compared with every turn
def _is_timeless(plain: str, day: datetime, *readers: Reader) -> bool:
    """Whether a text holds no time expression, which the hour of its day does not decide."""
    return next(_expressions(plain, day, readers), None) is None


def annotate(text: str, reference: datetime, *, but: Callable[[TimeMention], bool] | None = None) -> str:
    """The text with each relative date followed by its resolution: `下周四(2026-03-12)下午三点`.

    A full date says itself when it is, a clock time has no date of its own, a recurrence has many: none is noted, and
    none of those excepted by `but`. Nor is 3/4 where it may be a part or a scale.
    """
    parts: list[str] = []
    position = 0
    for mention in find_times(text, reference):
        excepted = _is_part(text, mention) or (but is not None and but(mention))
        for noted, iso in () if excepted else mention.notes:
            possessive = _POSSESSIVE.match(text, noted)
            at = possessive.end() if possessive is not None else noted
            if position <= at and not text.startswith(("(" + iso, " (" + iso, "（" + iso), at):
                parts.append(text[position:at])
                parts.append(f"({iso})" if at and is_han(text[at - 1]) else f" ({iso})")
                position = at
    return "".join(parts) + text[position:]


def _is_part(text: str, mention: TimeMention) -> bool:
    """Whether a mention is a common fraction, and nothing around it is said of a day."""
    fraction = _FRACTION.fullmatch(mention.text)
    if fraction is None or mention.text == text.strip():
        return False
    before, after = f"{text[: mention.start]}{fraction['lead']}".rstrip(), text[mention.end :].lstrip()
    return _LEADS_TO_A_DAY.search(before) is None and _OF_A_DAY.match(after) is None


_FRACTION = re.compile(r"(?P<lead>[^\d/]{0,12})(?:1/[2-68]|2/[35]|3/[458]|4/5|5/[68]|7/8|[1379]/10)")
_LEADS_TO_A_DAY = re.compile(
    r"(?:\b(?:on|until|till|since|before|after|starting|begins?|starts?|due|dated?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|改到|[在自定]|日期|生日|截止|[周期][一二三四五六日天]):?$",
    re.IGNORECASE,
)
_OF_A_DAY = re.compile(
    r"(?:at|in the (?:morning|afternoon|evening))\b|[之以]?[前后]|[来去到走起开至有周号]|[早晚][上晨]|[上下中]午|当天",
    re.IGNORECASE,
)
"""What stands before and behind a day that is written with a slash."""


def readers_of(text: str) -> list[Reader]:
    """The grammars of the languages a text is written in, the one it is read with first in front."""
    readers: list[Reader] = [times_en.read_expression]
    if _HAN.search(text):
        readers.insert(0, times_zh.read_expression)
    return readers


def _expressions(plain: str, now: datetime, readers: Sequence[Reader]) -> Iterator[Expression]:
    """Left to right, the longest reading at each position."""
    position = 0
    while (begins := _MAY_BEGIN.search(plain, position)) is not None:
        position = begins.start()
        options = [option for reader in readers if (option := _read(reader, plain, position, now)) is not None]
        if options:
            best = _with_note(plain, max(options, key=lambda option: option.end))
            yield best
            position = best.end
        else:
            position += 1


def _read(reader: Reader, plain: str, position: int, now: datetime) -> Expression | None:
    """The expression, if there is one whose dates the calendar holds."""
    try:
        return reader(plain, position, now)
    except (ValueError, OverflowError):
        return None


def _with_note(plain: str, expression: Expression) -> Expression:
    """The expression as it was resolved before, if its resolution stands behind it: `this morning (2026-03-12)`."""
    first = expression.first
    if first is None or first.days is None or expression.last is not None:
        return expression
    possessive = _POSSESSIVE.match(plain, expression.end)
    note = read_note(plain, possessive.end() if possessive is not None else expression.end)
    if note is None or (isinstance(first.days, Days) and first.days.absolute):
        return expression
    return replace(expression, end=note[1], first=replace(first, days=note[0]))


def _mention(text: str, offsets: list[int], expression: Expression, resolution: Resolution) -> TimeMention:
    start, end = offsets[expression.start], offsets[expression.end - 1] + 1
    notes = tuple((offsets[at - 1] + 1, iso) for at, iso in resolution.notes)
    return TimeMention(
        start,
        end,
        text[start:end],
        resolution.begins,
        resolution.ends,
        resolution.precision,
        expression.every,
        resolution.iso,
        resolution.edges,
        resolution.dated,
        notes,
    )


def clause_tense(plain: str, expression: Expression) -> Lean | None:
    """Whether the clause around an expression speaks of the past or the future; None if of neither or both."""
    before = _CLAUSE_MARK.split(plain[max(0, expression.start - 60) : expression.start])[-1]
    after = _CLAUSE_MARK.split(plain[expression.end : expression.end + 60])[0]
    said = plain[expression.start : expression.end]
    return lean_before(before) or lean_of(said) or tense(f"{before} {after}")


def asked_times(question: str, now: datetime) -> list[TimeMention]:
    """All times of a question asked at `now`, in order. `now` must be aware."""
    whole = question_tense(question)

    def leaning(plain: str, expression: Expression) -> Lean | None:
        return clause_tense(plain, expression) or whole

    return read_times(question, now, leaning, [*readers_of(question), _read_season])


def _read_season(text: str, position: int, _now: datetime) -> Expression | None:
    """A season without its year, which in a statement may be any."""
    season = read_bare_season(text, position)
    return None if season is None else Expression(position, season[1], "at", Moment(season[1], season[0]))


_FEW_DAYS = timedelta(days=9)
_FEW_MONTHS = timedelta(days=93)


def time_terms(begins: datetime, ends: datetime) -> list[str]:
    """The terms of an interval, its end exclusive: its days, where they are few, or its months, or its years."""
    last = ends - timedelta(microseconds=1)
    if ends - begins <= _FEW_DAYS:
        count = (last.date() - begins.date()).days
        return [(begins + timedelta(days=number)).date().isoformat() for number in range(count + 1)]
    if ends - begins <= _FEW_MONTHS:
        months = (last.year - begins.year) * 12 + last.month - begins.month
        return [_month_term(begins.year, begins.month + number) for number in range(months + 1)]
    return [str(year) for year in range(begins.year, min(last.year, begins.year + 9) + 1)]


def terms_around(begins: datetime, ends: datetime) -> list[str]:
    """The terms of an interval, and the months its days lie in: what a memory of that time is found by."""
    terms = time_terms(begins, ends)
    return [*terms, *dict.fromkeys(term[:7] for term in terms if len(term) == 10)]


def _month_term(year: int, month: int) -> str:
    return f"{year + (month - 1) // 12}-{(month - 1) % 12 + 1:02}"
