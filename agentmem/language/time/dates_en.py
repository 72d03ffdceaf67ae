"""Reads English dates: December 26th 2024, next Thursday, three days ago, the last week of May.

A table of patterns with a builder each; the longest that fits at a position wins. Input is in NFKC.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from agentmem import patterns as re
from agentmem.language.time.dates import (
    Days,
    Partial,
    Unit,
    add_months,
    easter,
    following,
    nth_weekday,
    on_weekday,
    one_day,
    period,
    settled,
    shifted,
    whole_month,
    whole_year,
    within,
)
from agentmem.language.time.dates import offset as offset_days
from agentmem.language.time.vocabulary_en import (
    COUNT,
    DAY,
    DAY_BEFORE_MONTH,
    MONTH,
    ORDINAL,
    STEP,
    UNIT,
    WEEKDAY,
    YEAR,
    beginning_at,
    count_number,
    is_meant,
    month_number,
    opening_of,
    ordinal_number,
    unit_of,
    weekday_number,
    year_number,
)

Calendar = Days | Partial
Found = tuple[Calendar, int]
Builder = Callable[[re.Match, date], Calendar | None]

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


def _year(match: re.Match) -> int | None:
    words = match["year"] or match.groupdict().get("short")
    return year_number(words) if words else None


def _month_day(match: re.Match, _today: date) -> Calendar | None:
    day = ordinal_number(match["day"])
    return Partial(_year(match), month_number(match["month"]), day) if 1 <= day <= 31 else None


def _month_year(match: re.Match, _today: date) -> Calendar:
    return whole_month(year_number(match["year"] or match["short"]), month_number(match["month"]), absolute=True)


def _month(match: re.Match, _today: date) -> Calendar:
    return Partial(month=month_number(match["month"]))


def _numeric(match: re.Match, _today: date) -> Calendar:
    return one_day(date(int(match["year"]), int(match["month"]), int(match["day"])), absolute=True)


def _slashed(match: re.Match, _today: date) -> Calendar:
    """Month first, unless that cannot be."""
    month, day = int(match["first"]), int(match["second"])
    if month > 12:
        month, day = day, month
    words = match.groupdict().get("year")
    if words is None:
        return Partial(None, month, day) if 1 <= month <= 12 and 1 <= day <= 31 else Partial()
    return one_day(date(year_number(words), month, day), absolute=True)


def _dotted(match: re.Match, _today: date) -> Calendar:
    return one_day(date(int(match["year"]), int(match["month"]), int(match["day"])), absolute=True)


def _relative_day(match: re.Match, today: date) -> Calendar:
    return one_day(today + timedelta(days=_TODAY[re.sub(r"\s+", " ", match[0].lower())]))


def _step_unit(match: re.Match, today: date) -> Calendar | None:
    word = match["step"].lower()
    if match["unit"].lower().endswith("s"):
        return None  # the coming weeks
    unit = unit_of(match["unit"])
    if unit == "week" and "work" in match["unit"].lower():
        week = period(today, "week", _step(word))
        return replace(week, ends=week.ends - timedelta(days=2), precision="day")
    return period(today, unit, _step(word))


def _weak_unit(match: re.Match, today: date) -> Calendar:
    return period(today, unit_of(match["unit"]))


def _step_month(match: re.Match, today: date) -> Calendar | None:
    month, step = month_number(match["month"]), _step(match["step"])
    day = ordinal_number(match["day"]) if match["day"] else None
    part = Partial(None, month, day)
    if step == 0:
        return settled(replace(part, year=today.year), today) and replace(part, year=today.year)
    if step > 0:
        return following(part, period(today, "month").ends if day is None else today + timedelta(days=1))
    return settled(part, today.replace(day=1), "past")


def _step_weekday(match: re.Match, today: date) -> Calendar:
    weekday, word = weekday_number(match["weekday"]), match["step"].lower().split()[-1]
    if word in ("coming", "upcoming"):
        return one_day(today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1))
    if word == "past":
        return one_day(today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1))
    return on_weekday(today, weekday, _step(word))


def _weekdays_ago(match: re.Match, today: date) -> Calendar:
    last = today - timedelta(days=(today.weekday() - weekday_number(match["weekday"]) - 1) % 7 + 1)
    return one_day(last - timedelta(days=7 * (round(count_number(match["count"])) - 1)))


def _weekday_of_week(match: re.Match, today: date) -> Calendar:
    return on_weekday(today, weekday_number(match["weekday"]), _step(match["step"]))


def _weekday(match: re.Match, _today: date) -> Calendar:
    return Partial(weekday=weekday_number(match["weekday"]))


def _weekday_day(match: re.Match, _today: date) -> Calendar:
    return Partial(
        None, None, ordinal_number(match["day"].lower().removeprefix("the ")), weekday_number(match["weekday"])
    )


def _ordinal(match: re.Match, today: date) -> Calendar | None:
    day = ordinal_number(match["day"])
    if match["step"]:
        return one_day(period(today, "month", _step(match["step"])).begins.replace(day=day))
    return Partial(day=day) if 1 <= day <= 31 else None


def _ago(match: re.Match, today: date) -> Calendar:
    sign = -1 if match["way"].lower() in ("ago", "earlier", "before") else 1
    base, count = today, count_number(match["count"])
    if match["more"]:
        base = shifted(base, sign * round(count), unit_of(match["unit"]))
        return offset_days(base, sign * round(count_number(match["more"])), unit_of(match["more_unit"]))
    unit = unit_of(match["unit"])
    if count % 1 and unit == "year":
        return offset_days(base, sign * round(12 * count), "month")
    return offset_days(base, sign * round(count), unit)


def _half_more(match: re.Match, today: date) -> Calendar:
    """One and a half, two and a half."""
    sign = -1 if match["way"].lower() in ("ago", "earlier") else 1
    count, unit = round(count_number(match["count"])), unit_of(match["unit"] or match["single"])
    if unit == "year":
        return offset_days(today, sign * (12 * count + 6), "month")
    half = timedelta(days=15 if unit == "month" else 3)
    return offset_days(today + sign * half, sign * count, unit)


def _in_future(match: re.Match, today: date) -> Calendar:
    return offset_days(today, round(count_number(match["count"])), unit_of(match["unit"]))


def _half_away(match: re.Match, today: date) -> Calendar:
    sign = -1 if (match["way"] or "").lower() == "ago" else 1
    return (
        offset_days(today, 6 * sign, "month")
        if match["unit"].lower() == "year"
        else one_day(today + timedelta(15 * sign))
    )


def _stretch(match: re.Match, today: date) -> Calendar:
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


def _within_next(match: re.Match, today: date) -> Calendar:
    last = shifted(today, round(count_number(match["count"])), unit_of(match["unit"]))
    return Days(today, last + timedelta(days=1), "day", edges=(today, last))


def _two_away(match: re.Match, today: date) -> Calendar:
    return period(today, unit_of(match["unit"]), 2 if match["way"].lower() == "after next" else -2)


def _decade(match: re.Match, today: date) -> Calendar:
    if match["word"]:
        tens = _TENS[match["word"].lower()]
    else:
        number = int(match["digits"])
        if number > 99:
            return whole_year(number, absolute=True, count=10)
        tens = number
    base = today.year // 100 * 100
    return whole_year(base + tens - (100 if base + tens > today.year else 0), count=10)


def _century(match: re.Match, _today: date) -> Calendar:
    return whole_year((ordinal_number(match["count"]) - 1) * 100, absolute=True, count=100)


def _quarter(match: re.Match, today: date) -> Calendar:
    year, absolute = today.year, False
    if match["year"]:
        year, absolute = year_number(match["year"]), True
    elif match["step"]:
        year += _step(match["step"])
    number = ordinal_number(match["n"])
    unit: Unit = "half" if match["kind"].lower() == "h" or match["kind"].lower() == "half" else "quarter"
    return replace(within(whole_year(year), unit, number - 1), absolute=absolute)


def _week_number(match: re.Match, today: date) -> Calendar | None:
    year = year_number(match["year"]) if match["year"] else today.year + (_step(match["step"]) if match["step"] else 0)
    number = int(match["n"])
    return within(whole_year(year), "week", number - 1) if 1 <= number <= 53 else None


def _holiday(match: re.Match, today: date) -> Calendar | None:
    name = match["name"].lower().replace("’", "'").replace(".", "")
    month, day = next(day for start, day in _HOLIDAYS.items() if name.startswith(start))
    return _stepped(Partial(_year(match), month, day), match["step"], today)


def _moving_holiday(match: re.Match, today: date) -> Calendar:
    is_easter = match["name"].lower() == "easter"
    day_in = easter if is_easter else _thanksgiving
    if match["year"]:
        return one_day(day_in(year_number(match["year"])), absolute=True)
    part = Partial(month=4 if is_easter else 11, moving=day_in)
    if not match["step"]:
        return part
    past = _step(match["step"]) < 0
    day = settled(part, today - timedelta(days=1), "past" if past else "future")
    return part if day is None else day


def _thanksgiving(year: int) -> date:
    return nth_weekday(whole_month(year, 11), 3, 4).begins


def _rest_of(match: re.Match, today: date) -> Calendar:
    whole = period(today, unit_of(match["unit"]))
    if match["unit"].lower() == "year" and match["way"].lower() == "later":
        return replace(whole, begins=date(today.year, 7, 1), precision="month")
    return Days(today, whole.ends, "day")


def _step_numeric(match: re.Match, today: date) -> Calendar | None:
    return _stepped(Partial(None, int(match["month"]), int(match["day"])), match["step"], today)


def _stepped(part: Partial, word: str | None, today: date) -> Calendar | None:
    """The date of this year, the next one to come or the last one that was, where it is said which."""
    if word is None or part.year is not None or part.month is None or part.day is None:
        return part
    step = _step(word)
    if step == 0:
        return one_day(date(today.year, part.month, part.day))
    return following(part, today + timedelta(days=1)) if step > 0 else settled(part, today - timedelta(days=1), "past")


_QUARTER_YEAR = rf"(?:[\s-](?:of\s|in\s)?(?:(?P<year>{YEAR})|(?:the|(?P<step>{STEP}))\syear))"
_RULES: tuple[tuple[str, Builder], ...] = (
    (rf"(?P<month>{MONTH})[\s,./-]{{0,3}}(?:the\s)?(?P<day>{DAY})(?![:%]|\s?[ap]\.?m\b){_OF_YEAR}?", _month_day),
    (rf"(?P<day>{DAY_BEFORE_MONTH})(?:\sday)?[\s/-]?(?:of\s|the\s)?(?P<month>{MONTH}){_OF_YEAR}?", _month_day),
    (rf"(?P<year>{YEAR})[/\s-](?P<month>{MONTH})[/\s-](?P<day>{DAY})(?![:%])", _month_day),
    (rf"(?P<year>{YEAR})[/-](?P<day>{DAY})[/-](?P<month>{MONTH})", _month_day),
    (rf"(?P<month>{MONTH})\s?{_OF_YEAR}", _month_year),
    (rf"(?P<month>{MONTH})", _month),
    (r"(?<![\d.])(?P<year>(?:1[5-9]|2[01])\d\d)(?P<s>[-/.])(?P<month>\d{1,2})(?P=s)(?P<day>\d{1,2})(?!\d|\.\d)",
     _numeric),
    (r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)", _numeric),
    (r"(?<![\d/.])(?P<first>\d{1,2})(?P<s>[-/])(?P<second>\d{1,2})(?P=s)(?P<year>(?:19|20|21)\d\d|\d\d)(?![\d/])",
     _slashed),
    (r"(?<![\d/.-])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>(?:19|20)\d\d)(?!\d)", _dotted),
    (r"(?<![\d/.$€£¥])(?P<first>\d{1,2})/(?P<second>\d{1,2})(?![\d/.%])", _slashed),
    (r"(?<=on\s)(?P<first>1[0-2]|0?[1-9])\.(?P<second>3[01]|[12]\d|0[1-9])(?![\d.%]|\s?[a-z])", _slashed),
    (rf"(?:calendar\s)?year\s(?P<year>{YEAR})|cy\s?(?P<short>\d\d)(?!\d)",
     lambda m, _: whole_year(year_number(m["year"] or m["short"]), absolute=True)),
    (r"(?:the\s)?day\s(?:after\stomorrow|before\syesterday)|today|tomorr?ow|yesterday|tmrw?(?![a-z])", _relative_day),
    (rf"(?:the\s(?=next\sdecade))?(?P<step>{STEP})\s(?P<unit>{UNIT})", _step_unit),
    (r"(?:the|that|same)\s(?P<unit>week(?:end)?|month|year|fortnight)(?![a-z'’-]|\s(?:after|of|\d))", _weak_unit),
    (rf"(?P<step>{STEP})\s(?P<month>{MONTH})(?:\s(?P<day>{DAY}))?(?!\s?\d)", _step_month),
    (r"(?P<step>this|next|last)\s(?P<month>1[0-2]|0?[1-9])/(?P<day>3[01]|[12]\d|0?[1-9])(?![\d/])", _step_numeric),
    (rf"(?P<step>{STEP})\s(?P<weekday>{WEEKDAY})", _step_weekday),
    (rf"(?P<weekday>{WEEKDAY}),?\s(?:of\s)?(?P<step>{STEP})\sweek(?![a-z])", _weekday_of_week),
    (rf"(?P<step>{STEP})\sweek(?:['’]s)?\s(?:on\s)?(?P<weekday>{WEEKDAY})", _weekday_of_week),
    (rf"(?P<weekday>{WEEKDAY})", _weekday),
    (rf"(?P<count>{COUNT})\s(?P<weekday>mon|tues|wednes|thurs|fri|satur|sun)days\sago(?![a-z])", _weekdays_ago),
    (rf"(?P<weekday>{WEEKDAY}),?\s(?!the\s{ORDINAL}\s(?:of\s)?{MONTH})(?P<day>the\s{ORDINAL}|\d{{1,2}}(?:st|nd|rd|th)(?![a-z])"
     rf"|(?:[12]\d|3[01])(?![\da-z:/-]|\s?[ap]\.?m))(?!\s(?:of\s)?{MONTH})", _weekday_day),
    (rf"(?:the\s)?(?P<day>\d{{1,2}}(?:st|nd|rd|th))(?:\s(?:of\s)?(?P<step>{STEP})\smonth|(?!\sof\s[a-z])(?=\s?(?:$"
     r"|[.,;!?)-]|(?:of|at|from|to|between|around|through|till|until|and|or|for|before|after|by|is|was|works?)\b)))",
     _ordinal),
    (rf"(?:the\s)?(?P<day>{ORDINAL})(?:\sday)?\sof\s(?:(?P<step>{STEP})|the)\smonth", _ordinal),
    (rf"(?P<count>{COUNT})\s?(?P<unit>{UNIT})(?:\sand\s(?P<more>{COUNT})\s(?P<more_unit>{UNIT}))?"
     r"\s(?P<way>ago|later|earlier|from\snow|hence)(?![a-z])", _ago),
    (rf"(?P<count>{COUNT})\s(?:and\sa\shalf\s(?P<unit>(?:week|month|year)s)|(?P<single>week|month|year)\sand\sa\shalf)"
     r"\s(?P<way>ago|later|earlier|from\snow|hence)(?![a-z])", _half_more),
    (rf"in\s(?:about\s|around\s)?(?P<count>{COUNT})\s(?P<unit>{UNIT})(?!\s(?:ago|of|or|row))", _in_future),
    (r"(?:in\s)?half\sa\s(?P<unit>year|month)(?:\s(?P<way>ago|from\snow|later))", _half_away),
    (r"(?P<way>)in\shalf\sa\s(?P<unit>year|month)", _half_away),
    (rf"(?P<step>{STEP})\s(?P<count>{COUNT})\s(?P<unit>{UNIT})", _stretch),
    (rf"(?P<count>{COUNT})\s(?P<step>{STEP})\s(?P<unit>{UNIT}(?<=s))", _stretch),
    (rf"within\s(?:(?:the\s)?next\s)?(?P<count>{COUNT})\s(?P<unit>{UNIT})(?!\sand\s\d)", _within_next),
    (r"(?:the\s)?(?P<unit>week|month|year|weekend)\s(?P<way>after\snext|before\slast)", _two_away),
    (rf"(?:the\s)?(?:(?P<word>{'|'.join(_TENS)})(?![a-z])|(?P<digits>(?:1[5-9]|20)\d0|[2-9]0)['’]?\s?s(?![a-z]))",
     _decade),
    (rf"(?:the\s)?(?P<count>{ORDINAL})\s+century", _century),
    (rf"(?:the\s)?(?P<kind>[qh])(?P<n>[1-4])(?!\w){_QUARTER_YEAR}?", _quarter),
    (rf"(?:(?P<year>{YEAR})[\s-])(?P<kind>[qh])(?P<n>[1-4])(?!\w)(?P<step>)", _quarter),
    (rf"(?:the\s)?(?P<n>{ORDINAL})\s(?P<kind>quarter|half){_QUARTER_YEAR}", _quarter),
    (rf"(?P<kind>quarter)\s(?P<n>[1-4])(?!\w){_QUARTER_YEAR}", _quarter),
    (rf"(?P<step>{STEP})\syear(?:['’]s)\s(?P<n>{ORDINAL})\s(?P<kind>quarter|half)(?P<year>)", _quarter),
    (rf"week\s(?P<n>\d{{1,2}})(?![\d:])(?:\sof\s(?:(?P<year>{YEAR})|(?P<step>{STEP})\syear))?", _week_number),
    (rf"(?:(?P<step>{STEP})\s)?(?P<name>christmas(?:\seve)?|new\syear['’]s(?:\sday|\seve)|halloween|valentine['’]?s(?:\sday)?|earth\sday"
     rf"|independence\sday|(?:saint|st\.?)\spatrick(?:['’]?s(?:\sday)?)?)(?:\s(?:of\s)?(?P<year>{YEAR}))?", _holiday),
    (rf"(?:(?P<step>{STEP})\s)?(?P<name>easter|thanksgiving)(?:\sday)?(?:\s(?:of\s)?(?P<year>{YEAR}))?",
     _moving_holiday),
    (r"(?P<way>later|rest\sof|remaining\sof|remainder\sof)\s(?:the|this)\s(?P<unit>week|month|year)(?![a-z])",
     _rest_of),
)  # fmt: skip
_TABLE = tuple((re.compile(pattern, re.IGNORECASE), builder, opening_of(pattern)) for pattern, builder in _RULES)
_CALENDAR_DATES = _TABLE[:11]


def match_date(text: str, position: int, today: date, *, sure: bool = False) -> Found | None:
    """The longest date of the table that begins here. `sure`: `may` cannot be a verb here."""
    best: Found | None = None
    for match, builder in beginning_at(_TABLE, text, position):
        if (best is None or match.end() > best[1]) and (sure or is_meant(match, text)):
            built = _built(builder, match, today)
            best = (built, match.end()) if built is not None else best
    return best


def match_day(text: str, position: int, today: date) -> Found | None:
    """A day named by its month or in figures, as it stands behind a weekday."""
    for match, builder in beginning_at(_CALENDAR_DATES, text, position):
        built = _built(builder, match, today)
        if built is not None and not (isinstance(built, Partial) and built.day is None):
            return built, match.end()
    return None


def _built(builder: Builder, match: re.Match, today: date) -> Calendar | None:
    try:
        built = builder(match, today)
    except (ValueError, OverflowError):
        return None
    return built if built != Partial() else None
