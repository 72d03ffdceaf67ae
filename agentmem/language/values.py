"""Values of attributes: which spellings are one value, and which of two values says more.

`canonical_value` gives the form under which values of a kind are compared: 三万, 30k and 30,000 are one amount,
`+86 138-0013-8000` and `13800138000` one number. A value that cannot be read as its kind is compared as text.
"""

# ruff: noqa: E501 - patterns read best unbroken

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from agentmem import patterns as re
from agentmem.characters import is_han
from agentmem.domain.naming import canonical_name
from agentmem.language.normal import digits, normalise
from agentmem.language.numbers import parse_numbers
from agentmem.language.time import en_value, find_times, zh_value

Likeness = Literal["equal", "more", "less", "other"]
"""How a value stands to another: `more` says the same and adds to it, `less` leaves something out."""

_COUNTRY = r"(?:1(?=\d{10}$)|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})"
"""Calling codes by their length (ITU E.164): those of one and two digits, the rest has three."""
_EXTENSION = re.compile(r"\s*(?:转|分机|ext(?:ension)?\.?|x)\s*(\d{1,6})\s*$", re.IGNORECASE)
_SLANG = ((re.compile(r"(?<=\d)\s?[wW](?![A-Za-z])"), "万"), (re.compile(r"(?<=\d)\s?grand\b", re.IGNORECASE), "k"))
_RANGE = re.compile(r"(?P<low>\d[\d,.]*)\s?(?:-|–|~|到|至|to)\s?(?P<high>\d[\d,.]*\s?(?P<scale>[万千百亿]|[kKmM]\b))")
_BOUND = re.compile(
    r"不超过|最多|以内|以下|至多|上限|under|below|up to|at most|max\w*|no more than|within", re.IGNORECASE
)
_FLOOR = re.compile(r"至少|最少|起步|以上|at least|min\w*|over|more than|above", re.IGNORECASE)
_LIGHT = re.compile(
    r"^(?:(?:an?|the|my|our|his|her|their|currently|now)\s+|一[名位个家]|[个名位家](?=[\u4e00-\u9fff]{2}))+|(?:\s+now)$"
)
_TOWN = re.compile(r"(?<=[\u4e00-\u9fff]{2})[市县]$")
_RANK = re.compile(
    r"[总副]|高级|首席|资深|助理|实习|主管|\b(?:senior|junior|head|lead|deputy|assistant|chief|vice|principal|trainee|general|former|ex)\b"
)
_ROUGH = re.compile(
    r"大概|大约|差不多|约|左右|上下|吧|\b(?:about|around|roughly|approximately|some|or so)\b", re.IGNORECASE
)
_LEAP = datetime(2024, 1, 1, tzinfo=UTC)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def canonical_value(kind: str, text: str) -> str:
    """The form of `text` as a value of that kind; idempotent only as a comparison, not meant to be shown."""
    return _canonical(kind, text) if len(text) <= 200 else normalise(text)


def likeness(kind: str, value: str, other: str) -> Likeness:
    """How `value` stands to `other`, both as spoken."""
    left, right = canonical_value(kind, value), canonical_value(kind, other)
    if left == right or (kind == "money" and _same_money(left, right)):
        return "equal"
    if kind in ("text", "place", "title", "date"):
        if _adds(left, right, kind):
            return "more"
        if _adds(right, left, kind):
            return "less"
    return "other"


@lru_cache(8_192)
def _canonical(kind: str, text: str) -> str:
    reader = _READERS.get(kind)
    read = reader(text) if reader is not None else None
    return _plain(text) if read is None else read


def _plain(text: str) -> str:
    return _LIGHT.sub("", normalise(text)) or normalise(text)


def _phone(text: str) -> str | None:
    """The national number: no calling code, no trunk zero; an extension stays."""
    body, extension = normalise(text), ""
    found = _EXTENSION.search(body)
    if found is not None:
        body, extension = body[: found.start()], f"x{found[1]}"
    number = re.sub(r"\D", "", body)
    if len(number) < 5:
        return None
    if body.lstrip(" (").startswith("+") or number.startswith("00"):
        number = re.sub(f"^{_COUNTRY}", "", number.removeprefix("00"))
    elif re.fullmatch(r"861[3-9]\d{9}", number):
        number = number[2:]
    return number.lstrip("0") + extension


def _account(text: str) -> str:
    return normalise(text).replace(" ", "").strip(".").lstrip("@")


def _name(text: str) -> str:
    return re.sub(r"^(?:mr|mrs|ms|miss|dr)\.? ", "", canonical_name(text))


def _place(text: str) -> str:
    return _TOWN.sub("", _plain(text))


def _number(text: str) -> str | None:
    """The first number, bare numerals included, with the word that bounds it."""
    found = parse_numbers(_scaled(text))
    if found:
        return f"{_bound(text)}{found[-1].value:f}"
    bare = _ROUGH.sub("", normalise(text)).strip(" 岁个人名位")
    value = Decimal(bare) if bare.isdecimal() else zh_value(bare) or en_value(bare)
    return None if value is None else f"{_bound(text)}{value:f}"


def _money(text: str) -> str | None:
    """Amounts in order, their bound, and the currency where one is named: `30000 CNY`."""
    plain = _RANGE.sub(lambda found: f"{found['low']}{found['scale']}到{found['high']}", _scaled(text))
    found = parse_numbers(plain)
    if not found:
        number = _number(text)
        return None if number is None else f"{number} "
    currency = next((item.currency for item in found if item.currency), "")
    amounts = "-".join(f"{item.value:f}" for item in found)
    return f"{_bound(text)}{amounts} {currency}"


def _bound(text: str) -> str:
    return "≤" if _BOUND.search(text) else "≥" if _FLOOR.search(text) else ""


def _scaled(text: str) -> str:
    for pattern, scale in _SLANG:
        text = pattern.sub(scale, text)
    return text


def _same_money(left: str, right: str) -> bool:
    """Equal amounts; a currency that was left out is the other's, and a bound that was left out too."""
    amount, _, currency = left.partition(" ")
    other, _, others = right.partition(" ")
    return amount.lstrip("≤≥") == other.lstrip("≤≥") and ("" in (currency, others) or currency == others)


def _date(text: str) -> str | None:
    """Month and day, with the year where it was said: `05-12`, `1990-05-12`."""
    found = next((item for item in find_times(text, _LEAP) if item.precision == "day" and item.begins), None)
    if found is None or found.begins is None:
        return None
    year = _YEAR.search(normalise(text))
    day = f"{found.begins.month:02}-{found.begins.day:02}"
    return f"{year[0]}-{day}" if year else day


def _state(text: str) -> str:
    """The family state by its English name, whichever word was used for it."""
    plain = normalise(text)
    return next((name for name, words in _STATES.items() if re.search(words, plain)), plain)


_STATES: Mapping[str, str] = {
    "separated": r"分居|separated",
    "divorced": r"离婚|离异|divorced",
    "widowed": r"丧偶|widow",
    "engaged": r"订婚|engaged",
    "single": r"单身|未婚|single|unmarried",
    "married": r"结婚|已婚|再婚|married",
}
_READERS: Mapping[str, Callable[[str], str | None]] = {
    "phone": _phone,
    "email": _account,
    "account": _account,
    "name": _name,
    "place": _place,
    "number": _number,
    "money": _money,
    "date": _date,
    "state": _state,
}


def _adds(longer: str, shorter: str, kind: str) -> bool:
    """Whether one value only adds words to the other: at word boundaries, with equal digits, and no rank (总, senior)."""
    if kind == "date":
        return longer.endswith(f"-{shorter}")
    if len(shorter) < 2 or shorter not in longer or digits(longer) != digits(shorter):
        return False
    if kind == "title":
        return _RANK.search(longer.replace(shorter, "", 1)) is None
    if kind == "text" and is_han(shorter[0]):
        return True
    return (longer.startswith(shorter) and _bounded(longer, len(shorter))) or _closes(longer, shorter)


def _bounded(text: str, at: int) -> bool:
    """Whether a word may end before character `at`."""
    return is_han(text[at - 1]) or not text[at].isalnum()


def _closes(longer: str, shorter: str) -> bool:
    """`中山路12号` closes `上海市中山路12号`, `Brooklyn` closes `New York, Brooklyn`; `York` does not close `New York`."""
    if not longer.endswith(shorter):
        return False
    before = longer[: -len(shorter)]
    return is_han(before[-1]) if is_han(shorter[0]) else before.rstrip().endswith(",")
