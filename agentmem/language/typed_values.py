"""Values in a statement by their type, with the place where they stand: days, clock times, rhythms, amounts, counts, ranks.

Of two statements about one matter the values of one type exclude each other, and the newer can be put in the place of
the older.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.language.normal import normalise
from agentmem.language.numbers import NumberMention, parse_numbers
from agentmem.language.time import TimeMention, find_times, zh_value
from agentmem.language.tokens import terms

REMEMBERED: Final = 400
"""Characters of a text up to which its values are remembered."""

DAY: Final = "day"
CLOCK: Final = "clock"
NUMBER: Final = "number"
"""A number of nothing that is named: it may be of any count."""

_RANK = re.compile(
    r"(?P<zh>[零一二两三四五六七八九十百\d]{1,4})(?P<unit>年级|档|段|号楼|号线|[楼层栋排路班室挡级杯盒床桌])"
    r"|\b(?P<noun>year|grade|floor|flat|room|plot|unit|level|gate|platform|line|table|row|number|size|no\.?|stage|step|tier|team|bay|desk|zone|class|group|version|lane|pitch|court|studio|hall)\s(?P<of>\d{1,5}[a-z]?|[a-h](?![\w'])|one|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|\b(?P<nth>\d{1,3})(?:st|nd|rd|th) (?P<place>floor|grade|row|team|year)\b",
    re.IGNORECASE,
)
_ANYTHING = frozenset(terms("pieces units items pcs copies lots of them"))
"""What any count may be of."""
_ZH_COUNT = re.compile(
    r"(?<![第周\d一二三四五六七八九十点])(?P<n>[一二两三四五六七八九十百\d]{1,4})(?P<unit>[板盘束朵棵株袋包壶碗节晚站盆罐捆扎串粒片桶筐])"
)
"""Counted by what the numbers of amounts leave to cooks and gardeners."""
_NOTE = re.compile(r"\s?\(\d{4}-\d\d(?:-\d\d)?(?:/\d{4}-\d\d(?:-\d\d)?)?\)")
_IDENTIFIER = re.compile(r"\+?\d[\d ()-]{5,}\d")
"""A number one is reached or known by, which counts nothing."""
_ZH_DAYS: Final = "一二三四五六日"
_WEEKDAY = re.compile(
    r"(?:周|星期|礼拜)([一二三四五六日天])|\b(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur|urs)?(?:day)?\b", re.IGNORECASE
)
_LEAD = re.compile(
    r"(?:until|till|by|before|after|since|from|on|as of|around|about|starting)\s+|[约在从到自]|大[概约]|差不多",
    re.IGNORECASE,
)
"""What a time expression begins with that is no part of its value."""
_TAIL = re.compile(r"(?:之前|以前|之后|以后|为止|左右|前|后|起)$")
"""What it ends with that is none."""
_BEFORE_CLOCK = re.compile(r"[\s,]*(?:(?:at|around|about|by|from|in the)\s+|[约在])?", re.IGNORECASE)
_CLOCK_FIRST = re.compile(
    r"(?:at\s+)?(?P<clock>\d{1,2}(?:[:.]\d\d(?:\s?[ap]\.?m\.?)?|\s?[ap]\.?m\.?| o'clock)|noon|midnight),?\s+(?:on\s+)?(?=[a-z]|\d)",
    re.IGNORECASE,
)
"""A clock time before its day: `10:30 on the 24th`."""
_COUNTED = re.compile(
    r"\s(?:more |other |full |whole |of (?:the |my |our )?)?(?P<noun>[a-z][a-z'-]*(?: [a-z][a-z'-]*){0,2})",
    re.IGNORECASE,
)
_COUNTS_NOTHING = frozenset(
    ("and", "or", "of", "to", "in", "on", "at", "by", "a", "an", "i", "we", "it", "if", "so", "as", "is", "my", "our", "out", "us", "them", "the", "for", "instead", "then", "now", "not", "but", "please", "from", "with", "after", "before", "total", "each", "per", "was", "are", "will", "that", "this", "actually", "better", "more", "less", "max", "tops", "today", "since", "until", "till", "who", "when", "while", "because", "again", "already", "yet", "still", "altogether", "they", "he", "she", "you")
)  # fmt: skip
_UNIT_GROUPS: Final = (
    ("人", "个人", "号人", "口人", "位", "名", "口"),
    ("元", "块", "块钱", "毛"),
    ("斤", "公斤", "kg"),
    ("个", "套", "件", "份", "张", "把", "台"),
)


@dataclass(frozen=True, slots=True)
class TypedValue:
    """`text[start:end]` is the value as spoken, a date that was written behind it included; `value` tells two apart."""

    kind: str
    value: str
    start: int
    end: int

    def excludes(self, other: "TypedValue") -> bool:
        """Whether it is another value of the same type."""
        return is_one_type(self.kind, other.kind) and self.value != other.value


def is_one_type(kind: str, other: str) -> bool:
    """Whether values of these kinds may come in each other's place."""
    if kind == other:
        return True
    if kind.startswith("count ") and other.startswith("count "):
        return not set(kind.split()[1:]).isdisjoint(other.split()[1:])
    return NUMBER in (kind, other) and all(
        each == NUMBER or each.startswith(("count ", "money")) for each in (kind, other)
    )


def typed_values(text: str, at: datetime) -> list[TypedValue]:
    """The values of a text spoken at a moment, in order, without overlap."""
    return list(_remembered(text, at) if len(text) <= REMEMBERED else _typed(text, at))


def is_bare(text: str, at: datetime) -> bool:
    """Whether a text says values and nothing besides: "it's May 13"."""
    spoken = " ".join(text[value.start : value.end] for value in typed_values(text, at))
    return bool(spoken) and terms(text) <= terms(spoken)


def _typed(text: str, at: datetime) -> tuple[TypedValue, ...]:
    found = list(_ranks(text))
    taken = [(each.start, each.end) for each in found]
    for mention in find_times(text, at):
        if not _overlaps(mention.start, mention.end, taken):
            found += _of_time(mention)
            taken.append((mention.start, mention.end))
    taken += [found.span() for found in _IDENTIFIER.finditer(text) if sum(map(str.isdigit, found[0])) >= 7]
    for found_zh in _ZH_COUNT.finditer(text):
        if not _overlaps(*found_zh.span(), taken):
            value = zh_value(found_zh["n"]) or found_zh["n"]
            found.append(TypedValue(f"count {found_zh['unit']}", f"{value}", *found_zh.span()))
            taken.append(found_zh.span())
    for number in parse_numbers(text):
        if not _overlaps(number.start, number.end, taken):
            found.append(_of_number(number, text))
    return tuple(sorted(found, key=lambda each: each.start))


_remembered = lru_cache(8_192)(_typed)  # every clause of a turn is compared with all that is held


def _overlaps(start: int, end: int, taken: list[tuple[int, int]]) -> bool:
    return any(start < other_end and other < end for other, other_end in taken)


def _ranks(text: str) -> Iterator[TypedValue]:
    for found in _RANK.finditer(text):
        if found["zh"]:
            yield TypedValue(f"rank {found['unit']}", f"{zh_value(found['zh']) or found['zh']}", *found.span())
        elif found["noun"]:
            yield TypedValue(f"rank {found['noun'].lower()}", found["of"].lower(), *found.span())
        else:
            yield TypedValue(f"rank {found['place'].lower()}", found["nth"], *found.span())


def _of_time(mention: TimeMention) -> Iterator[TypedValue]:
    if mention.every is not None:
        yield TypedValue("rhythm", normalise(mention.text), mention.start, mention.end)
        return
    moment = mention.begins or (mention.ends and mention.ends - timedelta(seconds=1))
    if moment is None or mention.precision == "second":
        return
    noted = _NOTE.search(mention.text)
    cut = mention.start + noted.end() if noted else (mention.notes[-1][0] if mention.notes else mention.end)
    timed = mention.precision in ("minute", "hour", "part")
    tail = _TAIL.search(mention.text)
    last = mention.start + (tail.start() if tail else len(mention.text))
    lead = _LEAD.match(mention.text)
    start = mention.start + (lead.end() if lead else 0)
    if not mention.dated:
        if timed:
            yield TypedValue(CLOCK, f"{moment:%H:%M}", start, last)
        return
    first = _CLOCK_FIRST.match(mention.text) if timed else None
    if first is not None:
        yield TypedValue(CLOCK, f"{moment:%H:%M}", mention.start, mention.start + first.end("clock"))
        yield TypedValue(DAY, f"{moment:%Y-%m-%d}", mention.start + first.end(), last)
        return
    yield TypedValue(DAY, f"{moment:%Y-%m-%d}", start, cut if timed else last)
    if timed and cut < mention.end:
        before = _BEFORE_CLOCK.match(mention.text, cut - mention.start)
        begins = mention.start + before.end() if before else cut
        yield TypedValue(CLOCK, f"{moment:%H:%M}", begins, max(begins, last))


def _of_number(number: NumberMention, text: str) -> TypedValue:
    value, end = f"{number.value.normalize():f}", number.end
    if number.currency:
        return TypedValue("money", value, number.start, end)
    if number.unit:
        group = next((units[0] for units in _UNIT_GROUPS if number.unit in units), number.unit)
        return TypedValue(f"count {group}", value, number.start, end)
    named = _COUNTED.match(text, end)
    nouns = _nouns(named["noun"]) if named else []
    if not nouns or nouns[0] in _ANYTHING:
        return TypedValue(NUMBER, value, number.start, end)
    return TypedValue(f"count {' '.join(nouns)}", value, number.start, end)


def _nouns(words: str) -> list[str]:
    """What is counted, in the form in which words are compared: what stands behind the number up to a small word."""
    found: list[str] = []
    for word in words.lower().split():
        if word in _COUNTS_NOTHING:
            break
        found += sorted(terms(word))
    return found


def weekday_of(text: str) -> int | None:
    """The day of the week that a text names and nothing else of a date; Monday is 0."""
    found = _WEEKDAY.fullmatch(text.strip())
    if found is None:
        return None
    if found[1]:
        return _ZH_DAYS.index("日" if found[1] == "天" else found[1])
    return ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(found[2].lower())
