"""Reads Chinese times of day: 下午三点, 上午9:30, 晚上八点半, 16时40分50秒, 傍晚."""

from agentmem import patterns as re
from agentmem.language.moments import Clock
from agentmem.language.numerals import zh_integer

_HOUR_SECONDS = 3600
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


def read_clock(text: str, position: int, *, dated: bool, part: str = "") -> tuple[Clock, int] | None:
    """The clock time or part of the day that begins here. `dated`: a date stands before it, so 一点 is an hour."""
    match = _CLOCK.match(text, position)
    if match is not None and _is_clock(match, text, dated or bool(part)):
        clock = _clock(match, match["part"] or part)
        if clock is not None:
            return clock, match.end()
    bare = _BARE_HOUR.match(text, position)
    if bare is not None:
        hour = _placed(zh_integer(bare["hour"]) or 0, bare["part"] or part)
        return _at(hour, 0, 0, "hour", bool(bare["part"] or part)), bare.end()
    alone = _PART_ALONE.match(text, position)
    return None if alone is None else (whole_part(alone.group()), alone.end())


def whole_part(word: str) -> Clock:
    """The part of the day of this name."""
    begins, ends = _PARTS[word]
    return Clock(begins * _HOUR_SECONDS, ends * _HOUR_SECONDS, "part")


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


def _clock(match: re.Match, part: str) -> Clock | None:
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
    return _at(_placed(hour, part), minute, zh_integer(second_text or "") or 0, precision, fixed)


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


def _at(hour: int, minute: int, second: int, precision: str, fixed: bool) -> Clock:
    begins = hour * _HOUR_SECONDS + minute * 60 + second
    match precision:
        case "second":
            return Clock(begins, begins + 1, "second", fixed)
        case "minute":
            return Clock(begins, begins + 60, "minute", fixed)
        case _:
            return Clock(begins, begins + _HOUR_SECONDS, "hour", fixed)
