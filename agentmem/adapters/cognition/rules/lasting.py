"""Until when a statement is so that has a day of its own, and which of the days it names are no dates."""

from collections.abc import Callable
from datetime import datetime, timedelta

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Finding
from agentmem.domain.memory import Modality
from agentmem.language.time import Lean, TimeMention, begins, find_times, tense
from agentmem.language.typed_values import CLOCK, DAY, NUMBER, typed_values

_I = re.IGNORECASE
_BY = re.compile(r"\b(?:by|before|until|till|no later than)\b|前|之前|以前|截止|最晚|最迟", _I)
_RECURS = re.compile(
    r"\b(?:every|each|always|usually|normally|most|week(?:ly|days|ends)|days)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:s|\s(?:mornings|afternoons|evenings|nights))\b"
    r"|(?:周|星期|礼拜)[一二三四五六日天][、,，和跟]?(?:周|星期|礼拜)?[一二三四五六日天](?!点)|每|一直|平时|平常|一般|都是|总是|老是|以后都|固定",
    _I,
)
"""What is so again and again."""


def over_after(words: str, said: datetime) -> datetime | None:
    """When what happens or is to be done on a day of its own is over: the end of the last day that the words name; None
    where they name none that lies ahead, where something begins with it, and where they tell an amount beside it."""
    if begins(words) or any(each.kind not in _TIMES for each in typed_values(words, said)):
        return None
    ends = [day for each in find_times(words, said) if (day := _end_of(each, words, said)) is not None]
    return max(ends) if ends and all(day > said for day in ends) else None


def recurs(words: str) -> bool:
    """Whether the words say that something is so again and again, so that their days of the week name no date."""
    return _RECURS.search(words) is not None


def _end_of(mention: TimeMention, words: str, said: datetime) -> datetime | None:
    """The end of a day, or of a month or range of days; a year is too long to be waited for, and now is no day."""
    if not mention.dated or mention.every is not None or mention.ends is None:
        return None
    if mention.begins is not None and mention.ends - said < _MOMENT:
        return None
    if mention.begins is None:
        return _whole_day(mention.ends) if _BY.search(words) else None
    return _whole_day(mention.ends) if (mention.ends - mention.begins).days <= _LONGEST_DAYS else None


def _whole_day(end: datetime) -> datetime:
    """The end of the day in which an interval ends."""
    midnight = end.replace(hour=0, minute=0, second=0, microsecond=0)
    return end if end == midnight else midnight + timedelta(days=1)


_TIMES = (DAY, CLOCK, NUMBER)
_LONGEST_DAYS = 62
_MOMENT = timedelta(minutes=30)


def is_bounded_by_day(found: Finding) -> bool:
    """Whether a day in the finding says when it is over: so it is with an appointment, while what somebody does or gets
    on a day leaves him changed by it."""
    return found.kind == "appointment" and found.modality is Modality.STATED


def undatable(text: str, spoken: datetime, again: bool, lean: Lean | None, kind: str) -> Callable[[TimeMention], bool]:
    """Whether a time in the text, as said at `spoken`, names a day and not which: a day of no month, a day of the week
    that was spoken of before ("the Friday"), that comes `again` and again, that is neither fixed by this `kind` of
    statement nor ahead, or one that is not to come: each may be meant as well as the last."""

    def holds(mention: TimeMention) -> bool:
        if _against(lean, text, mention, spoken) or _is_nearer_next_year(lean, text, mention, spoken):
            return True
        if mention.begins is not None and mention.begins > spoken and _is_from_month(text, mention):
            return tense(text) != "future"
        if _WEEKDAY.match(mention.text) is None:
            return _DAY_OF_SOME_MONTH.fullmatch(mention.text) is not None
        standing = _STANDING.search(text) is not None and _NEXT.search(text[: mention.start]) is None
        standing = standing or (lean is None and kind not in _FIXES)
        return (
            again or standing or text[: mention.start].endswith("the ") or mention.iso[:10] <= spoken.date().isoformat()
        )

    return holds


_FIXES = frozenset(("agreed", "answer", "appointment", "deadline", "need", "plan"))
"""Kinds of statements that say when something is to be once."""


def _is_nearer_next_year(lean: Lean | None, text: str, mention: TimeMention, spoken: datetime) -> bool:
    """Whether a date without its year, taken for one that is past, would be nearer in the year to come and
    nothing shows that it has been."""
    if lean == "past" and _MAY_BE_AHEAD.search(text) is None:
        return False
    end = mention.ends or mention.begins
    past = mention.dated and end is not None and spoken - end > _HALF_A_YEAR
    return past and _SAYS_WHICH_YEAR.search(text[max(0, mention.start - 6) : mention.end + 2]) is None


_MAY_BE_AHEAD = re.compile(r"\b(?:gets?|getting|going|be)\b|开始|就|[快要会将]|起", _I)
"""What may be said of what is to come in the form of what has been: 七月就退了, `gets married`."""
_HALF_A_YEAR = timedelta(days=183)
_SAYS_WHICH_YEAR = re.compile(
    r"\d{4}|[年上自]|去[岁春夏秋冬]|个月|半|以来|\b(?:last|ago|past|year|since|months?|back)\b", _I
)


def _against(lean: Lean | None, text: str, mention: TimeMention, spoken: datetime) -> bool:
    """Whether a day lies behind what is planned, or far ahead of what has been, or tells how long that took."""
    if not mention.dated or mention.every is not None:
        return False
    if lean == "future":
        return mention.ends is not None and mention.ends <= spoken
    if lean != "past" or mention.begins is None or _PUT_TO.search(text[: mention.start]):
        return False
    return mention.begins - spoken > _FAR or (mention.begins > spoken and _WITHIN.match(mention.text) is not None)


_WITHIN = re.compile(r"in (?:an?|\d+|[a-z]+) (?:day|week|month|year)s?$", _I)
_PUT_TO = re.compile(r"\b(?:to|till|until|for|by) (?:the )?$|[到至成]$", _I)
"""What stands before the day that something past was put off to or is done by."""
_FAR = timedelta(days=90)
"""How far ahead a day lies that nothing in the past was fixed for: `paid 13.50 in October` is of another year."""


def _is_from_month(text: str, mention: TimeMention) -> bool:
    """Whether it is a month of no year from which on something is so: has been, or will be."""
    return _FROM_MONTH.search(text, max(0, mention.start - 5), mention.end) is not None


_DAY_OF_SOME_MONTH = re.compile(
    r"(?:(?:on|until|till|by|before|from|since) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?"
    r"(?:the )?\d{1,2}(?:st|nd|rd|th)|[\d一二三四五六七八九十]{1,3}[号日]",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:周|星期|礼拜)[一二三四五六日天]", re.IGNORECASE
)
_STANDING = re.compile(
    r"\b(?:never|always|only|must(?:n't)?|have to|has to|does not want|doesn't|don't|do not|shut|closed|off|except)\b"
    r"|(?:不要|别(?![的人处家])|不希望|必须|一定要|只(?!是)|不准|不许|不得|除了|都[不要得]|都是|休息|关门|不营业|不上班|总是|照常)",
    re.IGNORECASE,
)
"""What says how it must or must not always be, so that a day of the week in it is each of its days."""
_NEXT = re.compile(r"\b(?:this|next|coming)\s*(?:on )?$|(?:这个?|本|下个?)$", re.IGNORECASE)
_FROM_MONTH = re.compile(
    r"(?<![明后]年)(?<![年下])[\d一二三四五六七八九十]月份?[初中底]?(?:起|开始)$"
    r"|\bfrom (?:january|february|march|april|may|june|july|august|september|october|november|december)$",
    re.IGNORECASE,
)
