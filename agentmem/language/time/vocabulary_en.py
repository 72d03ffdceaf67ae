"""English words of the calendar as pattern fragments, and what they are worth."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from agentmem import patterns as re
from agentmem.language.time.dates import Unit
from agentmem.language.time.numerals import en_value

BuilderT = TypeVar("BuilderT")

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
             "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
             "twentieth")  # fmt: skip
_ORDINAL_VALUES = {word: index + 1 for index, word in enumerate(_ORDINALS)} | {"thirtieth": 30}
_TENS = {"twenty": 20, "thirty": 30}

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)(?![a-z])(?:\.(?=\s?\d|,))?"
)
WEEKDAY = (
    r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday|s)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
    r"(?![a-z])(?:\.(?=\s?\d|,))?"
)
_ORDINAL_WORD = rf"(?:(?:twenty|thirty)[\s-](?:{'|'.join(_ORDINALS[:9])})|{'|'.join(_ORDINAL_VALUES)})(?![a-z])"
_DAY_WORD = (
    r"(?:twenty[\s-](?:one|two|three|four|five|six|seven|eight|nine)|thirty[\s-]one|thirty|twenty|ten|eleven|twelve"
    r"|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|one|two|three|four|five|six|seven|eight|nine)(?![a-z])"
)
ORDINAL = rf"(?:\d{{1,2}}(?:st|nd|rd|th)(?![a-z])|{_ORDINAL_WORD})"
DAY = rf"(?:(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\da-z])|{_ORDINAL_WORD})"
DAY_BEFORE_MONTH = rf"(?:{DAY}|{_DAY_WORD})"
_YEAR_WORDS = (
    r"(?:(?:two\sthousand|(?:nineteen|eighteen)\shundred|nineteen|twenty)(?:\s(?:and\s)?(?:ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    r"(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?|(?:oh?\s)?(?:one|two|three|four|five|six|seven|eight|nine)))"
    r"|two\sthousand)(?![a-z])"
)
YEAR = rf"(?:(?:1[4-9]|2[01])\d\d(?![\d%]|\s?[ap]\.?m\b)|{_YEAR_WORDS})"
NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|twenty|thirty|forty|fifty|sixty)"
)
COUNT = (
    r"(?:\d{1,4}(?:\.\d)?(?![\d:])|(?:a\s)?couple(?:\sof)?"
    rf"|{NUMBER_WORD}(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?|an?)"
)
UNIT = (
    r"(?:(?:business|working|week)\s?days?|weekends?|(?:work|working\s)weeks?|days?|nights?|weeks?|wks?|fortnights?|months?"
    r"|quarters?|years?|yrs?|decades?|century|centuries)(?![a-z])"
)
CLOCK_UNIT = r"(?:hours?|hrs?|minutes?|mins?|seconds?|secs?)(?![a-z])"
STEP = r"(?:this|next|last|past|previous|following|coming|upcoming|current)"

_UNITS: dict[str, Unit] = {
    "day": "day", "night": "day", "week": "week", "wk": "week", "weekend": "weekend", "fortnight": "fortnight",
    "month": "month", "quarter": "quarter", "year": "year", "yr": "year", "decade": "decade", "century": "century",
    "centurie": "century",
}  # fmt: skip


def month_number(word: str) -> int:
    """1 for January and every way to shorten it."""
    return next(index + 1 for index, name in enumerate(_MONTHS) if name.startswith(word.lower().rstrip(".")[:3]))


def weekday_number(word: str) -> int:
    """0 for Monday."""
    return next(index for index, name in enumerate(_WEEKDAYS) if name.startswith(word.lower()[:3]))


def ordinal_number(words: str) -> int:
    """21 for `21`, `21st`, `twenty-first` and `twenty one`; 0 for none."""
    lead = re.match(r"\d+", words)
    if lead is not None:
        return int(lead[0])
    parts = re.split(r"[\s-]+", words.lower())
    if parts[-1] in _ORDINAL_VALUES:
        return _TENS.get(parts[0], 0) * (len(parts) > 1) + _ORDINAL_VALUES[parts[-1]]
    return int(en_value(words) or 0)


def year_number(words: str) -> int:
    """The year of `2015`, `'87`, `two thousand and fifteen`, `nineteen ninety six`."""
    digits = words.strip("'’ ")
    if digits.isdecimal():
        year = int(digits)
        return year if len(digits) > 2 else year + (1900 if year >= 50 else 2000)
    parts = [part for part in re.split(r"[\s-]+", words.lower()) if part != "and"]
    if parts[:2] == ["two", "thousand"]:
        return 2000 + int(en_value(" ".join(parts[2:])) or 0)
    century = {"eighteen": 1800, "nineteen": 1900, "twenty": 2000}[parts[0]]
    rest = [part for part in parts[1:] if part not in ("hundred", "o", "oh")]
    return century + int(en_value(" ".join(rest)) or 0)


def count_number(words: str) -> float:
    """The number of `3`, `2.5`, `three`, `a`, `a couple of`."""
    lowered = words.lower()
    if "couple" in lowered:
        return 2
    if lowered in ("a", "an"):
        return 1
    return float(lowered) if lowered[0].isdecimal() else float(en_value(lowered) or 0)


def unit_of(word: str) -> Unit:
    """The calendar unit of a word in singular or plural."""
    lowered = word.lower()
    if re.match(r"(?:business|working|week)\s?days?\Z", lowered):
        return "weekday"
    return _UNITS["week" if "work" in lowered else lowered.removesuffix("s")]


_UNSURE_MONTH = re.compile(r"(?:may|march|mar)\.?\Z", re.IGNORECASE)
_UNSURE_WEEKDAY = re.compile(r"(?:sat|sun|wed|mon)\b", re.IGNORECASE)
_LEADS_MONTH = re.compile(
    r"(?:\b(?:in|of|this|next|last|by|since|until|till|before|after|during|from|to|through|between|on|early|late|mid)"
    r"|[-–(/])\s?\Z",
    re.IGNORECASE,
)
_LEADS_WEEKDAY = re.compile(
    r"\b(?:on|this|next|last|by|until|till|from|to|through|and|or|each|every|week)\s\Z", re.IGNORECASE
)
_STANDS_ALONE = re.compile(r"(?:\A|[^\w\s]\s?)\Z")
_NAMES_TIME = re.compile(r",?\s(?:at|morning|afternoon|evening|night|\d)", re.IGNORECASE)
_RANGES_ON = re.compile(r"\s?(?:to|-|–|through|until)\s?", re.IGNORECASE)
_PRONOUN = re.compile(r"\s(?:i|we|you|he|she|it|they|the|be|have|not|also)\b", re.IGNORECASE)


def is_meant(match: re.Match, text: str) -> bool:
    """Whether `may`, `march`, `sat`, `sun` are names of the calendar here, judged by their neighbours."""
    if text[max(0, match.start() - 2) : match.start()].strip()[-1:] in ("$", "€", "£"):
        return False
    word = match[0]
    before = text[max(0, match.start() - 12) : match.start()]
    if _UNSURE_MONTH.match(word):
        ranges_on = word[0].isupper() and _RANGES_ON.match(text, match.end()) is not None
        led = _LEADS_MONTH.search(before) is not None
        return (led or ranges_on) and _PRONOUN.match(text, match.end()) is None
    if _UNSURE_WEEKDAY.match(word):
        if match.groupdict().get("day"):
            return True
        alone = _STANDS_ALONE.search(before) is not None or _NAMES_TIME.match(text, match.end()) is not None
        return _LEADS_WEEKDAY.search(before) is not None or (word[0].isupper() and alone)
    return True


_OPENINGS = tuple(
    (words, re.compile(words, re.IGNORECASE)) for words in (MONTH, DAY_BEFORE_MONTH, YEAR, STEP, WEEKDAY, COUNT)
)
"""What most rules begin with: where it does not stand, none of them can hold."""


def opening_of(pattern: str) -> re.Pattern | None:
    """What a rule begins with, if that is one of those words under a name."""
    name, _, rest = pattern.partition(">")
    if not name.startswith("(?P<"):
        return None
    return next((opening for words, opening in _OPENINGS if rest.startswith(f"{words})")), None)


def beginning_at(
    table: Iterable[tuple[re.Pattern, BuilderT, re.Pattern | None]], text: str, position: int
) -> Iterator[tuple[re.Match, BuilderT]]:
    """The rules that hold at a place, each a pattern with what is made of it, and with its opening."""
    opens: dict[re.Pattern | None, bool] = {None: True}
    for pattern, builder, opening in table:
        if opening not in opens:
            opens[opening] = opening is not None and opening.match(text, position) is not None
        if opens[opening] and (match := pattern.match(text, position)) is not None:
            yield match, builder
