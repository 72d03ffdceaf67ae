"""Reads Chinese time expressions: a date, a time of day, both, a range, an open end, a recurrence."""

from datetime import datetime, timedelta

from agentmem import patterns as re
from agentmem.language.time.dates import Days, Partial, recurrence
from agentmem.language.time.dates_zh import WEEKDAYS, read_date
from agentmem.language.time.moments import (
    HOUR_SECONDS,
    ClockTime,
    Expression,
    Instant,
    Moment,
    Relation,
    clock_at,
    is_noted_range,
    names_one_day,
    read_note,
)
from agentmem.language.time.numerals import ERA_STARTS, zh_integer
from agentmem.language.time.seasons import read_bare_season

# From and to, as the Microsoft Recognizers cut the day, so that figures compare.
_PARTS = {
    "凌晨": (0, 6), "半夜": (0, 6), "午夜": (0, 1), "清晨": (6, 8), "清早": (6, 8), "大清早": (6, 8),
    "早晨": (8, 12), "早上": (8, 12), "早间": (8, 12), "早": (8, 12), "晨": (6, 8), "上午": (8, 12), "中午": (11, 13),
    "正午": (12, 13), "午间": (11, 13),
    "午后": (12, 16), "下午": (12, 16), "傍晚": (16, 20), "晚上": (16, 20), "晚间": (16, 20), "晚": (16, 20),
    "夜里": (20, 24), "夜间": (20, 24), "夜晚": (20, 24), "深夜": (20, 24), "夜": (20, 24), "白天": (8, 18),
}  # fmt: skip
_PART = "|".join(sorted((p for p in _PARTS if len(p) > 1), key=len, reverse=True))
_HOUR = r"(?:2[0-4]|1\d|0?\d(?!\d)|二十[一二三四]?|十[一二三四五六七八九]?|[零〇一二两三四五六七八九])"
_SIXTY = r"(?:[0-5]?\d|[二三四五]?十[一二三四五六七八九]?|[零〇]?[一二三四五六七八九])"
_CLOCK = re.compile(
    rf"""
    (?P<part>{_PART}|(?<=[今明昨天日号])[早晚晨夜](?![会餐饭点]))?的?\s?
    (?:(?P<hour>{_HOUR})\s?(?:(?P<dot>点)(?P<bell>钟)?|时(?![间候代尚刻常装机期光段效不而]))
       (?:(?P<full>整)|(?P<half>半)|(?P<quarter>[一三])刻钟?
         |过?(?P<minute>{_SIXTY})(?P<minute_unit>\s?分钟?)?(?:\s?(?P<second>{_SIXTY})\s?秒)?)?
     |(?<![\d:.])(?P<hour2>2[0-4]|[01]?\d)\s?:\s?(?P<minute2>[0-5]\d)(?::(?P<second2>[0-5]\d))?(?![\d:]))
    """,
    re.VERBOSE,
)
_BARE_HOUR = re.compile(rf"(?P<part>{_PART})?的?(?P<hour>{_HOUR})(?=\s?(?:到|至|-|~)\s?{_HOUR}\s?(?:点|时(?!间)))")
_PART_ALONE = re.compile(rf"{_PART}|(?<=[今明昨天日号])[早晚晨夜](?![会餐饭])")
_NOT_A_CLOCK_AFTER = re.compile(
    r"点(?:[建意要原问理优缺不好坏内希想说需疑体感都就也钱儿点小了吗心]|[一-九]?\s?[万亿%])"
)
_DECIMAL_AFTER = re.compile(r"\s?[万亿%元块个年月折倍]")
_WORD_AFTER = re.compile(r"(?![见开去来到前后之以左的吧出回走在])[一-鿿]")
_NOT_A_CLOCK_BEFORE = re.compile(r"[有早晚快慢多少大小差好第这那几哪每]$")


def read_clock(text: str, position: int, *, dated: bool, part: str = "") -> tuple[ClockTime, int] | None:
    """The clock time or part of the day that begins here. `dated`: a date stands before it, so 一点 is an hour."""
    match = _CLOCK.match(text, position)
    if match is not None and _is_clock(match, text, dated or bool(part)):
        clock = _clock(match, match["part"] or part)
        if clock is not None:
            return clock, match.end()
    bare = _BARE_HOUR.match(text, position)
    if bare is not None:
        hour = _placed(zh_integer(bare["hour"]) or 0, bare["part"] or part)
        return clock_at(hour, fixed=bool(bare["part"] or part)), bare.end()
    alone = _PART_ALONE.match(text, position)
    return None if alone is None else (whole_part(alone.group()), alone.end())


def whole_part(word: str) -> ClockTime:
    """The part of the day of this name."""
    begins, ends = _PARTS[word]
    return ClockTime(begins * HOUR_SECONDS, ends * HOUR_SECONDS, "part")


def part_at(text: str, position: int) -> str:
    """The word for the part of the day at this position, for a second clock time to inherit."""
    match = _PART_ALONE.match(text, position)
    return match.group() if match is not None else ""


def _is_clock(match: re.Match, text: str, sure: bool) -> bool:
    """Whether 点 counts hours here and not remarks (三点建议), a little (一点) or decimals (三点五万)."""
    if match["hour"] and match["dot"] is None and not (match["part"] or sure or match["minute"]):
        return match["hour"].isdecimal()  # 一时冲动
    if match["hour2"] or match["dot"] is None or match["bell"] or match["full"] or match["half"] or match["quarter"]:
        return True
    if match["part"] or sure or match["minute_unit"]:
        return match["minute"] is None or not _DECIMAL_AFTER.match(text, match.end())
    if _NOT_A_CLOCK_AFTER.match(text, match.start("dot")) or _NOT_A_CLOCK_BEFORE.search(
        text[max(0, match.start() - 1) : match.start()]
    ):
        return False
    if match["minute"]:
        return len(match["minute"]) > 1 and not _DECIMAL_AFTER.match(text, match.end())
    if match["hour"] in ("一", "零", "〇"):
        return False
    plain = len(match["hour"]) > 1 or match["hour"].isdecimal()
    return plain or not _WORD_AFTER.match(text, match.end())


def _clock(match: re.Match, part: str) -> ClockTime | None:
    hour = zh_integer(match["hour"] or match["hour2"]) or 0
    minute = zh_integer(match["minute"] or match["minute2"] or "") or 0
    second_text = match["second"] or match["second2"]
    if match["half"]:
        minute = 30
    elif match["quarter"]:
        minute = 15 if match["quarter"] == "一" else 45
    if minute > 59 or hour > 24:
        return None
    exact = match["half"] or match["quarter"] or match["minute"] or match["minute2"]
    precision = "second" if second_text else "minute" if exact else "hour"
    fixed = bool(part) or hour > 12 or hour == 0
    return clock_at(_placed(hour, part), minute, zh_integer(second_text or "") or 0, precision, fixed)


def _placed(hour: int, part: str) -> int:
    """The hour within the named part of the day; 晚上十二点 is the end of that day, 晚上一点 the day after."""
    begins = _PARTS[part][0] if part else 0
    if part and begins < 11:
        return 0 if hour == 12 and begins == 0 else hour
    if part in ("中午", "正午", "午间"):
        return hour + 12 if hour < 4 else hour
    if begins >= 16 and (hour == 12 or hour < 4):
        return hour + 24 if hour < 12 else 24
    return hour + 12 if begins >= 12 and hour < 12 else hour


# Only the traditional characters that time words are made of; one for one, so offsets stay.
SIMPLIFIED = str.maketrans(
    "後週號點鐘兩這個時從開禮間內過來當從歲還剩幾農曆節", "后周号点钟两这个时从开礼间内过来当从岁还剩几农历节"
)

STARTS = frozenset(
    "0123456789零〇一二两三四五六七八九十今昨前大后明上下这本当周星礼半过再近最未接往每天从自直截到由第大约年月去元劳国情妇儿六圣平春夏秋冬凌清早中正午傍晚夜深白还剩天Qq刚现此"
    + ERA_STARTS
)
_SPACE = re.compile(r"\s?的?\s?(?:[,，]\s?)?(?:在|@)?\s?")
_SINCE = re.compile(r"自从|自|从|由")
_UNTIL = re.compile(r"截止到|截至到?|截止|直到|到|至")
_ABOUT = re.compile(r"(?:大约|大概|差不多|(?<![预签合节条公违邀相大])约)\s?(?:在)?")
_TO = re.compile(r"\s?(?:到|至|－|—|–|-|~|～|直到)\s?")
_AND = re.compile(r"\s?(?:和|与|跟|到|至)\s?")
_BETWEEN = re.compile(r"\s?(?:之间|间(?!隔)|期间)")
_AFTER_WORDS: tuple[tuple[re.Pattern, Relation], ...] = (
    (re.compile(r"\s?(?:或|及|以及)(?:之前|以前|更早)"), "until"),
    (re.compile(r"\s?(?:或|及|以及)(?:之后|以后|更晚)"), "since"),
    (
        re.compile(
            r"(?:\s?(?:之前|以前)|前(?!面|台|端|后|方|任|景|往|来|天|年|期|提|言|途|身|者|[0-9一二两三四五六七八九十几]))"
        ),
        "before",
    ),
    (re.compile(r"(?:\s?(?:之后|以后)|后(?!面|台|端|来|期|续|天|年|果|悔|者|方|备|勤))"), "after"),
    (re.compile(r"\s?(?:开始|以来|起(?![来床点码步飞草]))"), "since"),
)
_COUNTED = re.compile(
    r"(?P<lead>还剩|还有|再过|过)?\s?(?P<count>\d{1,4}|[一二两三四五六七八九十百]{1,4}|半)\s?(?P<half>个?半)?个?(?P<unit>半?小时|半?钟头|分钟|刻钟|秒钟?)"
    r"(?P<more>半)?\s?(?P<way>之?后|以后|之?前|以前|之?内|以内)?"
)
_STEP_HOUR = re.compile(
    r"(?P<step>上|下|这|过去|未来|最近)(?:一)?个?(?P<count>[\d一二两三四五六七八九十]{0,3})个?(?P<unit>小时|钟头|分钟)"
)
_NOW = re.compile(r"(?:现在|此刻|此时此刻|眼下)(?!的?[是有])")
_EVERY = re.compile(
    r"每(?:隔|逢)?(?:一|两|三|四|[2-9])?个?(?:工作日|小时|分钟|季度|星期|礼拜|周末|天|日|周|月|年|早|晚|夜)|每逢?(?=[春夏秋冬][天季])"
    r"|天天|(?:周|星期|礼拜)[一二三四五六日天]都"
)
_WEEKDAY_LIST = re.compile(
    r"[一二三四五六日天](?![次个遍])(?:(?:、|和|到|至)?(?:周|星期|礼拜)?[一二三四五六日天]){0,9}"
)
_EVERY_WEEKDAYS = re.compile(r"(?<=[周期拜])[一二三四五六日天周星期礼拜、和到至]+")
_EVERY_TAIL = re.compile(r"(?:都)?的?\s?")


_COUNT_EN = re.compile(r"\d+[^\S\n]?[A-Za-z]")
"""A number that counts something in Latin letters: no Chinese expression begins so."""


def read_expression(text: str, position: int, now: datetime) -> Expression | None:
    """The longest expression that begins at this position of a simplified text."""
    if text[position] not in STARTS or _COUNT_EN.match(text, position):
        return None
    every = _read_every(text, position, now)
    if every is not None:
        return every
    counted = _read_counted(text, position, now)
    led = _read_led(text, position, now)
    plain = _read_plain(text, position, position, now)
    options = [option for option in (led, plain, counted) if option is not None]
    return max(options, key=lambda option: option.end, default=None)


def _read_led(text: str, position: int, now: datetime) -> Expression | None:
    """An expression after 从, 自, 截止到, 大约."""
    about = _ABOUT.match(text, position)
    if about is not None:
        return _read_plain(text, position, about.end(), now)
    since = _SINCE.match(text, position)
    if since is not None:
        inner = _read_plain(text, position, since.end(), now)
        if inner is None or inner.relation != "at":
            # The data sets of this field count 从 to 从…开始, but not to 从…起.
            return None if inner is not None and text[inner.end - 1] == "起" else inner
        return Expression(position, inner.end, "since", inner.first) if since[0] == "自从" else None
    until = _UNTIL.match(text, position)
    if until is not None and until[0] not in ("到", "至"):
        inner = _read_plain(text, position, until.end(), now)
        if inner is not None and inner.relation == "at":
            return Expression(position, inner.end, "before", inner.first)
    return None


def _read_plain(text: str, start: int, position: int, now: datetime) -> Expression | None:
    first = read_moment(text, position, now)
    if first is None:
        return None
    ranged = _read_range(text, start, first, position, now)
    if ranged is not None:
        return ranged
    for pattern, relation in _AFTER_WORDS:
        match = pattern.match(text, first.end)
        if match is not None:
            return Expression(start, match.end(), relation, first)
    return Expression(start, first.end, "at", first)


def _read_range(text: str, start: int, first: Moment, position: int, now: datetime) -> Expression | None:
    to = _TO.match(text, first.end)
    if to is not None:
        last = read_moment(text, to.end(), now, part=_part_of(text, position, first), like=first)
        if last is not None and isinstance(last.days, Days) and last.days.absolute and is_noted_range(text, last):
            return Expression(start, last.end, "at", last)
        if last is not None and _matches(first, last):
            closing = _BETWEEN.match(text, last.end)
            return Expression(start, closing.end() if closing else last.end, "range", first, last)
    and_ = _AND.match(text, first.end)
    if and_ is not None:
        last = read_moment(text, and_.end(), now, part=_part_of(text, position, first), like=first)
        closing = _BETWEEN.match(text, last.end) if last is not None else None
        if last is not None and closing is not None:
            return Expression(start, closing.end(), "range", first, last)
    return None


def _part_of(text: str, position: int, first: Moment) -> str:
    """The part of the day said with the first side, which then holds for the second: 下午三点到五点."""
    return part_at(text, first.note or position) if first.clock is not None else ""


def _matches(first: Moment, last: Moment) -> bool:
    return (first.clock is None) == (last.clock is None) or last.days is not None or first.clock is not None


def read_moment(
    text: str, position: int, now: datetime, *, part: str = "", like: Moment | None = None
) -> Moment | None:
    """A date, a time of day, or a date with a time of day."""
    found = read_date(text, position, now.date())
    if found is None and like is not None and like.clock is None and isinstance(like.days, Days | Partial):
        found = _bare_year(text, position)
    if found is None:
        found = _bare_year_before(text, position)
    if found is None:
        clock = read_clock(text, position, dated=like is not None, part=part)
        return None if clock is None else Moment(clock[1], None, clock[0])
    end = found[1]
    inside = part_at(text, end) if text[end - 1] in "今明昨" else ""
    end += len(inside)  # 明晚 is one word: its date stands behind it
    days, end = read_note(text, end) or (found[0], end)
    if not names_one_day(days):
        return Moment(end, days, None, None, end)
    gap = _SPACE.match(text, end)
    clock = read_clock(text, gap.end() if gap else end, dated=True, part=inside)
    if clock is None and inside:
        clock = whole_part(inside), end
    if clock is None:
        return Moment(end, days, None, None, end)
    return Moment(clock[1], days, clock[0], None, end)


_YEAR_ALONE = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)\s?年?")
_YEAR_BEFORE_RANGE = re.compile(r"(?<!\d)((?:19|20)\d\d)(?=\s?(?:-|~|–|—|到|至)\s?(?:19|20)\d\d\s?年)")


def _bare_year(text: str, position: int) -> tuple[Partial, int] | None:
    match = _YEAR_ALONE.match(text, position)
    return (Partial(year=int(match[1])), match.end()) if match else None


def _bare_year_before(text: str, position: int) -> tuple[Partial, int] | None:
    """The first year of `1995–1997年`, where 年 stands only once."""
    match = _YEAR_BEFORE_RANGE.match(text, position)
    return (Partial(year=int(match[1])), match.end()) if match else None


def _read_every(text: str, position: int, now: datetime) -> Expression | None:
    every = _EVERY.match(text, position)
    if every is None:
        return None
    end = every.end()
    weekday = _WEEKDAY_LIST.match(text, end)
    if weekday is not None and every[0][-1] in "周期拜":
        end = weekday.end()
    part = every[0][-1] if every[0][-1] in "早晚夜" else ""
    tail = _EVERY_TAIL.match(text, end)
    begins = tail.end() if tail else end
    clock = read_clock(text, begins, dated=True, part=part)
    rest = read_moment(text, begins, now) or _recurring_season(text, begins)
    hours = rest.clock if rest is not None else clock[0] if clock is not None else whole_part(part) if part else None
    said = recurrence(
        rest.days if rest is not None else None,
        weekdays=_weekdays(text[position:end]),
        hours=(hours.begins, hours.ends) if hours is not None else None,
    )
    end = max(end, clock[1] if clock is not None else 0, rest.end if rest is not None else 0)
    return Expression(position, end, every=said)


def _recurring_season(text: str, position: int) -> Moment | None:
    season = read_bare_season(text, position)
    return None if season is None else Moment(season[1], season[0])


def _weekdays(words: str) -> frozenset[int]:
    """The days of the week that recur: three in 每周一三五, five in 每周一到周五, two in 每个周末."""
    if "工作日" in words:
        return frozenset(range(5))
    if "周末" in words:
        return frozenset((5, 6))
    listed = _EVERY_WEEKDAYS.search(words)
    said = [WEEKDAYS[ch] for ch in listed[0] if ch in WEEKDAYS] if listed is not None else []
    if len(said) == 2 and said[0] < said[1] and listed is not None and re.search("[到至]", listed[0]):
        return frozenset(range(said[0], said[1] + 1))
    return frozenset(said)


def _read_counted(text: str, position: int, now: datetime) -> Expression | None:
    """Hours and minutes from now: 两小时后, 半小时前, 还剩5分钟, 上个小时."""
    if _NOW.match(text, position):
        match = _NOW.match(text, position)
        return match and _instant(position, match.end(), now, now + timedelta(seconds=1), "second")
    step = _STEP_HOUR.match(text, position)
    if step is not None:
        length = _length(step["unit"]) * (zh_integer(step["count"]) or 1)
        past = step["step"] in ("上", "过去", "最近")
        begins, ends = (now - length, now) if past else (now, now + length)
        return _instant(position, step.end(), begins, ends, "minute")
    match = _COUNTED.match(text, position)
    if match is None or not (match["way"] or match["lead"] == "还剩"):
        return None
    length = _counted_length(match)
    way = match["way"] or ""
    if not way or way.endswith("内"):
        return _instant(position, match.end(), now, now + length, "minute")
    at = now - length if way.endswith("前") else now + length
    return _instant(position, match.end(), at, at + timedelta(minutes=1), "minute")


def _counted_length(match: re.Match) -> timedelta:
    unit = match["unit"].removeprefix("半")
    count = 0.5 if match["count"] == "半" else float(zh_integer(match["count"]) or 0)
    if match["half"] or match["more"] or match["unit"].startswith("半"):
        count += 0.5
    return _length(unit) * count


def _length(unit: str) -> timedelta:
    if unit in ("小时", "钟头"):
        return timedelta(hours=1)
    return timedelta(minutes=15) if unit == "刻钟" else timedelta(minutes=1) if unit == "分钟" else timedelta(seconds=1)


def _instant(start: int, end: int, begins: datetime, ends: datetime, precision: str) -> Expression:
    return Expression(
        start,
        end,
        "at",
        Moment(end, None, None, Instant(begins, ends, "second" if precision == "second" else "minute")),
    )
