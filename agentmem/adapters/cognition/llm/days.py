"""The days that are named in what was said, for a reader who is to place them: which are sure, and which may be two."""

from calendar import monthrange
from datetime import date, datetime, timedelta
from typing import Final

from agentmem import patterns as re
from agentmem.language.time import TimeMention, find_times

_ONE_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?")
_TIME_OF_DAY: Final = re.compile(r"\d\d:\d\d")
_LAST: Final = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)(?:T.*)?)?)?")
"""A day, or the month or the year that ends with it."""
_WEEKDAY: Final = re.compile(
    r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?! \()|(?:周|星期|礼拜)[一二三四五六日天](?!\()",
    re.IGNORECASE,
)
"""A day of the week that nothing beside it places in the past or the future."""
_ITS_NUMBER: Final = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}[日号]|\b\d{1,2} (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b",
    re.IGNORECASE,
)
"""What makes a day of the week one day of a month: Thursday 29th, Monday 3 August."""
_SAYS_ITS_YEAR: Final = re.compile(r"\d{4}")
_OF_A_MONTH: Final = re.compile(
    r"(?:on )?the \d{1,2}(?:st|nd|rd|th)(?: of (?:the|each|every) month)?|[\d一二三四五六七八九十]{1,3}[日号]",
    re.IGNORECASE,
)
"""A day of no month that is named: of this one, the last, the next, or of every month; or a number: 二号场地."""
_OF_ANOTHER_DAY: Final = re.compile(r"当[天日晚]|next day", re.IGNORECASE)
"""The day that is spoken of, or the one after it."""
_ARTICLE, _GOES_ON = re.compile(r"\b(?:the|an?) $", re.IGNORECASE), re.compile(r" [a-z]", re.IGNORECASE)
"""Around a day of the week that only says which thing is meant: the Saturday fair, a Sunday paper."""
_DAY_OF_THE_YEAR: Final = re.compile(
    r"(?:\d{1,2}|[一二三四五六七八九十]+)月(?:\d{1,2}|[一二三四五六七八九十]+)[日号]?"
    r"|[a-z]{3,9}\.? (?:the )?\d{1,2}(?:st|nd|rd|th)?"
    r"|(?:the )?\d{1,2}(?:st|nd|rd|th)? (?:of )?[a-z]{3,9}",
    re.IGNORECASE,
)
_FEAST: Final = re.compile(
    r"(?!.*(?:\b(?:last|this|next|coming)\b|\bago$))"
    r"(?:christmas|new year|halloween|valentine|easter|thanksgiving|earth|independence|saint|st)[a-z.'’ ]*"
    r"|元旦|五一|圣诞|平安夜|国庆|[\u4e00-\u9fff]{2,5}节",
    re.IGNORECASE,
)
"""A feast that nothing places in one year: as likely that of every year."""
_RECURRING: Final = re.compile(
    r"(?:第[一二三四五]个|每[^,.;。!?]{0,10})$"
    r"|\b(?:every|each|first|second|third|fourth|other|1st|2nd|3rd|4th)(?: \w+)? $",
    re.IGNORECASE,
)
"""What stands before a day that comes back: the second Wednesday, 每月第一个."""
LOOKED_BEFORE: Final = 20
"""Characters before a day that are read for whether it comes back."""

_EITHER_HALF, _HALF = re.compile(r"T0[1-7]:"), re.compile(r"\b[ap]\.?m\b|morning|night|\b0\d:|早|晨|凌", re.IGNORECASE)
"""An hour of the working day, if it is meant after noon, and what says which half is meant."""

HALF_A_YEAR: Final = timedelta(days=183)


def relative_days(text: str, spoken: datetime) -> list[tuple[str, str]]:
    """What names a day without its year, with what it stands for: `tomorrow`, `2026-03-06`. A day of the week that
    nothing leads to one side is the last or the next: tense alone tells which, or that it is meant of every week. So is
    a day of the year that is placed more than half a year away. What comes back has no date."""
    return [(each.text, _either(each, spoken)) for each in _relative(text, spoken)]


def with_dates(text: str, spoken: datetime) -> str:
    """The text with the date after each day that it names without its year, those left as they are that may be two, or
    that of every year."""
    for each in reversed(_relative(text, spoken)):
        if not (_open(each, spoken) or _FEAST.fullmatch(each.text)):
            text = f"{text[: each.end]} ({each.iso[:10]}){text[each.end :]}"
    return text


def last_day(text: str, spoken: datetime) -> date | None:
    """The last of the days that a text names, of a span its end; None where it names none, what goes on or comes back,
    or a day that may be two, unless it is the weekday of a sure one beside it: 9月28号(2025-09-28)周日."""
    found = [each for each in find_times(text, spoken) if not _TIME_OF_DAY.match(each.iso)]
    if not found or any(not each.dated or _comes_back(each, text) for each in found):
        return None
    unsure = [each for each in found if _ONE_DAY.fullmatch(each.iso) and _open(each, spoken)]
    ends = [_end(each) for each in found if each not in unsure]
    sure = [day for day in ends if day is not None]
    if not sure or len(sure) < len(ends):
        return None
    weekdays = {day.weekday() for day in sure}
    beside = (date.fromisoformat(each.iso[:10]).weekday() for each in unsure)
    return max(sure) if weekdays.issuperset(beside) else None


def _end(mention: TimeMention) -> date | None:
    """The last day of what is named; None where it has no end."""
    found = _LAST.fullmatch(mention.iso.rpartition("/")[2])
    if found is None:
        return None
    year, month, day = int(found["year"]), int(found["month"] or 12), found["day"]
    return date(year, month, int(day) if day else monthrange(year, month)[1])


def _relative(text: str, spoken: datetime) -> list[TimeMention]:
    days = (each for each in find_times(text, spoken) if each.dated and each.precision != "second")
    named = (each for each in days if _ONE_DAY.fullmatch(each.iso) and not _SAYS_ITS_YEAR.search(each.text))
    return [each for each in named if not (_comes_back(each, text) or _is_no_day(each, text))]


def _is_no_day(mention: TimeMention, text: str) -> bool:
    """Whether it names a day only by another one that is spoken of, or no day but a thing."""
    if _OF_ANOTHER_DAY.match(mention.text):
        return True
    before, after = text[max(0, mention.start - LOOKED_BEFORE) : mention.start], text[mention.end : mention.end + 2]
    return _is_weekday(mention) and bool(_ARTICLE.search(before) and _GOES_ON.match(after))


def _comes_back(mention: TimeMention, text: str) -> bool:
    if _OF_A_MONTH.fullmatch(mention.text):
        return True
    before = text[max(0, mention.start - LOOKED_BEFORE) : mention.start]
    return _WEEKDAY.match(mention.text) is not None and _RECURRING.search(before) is not None


def _open(mention: TimeMention, spoken: datetime) -> bool:
    return _is_weekday(mention) or _in_two_years(mention, spoken)


def _is_weekday(mention: TimeMention) -> bool:
    """Whether it names a day of the week and no day of a month."""
    return _WEEKDAY.match(mention.text) is not None and _ITS_NUMBER.search(mention.text) is None


def _in_two_years(mention: TimeMention, spoken: datetime) -> bool:
    far = abs(date.fromisoformat(mention.iso[:10]) - spoken.date()) > HALF_A_YEAR
    return far and _DAY_OF_THE_YEAR.fullmatch(mention.text) is not None


def _either(mention: TimeMention, spoken: datetime) -> str:
    """The day, or those that it may be: the last and the next of its kind, and the day of speaking where it is one. An
    hour that may be in the afternoon as well is left to the words."""
    if not _open(mention, spoken):
        return mention.iso[:10] if _EITHER_HALF.search(mention.iso) and not _HALF.search(mention.text) else mention.iso
    day = date.fromisoformat(mention.iso[:10])
    if _is_weekday(mention):
        today, week = spoken.date(), timedelta(days=7)
        if day.weekday() == today.weekday():
            return f"{today - week}, {today} or {today + week}"
        coming = today + timedelta(days=(day - today).days % 7)
        return f"{coming - week} or {coming}"
    # 29 February has no other year near by.
    year = day.year + (1 if day < spoken.date() else -1)
    other = day.replace(year=year, day=min(day.day, 28) if day.month == 2 else day.day)
    return f"{min(day, other)} or {max(day, other)}"
