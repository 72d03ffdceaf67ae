"""Whether a statement says what stays so: a fact, a relation, a standing wish; or with a day of its own, until when it is so.

What passes (an errand, a mood, something about to happen on no day) is not held: recall finds the turn.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from datetime import datetime, timedelta

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Finding, has_han
from agentmem.domain.attributes import cardinality
from agentmem.domain.memory import Modality
from agentmem.language.time import TimeMention, find_times
from agentmem.language.typed_values import CLOCK, DAY, NUMBER, typed_values

_I = re.IGNORECASE
_LASTING_KINDS = frozenset(("contact", "contact_preference", "name", "alias", "past", "allergy"))
_LASTING_SLOTS = frozenset(("birthday", "age"))
_BEGINS = re.compile(
    r"\b(?:since|from(?!.+\b(?:to|until|till)\b)|starting|starts?|started|begin(?:s|ning)?|as of|mov(?:e|es|ed|ing)|join(?:s|ed|ing)?|switch\w*|opens?|opening|becom\w+|born|birthday|anniversary)\b"
    r"|[从自]|起|开始|以后|之后|往后|搬|入职|加入|换|转|开业|出生|生日|纪念",
    _I,
)
"""What begins on a day, or comes again with it, is not over with that day."""
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
    if _BEGINS.search(words) or any(each.kind not in _TIMES for each in typed_values(words, said)):
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
    """Whether a day in the finding says when it is over: not in what somebody is reached by, was born on, or has one of."""
    slot = found.attribute
    if found.kind in _LASTING_KINDS or slot in _LASTING_SLOTS or found.modality is not Modality.STATED:
        return False
    return slot is None or cardinality(slot, {}) == "multi"


_PASSES_EN = re.compile(
    r"\b(?:right now|at the moment|just now|tonight|this (?:morning|afternoon|evening)|in a (?:minute|second|bit|moment)|soon|not yet|so far|for now|lately)\b"
    r"|(?:'ll| will| shall|\b(?:going|about) to)(?: just| then| also| probably)? (?:ring|call|phone|text|e-?mail|message|write|let|get back|send|sign|pay|check|ask|tell|think|see|look|try|wait|pop|drop|come|go|leave|be (?:back|there|in touch|late)|confirm|decide|answer|talk|speak|discuss)\b"
    r"|(?:'m|'re|'s|\b(?:is|are|am|was|were))(?: just| still| also| now)? (?:coming|heading|waiting|sitting|standing|asking|calling|ringing|typing|checking|getting (?!married\b)|picking|popping|just [a-z]+ing)\b"
    r"|^(?:just |only )?(?:dropped|slipped|forgot|lost|missed|found|came|went|saw|left|said|told|asked|tried|called|thought|hoped|meant)\b"
    r"|\bsorry\b",
    _I,
)
"""What is so for the moment, about to be, or done and gone."""
_PASSES_ZH = re.compile(
    r"那会儿|当时|现在就|马上|正在|刚才|这几天|这两天|等会|待会|回头|改天|到时候|这就|先这样|临时|最近(?=[^,，]{0,4}(?:不|有点|忙|累|没))"
    r"|(?:行|好|可以|成|中)不$|^有[^,，]{1,8}没$|记不|不记得|想不起|说不[准好]|不[确一]定|没想好|没定|还没|要[^,，]{1,8}了$"
)


_ERRAND_ZH = re.compile(r"[帮替]我|[^,，]{1,6}给我[\u4e00-\u9fff]{1,4}$")
_WISHED = frozenset(("need", "appointment", "plan", "preference", "constraint"))
"""Kinds of what somebody asks for or goes by: there `for me` is no errand of the moment."""


def lasts(found: Finding, words: str, said: datetime) -> bool:
    """Whether a finding says what stays so, or has a day of its own."""
    if found.replaces or found.kind == "answer" or not is_bounded_by_day(found):
        return True
    passes = (_PASSES_ZH if has_han(words) else _PASSES_EN).search(words) is not None
    errand = found.kind not in _WISHED and _ERRAND_ZH.search(words) is not None
    if "from now on" in words.casefold() or not (passes or errand):
        return True
    return over_after(words, said) is not None
