"""Reads English times of day: 6pm, 15:00, half past seven, 3 o'clock, noon, in the morning."""

from agentmem import patterns as re
from agentmem.language.time.moments import HOUR_SECONDS, ClockTime, Precision, clock_at
from agentmem.language.time.numerals import en_value

# From and to, as the Microsoft Recognizers cut the day, so that figures compare.
_PARTS = {
    "morning": (8, 12), "afternoon": (12, 16), "evening": (16, 20), "night": (20, 24), "daytime": (8, 18),
    "night-time": (0, 8), "nighttime": (0, 8), "breakfast": (8, 12), "lunch": (11, 13), "lunchtime": (11, 13),
    "dinner": (16, 20), "dinnertime": (16, 20), "midday": (11, 13),
}  # fmt: skip
_PART = r"(?:morning|afternoon|evening|night(?:-?time)?|daytime)s?(?![a-z])"
_WORD_HOUR = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![a-z])"
_WORD_MINUTE = (
    r"(?:oh[\s-](?:one|two|three|four|five|six|seven|eight|nine)|(?:twenty|thirty|forty|fifty)(?:[\s-](?:one|two|three|four|five"
    r"|six|seven|eight|nine))?|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)(?![a-z])"
)
_HALF = r"(?:[ap]\.\s?m(?![a-z\d])\.?|[ap]\s?m(?![a-z\d])|[ap](?![a-z\d'’]))"
_OF_DAY = (
    r"(?:,?\s(?P<in>in\sthe\s)?(?:early\s)?(?P<of_day>morning|afternoon|evening)(?![a-z])"
    r"|\sat\s(?P<of_night>night)(?![a-z]))"
)
_CLOCK = re.compile(
    rf"""
    (?:
      (?P<hour>2[0-4]|1\d|0?\d)(?:(?P<sep>[:.])(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?)?(?![\d:])
    | (?P<compact>(?:0?[1-9]|1[0-2])[0-5]\d)(?=\s?[ap]\.?m)
    | (?P<word>{_WORD_HOUR})(?:[\s-](?P<word_minute>{_WORD_MINUTE})(?:\sminutes?)?)?
    )
    (?:(?P<ish>ish)(?![a-z]))?
    (?:\s?(?:\.)?(?P<half>{_HALF}))?
    (?P<oclock>\s?o['’]?\s?clock)?
    {_OF_DAY}?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PAST = re.compile(
    rf"(?:(?P<half>half)|(?:a\s)?(?P<quarter>quarter)|(?P<minutes>\d{{1,2}}|{_WORD_MINUTE}|five)(?:\s?min(?:ute)?s?)?)\s(?P<way>past|to|after|till)\s"
    rf"(?P<hour>{_WORD_HOUR}|1[0-2]|[1-9])(?![\d:])(?:\s?o['’]?clock)?(?:\s?(?P<ampm>{_HALF}))?{_OF_DAY}?",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?:12\s)?(?P<name>noon|mid-?\s?night|midday)(?:ish)?(?![a-z])", re.IGNORECASE)
_PART_PHRASE = re.compile(
    rf"(?:(?:in|during)\s(?:the\s(?=[mnade])|(?=[mnade]))|(?:at|around|for)\s(?=lunch|dinner|breakfast))?(?:(?P<phase>early|late|later)\s(?:in\s)?(?:the\s)?)?(?P<part>{_PART}|(?:lunch|dinner)time"
    r"|(?:(?<=at\s)|(?<=around\s)|(?<=after\s)|(?<=before\s))(?:lunch|dinner|breakfast))(?![a-z])",
    re.IGNORECASE,
)
_LED_BY_AT = re.compile(
    r"(?:\b(?:at|around|about|by|before|after|until|till|from|since|between|than|@)|@)\s?\Z", re.IGNORECASE
)
_COUNTS_THINGS = re.compile(
    r"\s?(?:[%$€£¥°]|[a-z]*(?:percent|people|items?|times?|days?|weeks?|months?|years?|hours?|hrs?|min|minutes?|seconds?|dollars?"
    r"|euros?|units?|miles?|km|kg|degrees|points?|of|stars?|(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october|more|or\smore|users?|seats?|k|m|x)\b|[/-]\d)|[a-z]",
    re.IGNORECASE,
)
_ENDS_TIME = re.compile(
    r"\s?(?:\Z|[^\w\s]|\s?(?:in|on|today|tomorrow|tonight|this|next|and|or|to|for|sharp|every|each|until|till|if|so|then"
    r"|please|is|was|works?|would|instead|before|after|by)\b)",
    re.IGNORECASE,
)
_NO_PART_BEFORE = re.compile(r"\bgood\s\Z", re.IGNORECASE)


def read_clock(text: str, position: int, *, dated: bool, like: bool = False) -> tuple[ClockTime, int] | None:
    """The clock time or part of the day that begins here.

    `dated`: a date stands beside it, or a word like `from`, so a bare number may be an hour.
    """
    named = _NAMED.match(text, position)
    if named is not None:
        return clock_at(0 if "night" in named["name"].lower() else 12), named.end()
    past = _PAST.match(text, position)
    if past is not None and not _is_range(past):
        return _minutes_past(past), past.end()
    match = _CLOCK.match(text, position)
    if match is not None and _is_clock(match, text, dated or like):
        clock = _clock(match)
        if clock is not None:
            return clock, match.end()
    return _read_part(text, position)


def _is_range(past: re.Match) -> bool:
    """`5 to 6pm` are two times; `20 to 6` and `ten minutes to six` are one."""
    minutes = past["minutes"] or ""
    return (
        past["way"].lower() in ("to", "till")
        and minutes.isdecimal()
        and int(minutes) <= 12
        and "min" not in past[0].lower()
    )


def _read_part(text: str, position: int) -> tuple[ClockTime, int] | None:
    part = _PART_PHRASE.match(text, position)
    if part is None or _is_plural(part) or _NO_PART_BEFORE.search(text[max(0, position - 6) : position]):
        return None
    begins, ends = _PARTS[part["part"].lower().removesuffix("s")]
    phase = (part["phase"] or "").lower()
    middle = begins + (ends - begins) / 2
    if phase == "early":
        ends = middle
    elif phase:
        begins = middle
    return ClockTime(int(begins * HOUR_SECONDS), int(ends * HOUR_SECONDS), "part"), part.end()


def _is_plural(part: re.Match) -> bool:
    """`late nights` are no time, `in the mornings` is."""
    return part["part"].lower().endswith("s") and not part[0].lower().startswith("in the ")


def _is_clock(match: re.Match, text: str, sure: bool) -> bool:
    """Whether a number is an hour: it says am, pm or o'clock, has minutes, or a word before it asks for a time."""
    half = match["half"]
    if match["oclock"] or match["ish"] or match["of_night"] or match["compact"]:
        return True
    if match["of_day"]:
        return bool(match["in"] or half or match["minute"] or match["word_minute"])
    if half:
        return len(half) > 1 or (half.islower() and not _COUNTS_THINGS.match(text, match.end()))
    if match["sep"] == ":":
        return match["second"] is not None or _plausible_minutes(match, text)
    led = _LED_BY_AT.search(text[max(0, match.start() - 9) : match.start()]) is not None
    at = re.search(r"(?:\bat|@)\s?\Z", text[max(0, match.start() - 4) : match.start()], re.IGNORECASE) is not None
    if match["sep"] == ".":
        return at and sure and not _COUNTS_THINGS.match(text, match.end())
    if not (at or (sure and (led or match["word"] is None or match["word_minute"] is not None))):
        return False
    if _COUNTS_THINGS.match(text, match.end()):
        return False
    return sure or _ENDS_TIME.match(text, match.end()) is not None


def _plausible_minutes(match: re.Match, text: str) -> bool:
    return not re.match(r"[:\d]|\s?(?:ratio|aspect|scale)", text[match.end() : match.end() + 10])


def _clock(match: re.Match) -> ClockTime | None:
    compact = match["compact"]
    if compact:
        hour, minute = int(compact[:-2]), int(compact[-2:])
    elif match["word"]:
        hour, minute = _number(match["word"]), _number(match["word_minute"])
    else:
        hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or "").lower()[:1]
    if match["of_day"] or match["of_night"]:
        half = "a" if (match["of_day"] or "").lower() == "morning" else "p"
    if half and hour > 12 and not match["of_day"]:
        half = ""
    return clock_at(
        _halved(hour, half), minute, int(match["second"] or 0), _precision(match), bool(half) or hour > 12 or hour == 0
    )


def _precision(match: re.Match) -> Precision:
    if match["second"]:
        return "second"
    return "minute" if match["minute"] or match["word_minute"] or match["compact"] else "hour"


def _halved(hour: int, half: str) -> int:
    if half == "a":
        return 0 if hour == 12 else hour
    return hour + 12 if half == "p" and hour < 12 else hour


def _minutes_past(match: re.Match) -> ClockTime:
    minutes = 30 if match["half"] else 15 if match["quarter"] else _number(match["minutes"])
    half = (match["ampm"] or "").lower()[:1]
    if match["of_day"] or match["of_night"]:
        half = "a" if (match["of_day"] or "").lower() == "morning" else "p"
    hour = _halved(_number(match["hour"]), half)
    total = hour * 60 + (minutes if match["way"].lower() in ("past", "after") else -minutes)
    return clock_at(total // 60 % 24, total % 60, 0, "minute", bool(half))


def _number(words: str | None) -> int:
    if not words:
        return 0
    return int(words) if words.isdecimal() else int(en_value(words.lower().removeprefix("oh").strip(" -")) or 0)
