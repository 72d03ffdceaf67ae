"""Reads Chinese dates: 2024年12月26日, 下周四, 三天后, 去年下半年, 十月的第一周.

A table of patterns with a builder each; the longest that fits at a position wins. Input is in NFKC with
simplified characters."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from agentmem import patterns as re
from agentmem.language.time.dates import (
    Days,
    Partial,
    Unit,
    beside,
    half_of,
    nth_weekday,
    offset,
    on_weekday,
    one_day,
    period,
    settled,
    shifted,
    spans_years,
    third_of,
    whole_month,
    whole_year,
    within,
)
from agentmem.language.time.numerals import ERA_YEAR, ZH_DIGITS, era_year, zh_integer
from agentmem.language.time.seasons import read_season_zh, season_in_year

_WEEKDAYS = {ch: index for index, ch in enumerate("一二三四五六日")} | {"天": 6}
_BESIDE_UNITS: dict[str, Unit] = {
    "天": "day", "日": "day", "周末": "weekend", "周": "week", "星期": "week", "礼拜": "week",
    "月": "month", "年": "year",
}  # fmt: skip
_BESIDE_UNIT = r"(?:(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天](?![个次遍]))|(?P<unit>周末|周|星期|礼拜|天|月|年))"
_BESIDE = re.compile(rf"\s?的?(?:之?(?P<way>[前后])的?(?:那一?|一)个?|(?:那|当)(?:一)?个?){_BESIDE_UNIT}")


def read_beside(text: str, position: int, found: Days | Partial, today: date) -> tuple[Days, int] | None:
    """The day, week, weekend or weekday that is named by a day before it, which must be one day."""
    match = _BESIDE.match(text, position)
    base = settled(found, today) if isinstance(found, Partial) else found
    if match is None or base is None or base.ends != one_day(base.begins).ends:
        return None
    what = _WEEKDAYS[match["weekday"]] if match["weekday"] else _BESIDE_UNITS[match["unit"]]
    if match["way"]:
        return beside(base, what, -1 if match["way"] == "前" else 1), match.end()
    if isinstance(what, int):
        return None
    return period(base.begins, what), match.end()


Calendar = Days | Partial
Builder = Callable[[re.Match, date], Calendar | None]

_MONTH = r"(?:1[0-2]|0?[1-9](?!\d)|十[一二]?|[一二三四五六七八九])"
_DAY = (
    r"(?:3[01]|[12]\d|0?[1-9](?!\d)"
    r"|(?:三十一?|二十[一二三四五六七八九]?|十[一二三四五六七八九]?|[一二三四五六七八九])(?![一二三四五六七八九十]))"
)
_YEAR = r"(?:(?<!\d)\d{4}|[一二][零〇一二三四五六七八九]{3})"
_SHORT_YEAR = r"(?:(?<!\d)[09]\d|[零〇九八][零〇一二三四五六七八九])"
_COUNT = r"(?:\d{1,3}|[一二两三四五六七八九]?[十百][零一二三四五六七八九十]{0,3}|[一二两三四五六七八九])"
_THIS_YEAR = {"大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0, "明年": 1, "下一年": 1,
              "后年": 2, "大后年": 3}  # fmt: skip
_NEXT_YEAR = "|".join(sorted(_THIS_YEAR, key=len, reverse=True))
_WEEK = r"(?:周|星期|礼拜)"
WEEKDAYS = {ch: index for index, ch in enumerate("一二三四五六")} | {"日": 6, "天": 6} | {
    str(index + 1): index for index in range(7)
}  # fmt: skip
_TODAY = {"大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "昨儿": -1, "昨": -1, "今天": 0,
          "今日": 0, "今儿": 0, "今": 0, "当天": 0, "明天": 1, "明日": 1, "明儿": 1, "明": 1, "后天": 2, "后日": 2,
          "大后天": 3}  # fmt: skip
# Only those with a fixed date; the others need a lunar calendar.
_HOLIDAYS = {"元旦": (1, 1), "情人节": (2, 14), "妇女节": (3, 8), "劳动节": (5, 1), "五一": (5, 1), "儿童节": (6, 1),
             "国庆": (10, 1), "平安夜": (12, 24), "圣诞": (12, 25)}  # fmt: skip
_UNITS: dict[str, Unit] = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "个月": "month", "月": "month",
    "季度": "quarter", "季": "quarter", "年": "year", "周末": "weekend", "工作日": "weekday", "周年": "year",
}  # fmt: skip
_UNIT = r"(?:个?(?:工作日|周末|星期|礼拜|季度)|个?月|周年?|天|日|年)"
_STEPS = r"(?P<step>上{1,3}|下{1,3}|这|本|当)(?:一?个|一)?"


def _step(word: str) -> int:
    return -len(word) if word[0] == "上" else len(word) if word[0] == "下" else 0


def _unit(word: str) -> Unit:
    return _UNITS[word.removeprefix("个")]


def _year(match: re.Match, today: date) -> tuple[int, bool] | None:
    """The year of a match and whether it was said in full."""
    if match["near"]:
        return today.year + _THIS_YEAR[match["near"]], False
    counted = era_year(match["year"])
    if counted is not None:
        return counted, True
    digits = "".join(str(ZH_DIGITS.get(ch, ch)) for ch in match["year"])
    year = int(digits)
    if len(digits) == 2:
        return year + (1900 if year >= 50 else 2000), True
    return (year, True) if 1 <= year <= 9998 else None


def _number(text: str | None) -> int:
    return zh_integer(text or "") or 0


def _full_date(match: re.Match, today: date) -> Calendar | None:
    found = _year(match, today)
    if found is None:
        return None
    return one_day(date(found[0], _number(match["month"]), _number(match["day"])), absolute=found[1])


def _year_month(match: re.Match, today: date) -> Calendar | None:
    found = _year(match, today)
    return None if found is None else whole_month(found[0], _number(match["month"]), absolute=found[1])


def _whole_year(match: re.Match, today: date) -> Calendar | None:
    found = _year(match, today)
    return None if found is None else whole_year(found[0], absolute=found[1])


def _month_day(match: re.Match, _today: date) -> Calendar:
    weekday = match["weekday"]
    return Partial(None, _number(match["month"]), _number(match["day"]), WEEKDAYS[weekday] if weekday else None)


def _weekday_day(match: re.Match, _today: date) -> Calendar:
    month = _number(match["month"]) or None
    return Partial(None, month, _number(match["day"]), WEEKDAYS[match["weekday"]])


def _holiday(match: re.Match, _today: date) -> Calendar:
    month, day = next(day for name, day in _HOLIDAYS.items() if name in match[0])
    return Partial(None, month, day)


def _month(match: re.Match, _today: date) -> Calendar:
    return Partial(month=_number(match["month"]))


def _day(match: re.Match, _today: date) -> Calendar:
    return Partial(day=_number(match["day"]), weekday=WEEKDAYS[match["weekday"]] if match["weekday"] else None)


def _this_day(match: re.Match, today: date) -> Calendar:
    """The same day of another year, month or week."""
    near = match["near"]
    if near:
        return one_day(shifted(today, _THIS_YEAR[near], "year"))
    return one_day(shifted(today, _step(match["step"]), _unit(match["unit"])))


def _near_day(match: re.Match, today: date) -> Calendar:
    return one_day(today + timedelta(days=_TODAY[match[0]]))


def _step_month(match: re.Match, today: date) -> Calendar:
    month = period(today, "month", _step(match["step"]))
    day = match["day"]
    return one_day(month.begins.replace(day=_number(day))) if day else month


def _step_unit(match: re.Match, today: date) -> Calendar:
    return period(today, _unit(match["unit"]), _step(match["step"]))


def _step_weekday(match: re.Match, today: date) -> Calendar:
    step = match["step"]
    if match["weekday"] == "末":
        return period(today, "weekend", _step(step) if step else 0)
    weekday = WEEKDAYS[match["weekday"]]
    return on_weekday(today, weekday, _step(step)) if step else Partial(weekday=weekday)


def _from_now(match: re.Match, today: date) -> Calendar:
    unit, count = _unit(match["unit"]), _number(match["count"])
    sign = -1 if match["way"].endswith("前") else 1
    if match["half"] and unit == "year":
        return offset(today, sign * (12 * count + 6), "month")
    half = {"month": 15, "week": 3}.get(unit, 0) if match["half"] else 0
    return offset(shifted(today, sign * half, "day"), sign * count, unit)


def _half_from_now(match: re.Match, today: date) -> Calendar:
    sign = -1 if match["way"].endswith("前") else 1
    return one_day(today + timedelta(days=15 * sign)) if "月" in match["unit"] else offset(today, 6 * sign, "month")


def _stretch(match: re.Match, today: date) -> Calendar:
    """The last or next few units, without today unless it is among `最近`."""
    unit = _unit(match["unit"])
    count = _number(match["count"]) or 1
    precision = offset(today, count, unit).precision
    if match["way"] in ("未来", "接下来", "今后", "往后"):
        return Days(today, shifted(today, count, unit), precision)
    return Days(shifted(today, -count, unit), today, precision)


def _within_from_now(match: re.Match, today: date) -> Calendar:
    return Days(today, shifted(today, _number(match["count"]), _unit(match["unit"])) + timedelta(days=1), "day")


def _decade(match: re.Match, today: date) -> Calendar:
    tens = _number(match["tens"]) if match["tens"].isdecimal() else ZH_DIGITS[match["tens"][0]] * 10
    century = match["century"]
    if century is None:
        base = today.year // 100 * 100
        base -= 100 if base + tens > today.year else 0
    elif century.startswith("上"):
        base = today.year // 100 * 100 - 100
    elif century.startswith("本"):
        base = today.year // 100 * 100
    else:
        base = (_number(century.removesuffix("世纪")) - 1) * 100
    return whole_year(base + tens, absolute=century is not None and not century.startswith(("上", "本")), count=10)


def _century(match: re.Match, today: date) -> Calendar:
    if match["step"]:
        return period(today, "century", _step(match["step"]))
    return whole_year((_number(match["count"]) - 1) * 100, absolute=True, count=100)


def _numeric(match: re.Match, _today: date) -> Calendar:
    return one_day(date(int(match["year"]), int(match["month"]), int(match["day"])), absolute=True)


def _day_first(match: re.Match, _today: date) -> Calendar | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    if second > 12:
        first, second = second, first
    return one_day(date(year, second, first), absolute=True)


_SAID_YEAR = rf"(?:(?P<year>{_YEAR}|{_SHORT_YEAR}|{ERA_YEAR})\s?年|(?P<near>{_NEXT_YEAR}))"
_AWAY = r"\s?(?P<way>之后|以后|之前|以前|(?<!\s)后(?![台面续备悔果])|(?<!\s)前(?![面台端任后往景]))"
_NOT_MONTHLY = r"(?!一月一(?![日号]))"
"""一月一交 is once a month."""
_COUNT_ALONE = rf"(?<![\d.一二两三四五六七八九十几])(?P<count>{_COUNT})"
_RULES: tuple[tuple[str, Builder], ...] = (
    (rf"{_SAID_YEAR}的?\s?(?P<month>{_MONTH})\s?月份?的?\s?(?P<day>{_DAY})(?:\s?[日号]|(?!\.?\d|[个年月点时:]))",
     _full_date),
    (rf"{_SAID_YEAR}的?\s?(?P<month>{_MONTH})\s?月份?", _year_month),
    (rf"(?:(?P<year>{_YEAR}|{_SHORT_YEAR}|{ERA_YEAR})\s?年(?![级款代来龄])|(?P<near>{_NEXT_YEAR})度?)", _whole_year),
    (rf"{_NOT_MONTHLY}(?P<month>{_MONTH})\s?月份?的?\s?(?P<day>{_DAY})"
     r"\s?(?:[日号]|(?!\.?\d|[个年月点时分:%元万块]))"
     rf"(?:\s?[,，(（]?\s?{_WEEK}(?P<weekday>[一二三四五六日天])[)）]?)?", _month_day),
    (rf"(?<![\d.]){_NOT_MONTHLY}(?P<month>{_MONTH})\s?月(?:份|(?![\d嫂经])(?!\s?\d))", _month),
    (rf"(?<![\d第路街道巷弄栋楼村])(?P<day>\d{{1,2}})\s?[日号](?![楼线店桌机员房门座厅本位电])"
     rf"(?:\s?[,，(（]?\s?{_WEEK}(?P<weekday>[一二三四五六日天])[)）]?)?",
     _day),
    (rf"(?<![\d第路街道巷弄栋楼村对])(?P<day>{_DAY})[日号](?![楼线店桌机员房门座厅本游内后前间位电语文元常三])(?P<weekday>)",
     _day),
    (rf"(?:(?P<near>{_NEXT_YEAR})|(?P<step>上{{1,3}}|下{{1,3}})个?(?P<unit>月|周|星期|礼拜))的?今[天日]", _this_day),
    (rf"{_STEPS}月(?:份)?(?:的?\s?(?P<day>{_DAY})[日号])?", _step_month),
    (rf"{_STEPS}(?P<unit>周末|周|星期|礼拜|季度|年)(?![一二三四五六日天末年])", _step_unit),
    (rf"(?<!(?<![周期拜])[一二两三四五六七八九十几每半\d])(?:{_STEPS})?(?:周|星期|礼拜)的?(?:(?<=的){_WEEK})?(?P<weekday>[一二三四五六日天末])"
     rf"(?![次遍])", _step_weekday),
    (rf"{_WEEK}(?P<weekday>[一二三四五六日天])\s?[(（,，]?\s?(?:(?P<month>{_MONTH})月)?(?P<day>{_DAY})[日号][)）]?",
     _weekday_day),
    (r"元旦|(?:五一|国际)?劳动节|五一(?=期间|假|放假|节|前|后|黄金)|六?一?儿童节|国庆节?|情人节|妇女节|平安夜|圣诞节?",
     _holiday),
    (r"大前天|(?<!大)前天|前日|昨[天日儿]|昨(?=[晚早夜晨])|今[天日儿](?!头条)|今(?=[晚早夜晨])|当天|明[天日儿]|明(?=[晚早晨])"
     r"|(?<![以之然最今年月周时])(?:后[天日](?![气性赋])|大后天)", _near_day),
    (rf"(?:再过|过了?)?{_COUNT_ALONE}\s?(?P<unit>{_UNIT})(?P<half>半)?{_AWAY}", _from_now),
    (rf"(?:再过|过了?)?{_COUNT_ALONE}个(?P<half>半)(?P<unit>月|星期|礼拜){_AWAY}", _from_now),
    (rf"半(?P<unit>个?月|年){_AWAY}", _half_from_now),
    (rf"(?:再过|过)(?P<count>{_COUNT})\s?(?P<unit>个?(?:星期|礼拜|月)|周|天)(?P<half>半)?(?P<way>)(?![前后])",
     _from_now),
    (rf"(?P<way>过去|最近|近|未来|接下来|今后|往后)(?:这|的)?(?P<count>{_COUNT})\s?(?P<unit>{_UNIT})(?![前后])",
     _stretch),
    (rf"{_COUNT_ALONE}\s?(?P<unit>{_UNIT})(?:之内|以内|内)", _within_from_now),
    (r"(?P<century>上个?世纪|本世纪|(?:\d{1,2}|二十一?|十[一二三四五六七八九]?)世纪)?"
     r"(?P<tens>\d0|[一二三四五六七八九]十)年代", _decade),
    (r"(?:(?P<step>上|下|本)个?|(?P<count>\d{1,2}|二十一?|十[一二三四五六七八九]?))世纪", _century),
    (r"(?<![\d.])(?P<year>\d{4})\s?[-/.]\s?(?P<month>\d{1,2})\s?[-/.]\s?(?P<day>\d{1,2})(?![\d.])", _numeric),
    (r"(?<![\d/.-])(?P<first>\d{1,2})[/-](?P<second>\d{1,2})[/-](?P<year>\d{4})(?!\d)", _day_first),
    (r"(?<![\d/.-])(?P<month>1[0-2]|0?[1-9])/(?P<day>3[01]|[12]\d|0?[1-9])(?![\d/.%的]|\s?[个人])",
     lambda m, _: Partial(month=int(m["month"]), day=int(m["day"]))),
)  # fmt: skip
_TABLE = tuple((re.compile(pattern), builder) for pattern, builder in _RULES)

_PORTION = re.compile(
    rf"\s?(?:的)?\s?(?:(?P<halves>[上下])半(?P<of>年|月)?|第?(?P<quarter>[一二三四1-4])季度?|[Qq](?P<q>[1-4])"
    rf"|(?:第(?P<nth_of>{_COUNT})|最后一?)个(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])"
    rf"|(?P<end>前|头|首|最后|末)\s?(?P<count>{_COUNT})?\s?(?P<unit>{_UNIT})|第(?P<nth>{_COUNT})\s?(?P<nth_unit>{_UNIT})"
    rf"|(?:(?<=年)年|(?<=月)月)?(?P<third>上旬|中旬|下旬|初|中(?![旬国午间心考秋学])|底|末))"
)
_BARE_PORTION = re.compile(
    r"(?P<halves>[上下])半(?P<of>年|月)|第?(?P<quarter>[一二三四1-4])季度|(?<![A-Za-z])[Qq](?P<q>[1-4])(?![A-Za-z\d])"
    r"|(?<!大)(?P<base>月|年)(?P<third>初|中(?!国)|底|末)"
)
_THIRDS = {"初": 0, "上旬": 0, "中": 1, "中旬": 1, "底": 2, "末": 2, "下旬": 2}


def read_date(text: str, position: int, today: date) -> tuple[Calendar, int] | None:
    """The date that begins at this position and where it ends."""
    if text[max(0, position - 2) : position] in ("农历", "阴历"):
        return None
    best: tuple[Calendar, int] | None = None
    for pattern, builder in _TABLE:
        match = pattern.match(text, position)
        if match is not None and (best is None or match.end() > best[1]):
            built = _built(builder, match, today)
            best = best if built is None else (built, match.end())
    bare = _BARE_PORTION.match(text, position)
    if bare is not None and (best is None or bare.end() > best[1]):
        base = period(today, "month" if (bare["of"] or bare["base"]) == "月" else "year")
        portion = _portion(bare, base)
        best = (portion, bare.end()) if portion is not None else best
    season = read_season_zh(text, position, today)
    if season is not None and (best is None or season[1] > best[1]):
        return season
    return best and (read_beside(text, best[1], best[0], today) or _with_portion(text, best))


def _built(builder: Builder, match: re.Match, today: date) -> Calendar | None:
    try:
        return builder(match, today)
    except (ValueError, OverflowError):
        return None


def _with_portion(text: str, found: tuple[Calendar, int]) -> tuple[Calendar, int]:
    """`去年` followed by `下半年`, `十月` by `的第一周`; where the year is left open, so is that of the part."""
    match = _PORTION.match(text, found[1])
    base = found[0]
    if isinstance(base, Partial):
        if match is None or base.month is None or base.day is not None or base.weekday is not None:
            return found
        sample = _portion_of(match, whole_month(2000, base.month))
        return found if sample is None else (replace(base, portion=partial(_portion_or_whole, match)), match.end())
    if base.precision not in ("year", "month"):
        return found
    season = season_in_year(text, found[1], base.begins.year) if base.precision == "year" else None
    portion = _portion_of(match, base) if match is not None else None
    if season is not None or match is None or portion is None:
        return season or found
    return portion, match.end()


def _portion_of(match: re.Match, base: Days) -> Days | None:
    try:
        return _portion(match, base)
    except (ValueError, OverflowError):
        return None


def _portion_or_whole(match: re.Match, base: Days) -> Days:
    return _portion(match, base) or base


def _portion(match: re.Match, base: Days) -> Days | None:
    groups = match.groupdict()
    year = base.precision == "year"
    if groups["halves"]:
        return half_of(base, second=groups["halves"] == "下")
    quarter = groups["quarter"] or groups["q"]
    if quarter:
        return within(base, "quarter", _number(quarter) - 1) if year else None
    if groups.get("weekday"):
        return nth_weekday(base, WEEKDAYS[groups["weekday"]], _number(groups["nth_of"]) or -1)
    if groups.get("third"):
        return _third(base, _THIRDS[groups["third"]], year)
    if groups.get("nth"):
        return within(base, _unit(groups["nth_unit"]), _number(groups["nth"]) - 1)
    if groups.get("end"):
        count = _number(groups["count"]) or 1
        return within(base, _unit(groups["unit"]), 0 if groups["end"] in "前头首" else -count, count)
    return None


def _third(base: Days, third: int, year: bool) -> Days:
    """Beginning, middle or end: ten days of a month, two months of a year."""
    point = base.ends if third == 2 else None
    if spans_years(base):
        return replace(third_of(base, third), point=point)
    if year:
        return replace(within(base, "month", (0, 5, 10)[third], 2), point=point)
    first = base.begins + timedelta(days=10 * third)
    return Days(first, base.ends if third == 2 else first + timedelta(days=10), "day", point=point)
