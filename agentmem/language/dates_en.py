"""Reads English dates: December 26th 2024, next Thursday, three days ago, the last week of May.

A table of patterns with a builder each; the longest that fits at a position wins. Input is in NFKC.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from agentmem.language.dates import (
    Days,
    Partial,
    Unit,
    add_months,
    following,
    on_weekday,
    one_day,
    period,
    settled,
    shifted,
    whole_month,
    whole_year,
    within,
)
from agentmem.language.dates import offset as offset_days
from agentmem.language.lexicon_en import (
    COUNT,
    DAY,
    DAY_BEFORE_MONTH,
    MONTH,
    ORDINAL,
    STEP,
    UNIT,
    WEEKDAY,
    YEAR,
    count_number,
    month_number,
    ordinal_number,
    unit_of,
    weekday_number,
    year_number,
)

Calendar = Days | Partial
Found = tuple[Calendar, int]
Builder = Callable[[re.Match[str], date], Calendar | None]

_OF_YEAR = rf"(?:(?:\s?,\s?|\s|[/-])(?:of\s|in\s)?(?P<year>{YEAR})|\s(?:of\s)?(?P<short>['’]\d\d|(?<=of\s)\d\d)(?!\d))"
_STEPS = {"this": 0, "current": 0, "next": 1, "following": 1, "coming": 1, "upcoming": 1, "last": -1, "past": -1,
          "previous": -1}  # fmt: skip
_TODAY = {"today": 0, "tomorrow": 1, "tmr": 1, "tmrw": 1, "tomorow": 1, "yesterday": -1, "the day after tomorrow": 2,
          "day after tomorrow": 2, "the day before yesterday": -2, "day before yesterday": -2}  # fmt: skip
_HOLIDAYS = {"christmas eve": (12, 24), "christmas": (12, 25), "new year's eve": (12, 31), "new year": (1, 1),
             "halloween": (10, 31), "valentine": (2, 14), "saint patrick": (3, 17), "st patrick": (3, 17),
             "earth day": (4, 22), "independence day": (7, 4)}  # fmt: skip
_TENS = {"twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
         "nineties": 90}  # fmt: skip


def _step(word: str) -> int:
    return _STEPS[word.lower().split()[-1]]


def _year(match: re.Match[str]) -> int | None:
    words = match["year"] or match.groupdict().get("short")
    return year_number(words) if words else None


def _month_day(match: re.Match[str], _today: date) -> Calendar | None:
    day = ordinal_number(match["day"])
    return Partial(_year(match), month_number(match["month"]), day) if 1 <= day <= 31 else None


def _month_year(match: re.Match[str], _today: date) -> Calendar:
    return whole_month(year_number(match["year"] or match["short"]), month_number(match["month"]), absolute=True)


def _month(match: re.Match[str], _today: date) -> Calendar:
    return Partial(month=month_number(match["month"]))


def _numeric(match: re.Match[str], _today: date) -> Calendar:
    return one_day(date(int(match["year"]), int(match["month"]), int(match["day"])), absolute=True)


def _slashed(match: re.Match[str], _today: date) -> Calendar:
    """Month first, unless that cannot be."""
    month, day = int(match["first"]), int(match["second"])
    if month > 12:
        month, day = day, month
    words = match.groupdict().get("year")
    if words is None:
        return Partial(None, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else Partial()
    return one_day(date(year_number(words), month, day), absolute=True)


def _dotted(match: re.Match[str], _today: date) -> Calendar:
    return one_day(date(int(match["year"]), int(match["month"]), int(match["day"])), absolute=True)


def _relative_day(match: re.Match[str], today: date) -> Calendar:
    return one_day(today + timedelta(days=_TODAY[re.sub(r"\s+", " ", match[0].lower())]))


def _step_unit(match: re.Match[str], today: date) -> Calendar:
    word = match["step"].lower()
    unit = unit_of(match["unit"])
    if unit == "week" and "work" in match["unit"].lower():
        week = period(today, "week", _step(word))
        return replace(week, ends=week.ends - timedelta(days=2), precision="day")
    return period(today, unit, _step(word))


def _weak_unit(match: re.Match[str], today: date) -> Calendar:
    return period(today, unit_of(match["unit"]))


def _step_month(match: re.Match[str], today: date) -> Calendar | None:
    month, step = month_number(match["month"]), _step(match["step"])
    day = ordinal_number(match["day"]) if match["day"] else None
    part = Partial(None, month, day)
    if step == 0:
        return settled(replace(part, year=today.year), today) and replace(part, year=today.year)
    if step > 0:
        return following(part, period(today, "month").ends if day is None else today + timedelta(days=1))
    return settled(part, today.replace(day=1), "past")


def _step_weekday(match: re.Match[str], today: date) -> Calendar:
    weekday, word = weekday_number(match["weekday"]), match["step"].lower().split()[-1]
    if word in ("coming", "upcoming"):
        return one_day(today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1))
    if word == "past":
        return one_day(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))
    return on_weekday(today, weekday, _step(word))


def _weekday_of_week(match: re.Match[str], today: date) -> Calendar:
    return on_weekday(today, weekday_number(match["weekday"]), _step(match["step"]))


def _weekday(match: re.Match[str], _today: date) -> Calendar:
    return Partial(weekday=weekday_number(match["weekday"]))


def _weekday_day(match: re.Match[str], _today: date) -> Calendar:
    return Partial(None, None, ordinal_number(match["day"]), weekday_number(match["weekday"]))


def _ordinal(match: re.Match[str], today: date) -> Calendar | None:
    day = ordinal_number(match["day"])
    if match["step"]:
        return one_day(period(today, "month", _step(match["step"])).begins.replace(day=day))
    return Partial(day=day) if 1 <= day <= 31 else None


def _ago(match: re.Match[str], today: date) -> Calendar:
    sign = -1 if match["way"].lower() in ("ago", "earlier", "before") else 1
    base, count = today, count_number(match["count"])
    if match["more"]:
        base = shifted(base, sign * round(count), unit_of(match["unit"]))
        return offset_days(base, sign * round(count_number(match["more"])), unit_of(match["more_unit"]))
    unit = unit_of(match["unit"])
    if count % 1 and unit == "year":
        return offset_days(base, sign * round(12 * count), "month")
    return offset_days(base, sign * round(count), unit)


def _in_future(match: re.Match[str], today: date) -> Calendar:
    return offset_days(today, round(count_number(match["count"])), unit_of(match["unit"]))


def _half_away(match: re.Match[str], today: date) -> Calendar:
    sign = -1 if (match["way"] or "").lower() == "ago" else 1
    return offset_days(today, 6 * sign, "month") if match["unit"].lower() == "year" else one_day(today + timedelta(15 * sign))


def _stretch(match: re.Match[str], today: date) -> Calendar:
    unit, count, step = unit_of(match["unit"]), round(count_number(match["count"])), _step(match["step"])
    if unit == "quarter":
        whole = period(today, "quarter")
        begins = whole.ends if step > 0 else add_months(whole.begins, -3 * count)
        return Days(begins, add_months(begins, 3 * count), "month")
    precision = offset_days(today, count, unit).precision
    if step > 0:
        tomorrow = today + timedelta(days=1)
        return Days(tomorrow, shifted(tomorrow, count, unit), precision)
    return Days(shifted(today, -count, unit), today, precision)


def _within_next(match: re.Match[str], today: date) -> Calendar:
    return Days(today, shifted(today, round(count_number(match["count"])), unit_of(match["unit"])), "day")


def _two_away(match: re.Match[str], today: date) -> Calendar:
    return period(today, unit_of(match["unit"]), 2 if match["way"].lower() == "after next" else -2)


def _decade(match: re.Match[str], today: date) -> Calendar:
    if match["word"]:
        tens = _TENS[match["word"].lower()]
    else:
        number = int(match["digits"])
        if number > 99:
            return whole_year(number, absolute=True, count=10)
        tens = number
    base = today.year // 100 * 100
    return whole_year(base + tens - (100 if base + tens > today.year else 0), count=10)


def _century(match: re.Match[str], _today: date) -> Calendar:
    return whole_year((ordinal_number(match["count"]) - 1) * 100, absolute=True, count=100)


def _quarter(match: re.Match[str], today: date) -> Calendar:
    year, absolute = today.year, False
    if match["year"]:
        year, absolute = year_number(match["year"]), True
    elif match["step"]:
        year += _step(match["step"])
    number = ordinal_number(match["n"])
    unit: Unit = "half" if match["kind"].lower() == "h" or match["kind"].lower() == "half" else "quarter"
    return replace(within(whole_year(year), unit, number - 1), absolute=absolute)


def _week_number(match: re.Match[str], today: date) -> Calendar | None:
    year = year_number(match["year"]) if match["year"] else today.year + (_step(match["step"]) if match["step"] else 0)
    number = int(match["n"])
    return within(whole_year(year), "week", number - 1) if 1 <= number <= 53 else None


def _holiday(match: re.Match[str], _today: date) -> Calendar:
    name = match["name"].lower().replace("’", "'").replace(".", "")
    month, day = next(day for start, day in _HOLIDAYS.items() if name.startswith(start))
    return Partial(_year(match), month, day)


def _rest_of(match: re.Match[str], today: date) -> Calendar:
    whole = period(today, unit_of(match["unit"]))
    if match["unit"].lower() == "year" and match["way"].lower() == "later":
        return replace(whole, begins=date(today.year, 7, 1), precision="month")
    return Days(today, whole.ends, "day")


_QUARTER_YEAR = rf"(?:[\s-](?:of\s|in\s)?(?:(?P<year>{YEAR})|(?:the|(?P<step>{STEP}))\syear))"
_RULES: tuple[tuple[str, Builder], ...] = (
    (rf"(?P<month>{MONTH})[\s,./-]{{0,3}}(?:the\s)?(?P<day>{DAY})(?![:%]|\s?[ap]\.?m\b){_OF_YEAR}?", _month_day),
    (rf"(?P<day>{DAY_BEFORE_MONTH})(?:\sday)?[\s/-]?(?:of\s|the\s)?(?P<month>{MONTH}){_OF_YEAR}?", _month_day),
    (rf"(?P<year>{YEAR})[/-](?P<month>{MONTH})[/-](?P<day>{DAY})", _month_day),
    (rf"(?P<year>{YEAR})[/-](?P<day>{DAY})[/-](?P<month>{MONTH})", _month_day),
    (rf"(?P<month>{MONTH})\s?{_OF_YEAR}", _month_year),
    (rf"(?P<month>{MONTH})", _month),
    (r"(?<![\d.])(?P<year>(?:1[5-9]|2[01])\d\d)(?P<s>[-/.])(?P<month>\d{1,2})(?P=s)(?P<day>\d{1,2})(?!\d|\.\d)", _numeric),
    (r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)", _numeric),
    (r"(?<![\d/.])(?P<first>\d{1,2})(?P<s>[-/])(?P<second>\d{1,2})(?P=s)(?P<year>(?:19|20|21)\d\d|\d\d)(?![\d/])", _slashed),
    (r"(?<![\d/.-])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>(?:19|20)\d\d)(?!\d)", _dotted),
    (r"(?<![\d/.$€£¥])(?P<first>\d{1,2})/(?P<second>\d{1,2})(?![\d/.%])", _slashed),
    (r"(?<=on\s)(?P<first>1[0-2]|0?[1-9])\.(?P<second>3[01]|[12]\d|0[1-9])(?![\d.%]|\s?[a-z])", _slashed),
    (rf"(?:calendar\s)?year\s(?P<year>{YEAR})|cy\s?(?P<short>\d\d)(?!\d)",
     lambda m, _: whole_year(year_number(m["year"] or m["short"]), absolute=True)),
    (r"(?:the\s)?day\safter\stomorrow|(?:the\s)?day\sbefore\syesterday|today|tomorr?ow|yesterday|tmrw?(?![a-z])", _relative_day),
    (rf"(?:the\s(?=next\sdecade))?(?P<step>{STEP})\s(?P<unit>{UNIT})", _step_unit),
    (r"(?:the|that|same)\s(?P<unit>week(?:end)?|month|year|fortnight)(?![a-z'’-]|\s(?:after|of|\d))", _weak_unit),
    (rf"(?P<step>{STEP})\s(?P<month>{MONTH})(?:\s(?P<day>{DAY}))?(?!\s?\d)", _step_month),
    (r"(?P<step>this|next|last)\s(?P<month>1[0-2]|0?[1-9])/(?P<day>3[01]|[12]\d|0?[1-9])(?![\d/])",
     lambda m, today: _step_numeric(int(m["month"]), int(m["day"]), _step(m["step"]), today)),
    (rf"(?P<step>{STEP})\s(?P<weekday>{WEEKDAY})", _step_weekday),
    (rf"(?P<weekday>{WEEKDAY}),?\s(?:of\s)?(?P<step>{STEP})\sweek(?![a-z])", _weekday_of_week),
    (rf"(?P<step>{STEP})\sweek(?:['’]s)?\s(?:on\s)?(?P<weekday>{WEEKDAY})", _weekday_of_week),
    (rf"(?P<weekday>{WEEKDAY})", _weekday),
    (rf"(?P<weekday>{WEEKDAY}),?\s(?:the\s)?(?P<day>{ORDINAL}|(?:[12]\d|3[01])(?![\d:/-]|\s?[ap]\.?m))", _weekday_day),
    (rf"(?:the\s)?(?P<day>\d{{1,2}}(?:st|nd|rd|th))(?:\s(?:of\s)?(?P<step>{STEP})\smonth|(?=\s?(?:$|[.,;!?)-]|(?:of|at|from"
     r"|to|between|around|through|till|until|and|or|for|before|after|by|is|was|works?)\b))(?!\sof\s[a-z])|(?<=the \d\dth)(?=\s\d))", _ordinal),
    (rf"(?:the\s)?(?P<day>{ORDINAL})(?:\sday)?\sof\s(?P<step>{STEP})\smonth", _ordinal),
    (rf"(?P<count>{COUNT})\s?(?P<unit>{UNIT})(?:\sand\s(?P<more>{COUNT})\s(?P<more_unit>{UNIT}))?\s(?P<way>ago|later|earlier|from\snow|hence)(?![a-z])", _ago),
    (rf"(?:in|after)\s(?:about\s|around\s)?(?P<count>{COUNT})\s(?P<unit>{UNIT})(?!\s(?:ago|of|or|row))", _in_future),
    (r"(?:in\s)?half\sa\s(?P<unit>year|month)(?:\s(?P<way>ago|from\snow|later))", _half_away),
    (r"(?P<way>)in\shalf\sa\s(?P<unit>year|month)", _half_away),
    (rf"(?P<step>{STEP})\s(?P<count>{COUNT})\s(?P<unit>{UNIT})", _stretch),
    (rf"(?P<count>{COUNT})\s(?P<step>{STEP})\s(?P<unit>{UNIT}(?<=s))", _stretch),
    (rf"within\s(?:(?:the\s)?next\s)?(?P<count>{COUNT})\s(?P<unit>{UNIT})(?!\sand\s\d)", _within_next),
    (r"(?:the\s)?(?P<unit>week|month|year|weekend)\s(?P<way>after\snext|before\slast)", _two_away),
    (r"(?:the\s)?(?:(?P<word>" + "|".join(_TENS) + r")(?![a-z])|(?P<digits>(?:1[5-9]|20)\d0|[2-9]0)(?:'|’)?\s?s(?![a-z]))", _decade),
    (rf"(?:the\s)?(?P<count>{ORDINAL})\s+century", _century),
    (rf"(?:the\s)?(?P<kind>[qh])(?P<n>[1-4])(?!\w){_QUARTER_YEAR}?", _quarter),
    (rf"(?:(?P<year>{YEAR})[\s-])(?P<kind>[qh])(?P<n>[1-4])(?!\w)(?P<step>)", _quarter),
    (rf"(?:the\s)?(?P<n>{ORDINAL})\s(?P<kind>quarter|half){_QUARTER_YEAR}", _quarter),
    (rf"(?P<step>{STEP})\syear(?:['’]s)\s(?P<n>{ORDINAL})\s(?P<kind>quarter|half)(?P<year>)", _quarter),
    (rf"week\s(?P<n>\d{{1,2}})(?![\d:])(?:\sof\s(?:(?P<year>{YEAR})|(?P<step>{STEP})\syear))?", _week_number),
    (rf"(?P<name>christmas(?:\seve)?|new\syear['’]s(?:\sday|\seve)|halloween|valentine['’]?s(?:\sday)?"
     rf"|(?:saint|st\.?)\spatrick(?:['’]?s(?:\sday)?)?|earth\sday|independence\sday)(?:\s(?:of\s)?(?P<year>{YEAR}))?", _holiday),
    (r"(?P<way>later|rest\sof|remaining\sof|remainder\sof)\s(?:the|this)\s(?P<unit>week|month|year)(?![a-z])", _rest_of),
)  # fmt: skip
_TABLE = tuple((re.compile(pattern, re.IGNORECASE), builder) for pattern, builder in _RULES)


def _step_numeric(month: int, day: int, step: int, today: date) -> Calendar | None:
    if step == 0:
        return one_day(date(today.year, month, day))
    part = Partial(None, month, day)
    return following(part, today + timedelta(days=1)) if step > 0 else settled(part, today, "past")


_UNSURE_MONTH = re.compile(r"(?:may|march|mar)\.?\Z", re.IGNORECASE)
_UNSURE_WEEKDAY = re.compile(r"(?:sat|sun|wed|mon|thu|fri)\.?\Z", re.IGNORECASE)
_LEADS_MONTH = re.compile(
    r"(?:\b(?:in|of|this|next|last|by|since|until|till|before|after|during|from|to|through|between|on|early|late|mid)|[-–(/])\s?\Z",
    re.IGNORECASE,
)
_LEADS_WEEKDAY = re.compile(r"\b(?:on|this|next|last|by|until|till|from|to|through|and|or|each|every|week)\s\Z", re.IGNORECASE)
_RANGES_ON = re.compile(r"\s?(?:to|-|–|through|until)\s?", re.IGNORECASE)
_PRONOUN = re.compile(r"\s(?:i|we|you|he|she|it|they|the|be|have|not|also)\b", re.IGNORECASE)


def read_date(text: str, position: int, today: date) -> Found | None:
    """The date that begins at this position and where it ends."""
    best: Found | None = None
    for pattern, builder in _TABLE:
        match = pattern.match(text, position)
        if match is not None and (best is None or match.end() > best[1]) and _is_sure(match, text):
            try:
                built = builder(match, today)
            except (ValueError, OverflowError):
                continue
            if built is not None and built != Partial():
                best = (built, match.end())
    portion = _read_portion(text, position, today)
    if portion is not None and (best is None or portion[1] > best[1]):
        best = portion
    return best and _with_apposition(text, position, best, today)


def _is_sure(match: re.Match[str], text: str) -> bool:
    """Whether `may`, `march`, `sat`, `sun` are meant as names here."""
    word = match[0]
    if text[max(0, match.start() - 2) : match.start()].strip()[-1:] in ("$", "€", "£"):
        return False
    if not (_UNSURE_MONTH.match(word) or _UNSURE_WEEKDAY.match(word)):
        return True
    before = text[max(0, match.start() - 12) : match.start()]
    if _UNSURE_MONTH.match(word):
        if _PRONOUN.match(text, match.end()):
            return False
        return _LEADS_MONTH.search(before) is not None or (word[0].isupper() and _RANGES_ON.match(text, match.end()) is not None)
    if _LEADS_WEEKDAY.search(before):
        return True
    article = re.search(r"\b(?:the|a)\s\Z", before, re.IGNORECASE)
    return word[0].isupper() and not article


_APPOSITION = re.compile(r"(?:\s?\(|,\s?|\s)(?:the\s)?")
_CLOSING = re.compile(r"\s?\)")


def _with_apposition(text: str, position: int, found: Found, today: date) -> Found:
    """A weekday or relative day followed by the date itself: `Tuesday, Jan 15`, `this Friday (jun-15)`."""
    calendar, end = found
    if not _names_weekday(calendar, text[position:end]):
        return found
    gap = _APPOSITION.match(text, end)
    if gap is None:
        return found
    for pattern, builder in _TABLE[:11]:
        match = pattern.match(text, gap.end())
        if match is None or builder is _month:
            continue
        try:
            date_said = builder(match, today)
        except (ValueError, OverflowError):
            continue
        if date_said is None or date_said == Partial() or (isinstance(date_said, Partial) and date_said.day is None):
            continue
        if isinstance(date_said, Partial):
            date_said = _near(date_said, calendar)
        closing = _CLOSING.match(text, match.end()) if "(" in gap[0] else None
        return date_said, closing.end() if closing else match.end()
    return found


def _near(part: Partial, calendar: Calendar) -> Calendar:
    if isinstance(calendar, Partial):
        return replace(part, weekday=calendar.weekday)
    return settled(part, calendar.begins) or part


def _names_weekday(calendar: Calendar, words: str) -> bool:
    if isinstance(calendar, Partial):
        return calendar.weekday is not None and calendar.day is None
    named = re.search(rf"(?:{WEEKDAY}|today|tomorrow|yesterday)\Z", words, re.IGNORECASE)
    return calendar.precision == "day" and not calendar.absolute and named is not None


_WHICH = re.compile(
    rf"(?:the\s)?(?:(?P<way>first|last)\s(?P<count>{COUNT})\s(?P<units>{UNIT})|(?P<nth>{ORDINAL}|last)\s(?P<unit>{UNIT}))\s(?:of|in)\s(?:the\s)?",
    re.IGNORECASE,
)
_PHASE = re.compile(
    r"(?:(?P<phase>beginning|start|middle|end)\sof\s(?:the\s)?|(?P<prefix>early|mid|late)(?:\sin|\sof)?[\s-](?:the\s)?)",
    re.IGNORECASE,
)
_SHORT_PHASE = re.compile(r"(?:eo(?P<unit>[ymw])|year[\s-]end)(?![a-z])", re.IGNORECASE)
_PHASES = {"beginning": 0, "start": 0, "early": 0, "middle": 1, "mid": 1, "end": 2, "late": 2}


def _read_portion(text: str, position: int, today: date) -> Found | None:
    """A part of a longer period: the first two weeks of May, the end of 2008, mid-November."""
    short = _SHORT_PHASE.match(text, position)
    if short is not None:
        unit: Unit = "month" if (short["unit"] or "y").lower() == "m" else "year"
        return _phase(period(today, unit), 2), short.end()
    which = _WHICH.match(text, position)
    if which is not None:
        whole = _read_period(text, which.end(), today)
        portion = _which(which, whole[0]) if whole is not None else None
        if whole is not None and portion is not None:
            return portion, whole[1]
    phase = _PHASE.match(text, position)
    if phase is not None:
        whole = _read_period(text, phase.end(), today)
        if whole is not None:
            return _phase(whole[0], _PHASES[(phase["phase"] or phase["prefix"]).lower()]), whole[1]
    return None


def _read_period(text: str, position: int, today: date) -> tuple[Days, int] | None:
    """A month, a quarter or a year, settled."""
    bare = re.compile(YEAR, re.IGNORECASE).match(text, position)
    best: Found | None = None if bare is None else (whole_year(year_number(bare[0]), absolute=True), bare.end())
    unit = re.compile(r"(?P<unit>year|month)(?![a-z])", re.IGNORECASE).match(text, position)
    if unit is not None:
        best = (period(today, unit_of(unit["unit"])), unit.end())
    for pattern, builder in _TABLE:
        match = pattern.match(text, position)
        if match is not None and (best is None or match.end() > best[1]):
            try:
                built = builder(match, today)
            except (ValueError, OverflowError):
                continue
            if built is not None and built != Partial():
                best = (built, match.end())
    if best is None:
        return None
    whole = settled(best[0], today) if isinstance(best[0], Partial) else best[0]
    return (whole, best[1]) if whole is not None and whole.precision in ("year", "month", "week") else None


def _which(match: re.Match[str], whole: Days) -> Days | None:
    if match["way"]:
        count = round(count_number(match["count"]))
        return within(whole, unit_of(match["units"]), 0 if match["way"].lower() == "first" else -count, count)
    if unit_of(match["unit"]) == "day":
        return None
    nth = match["nth"].lower()
    return within(whole, unit_of(match["unit"]), -1 if nth == "last" else ordinal_number(nth) - 1)


def _phase(whole: Days, third: int) -> Days:
    """Beginning, middle or end of a period, with the point a range takes from it."""
    length = (whole.ends - whole.begins).days
    cuts = (0, length // 3, length - length // 3, length)
    if 28 <= length <= 31:
        cuts = (0, 10, 20, length)
        if third == 1:
            cuts = (0, 9, 20, length)
    begins, ends = (whole.begins + timedelta(days=cuts[third + offset]) for offset in (0, 1))
    if whole.precision == "year" and length > 300:
        begins = date(whole.begins.year, (1, 5, 9)[third], 1)
        ends = add_months(begins, 4)
    point = (None, whole.begins + timedelta(days=length // 2), whole.ends)[third]
    precision = "month" if whole.precision == "year" else "day"
    return Days(begins, ends, precision, whole.absolute, point=point)
