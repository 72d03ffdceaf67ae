"""Until when a statement is so that has a day of its own."""

from datetime import datetime, timedelta

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.model import Finding
from agentmem.domain.memory import Modality
from agentmem.language.time import TimeMention, begins, find_times
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
