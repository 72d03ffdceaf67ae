"""Amounts in running text: Arabic, Chinese and English numerals with scale, unit and currency.

Not amounts, and never returned: parts of words (一下, 统一, 万一), ordinals, dates and clock times, versions,
product codes, telephone numbers, addresses.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from agentmem import patterns as re
from agentmem.bounded_cache import bounded_cache
from agentmem.characters import nfkc_with_offsets
from agentmem.language.time import EN_SCALES, EN_SMALL, ZH_DIGITS, ZH_SCALES, en_value, zh_value


@dataclass(frozen=True, slots=True)
class NumberMention:
    """An amount: `source[start:end] == text`. The value includes the scale, `30k` is 30000; of `30%` it is 30."""

    start: int
    end: int
    text: str
    value: Decimal
    scale: str = ""
    unit: str = ""
    currency: str | None = None
    approximate: bool = False


_PREFIX = {"$": "USD", "us$": "USD", "hk$": "HKD", "¥": "CNY", "€": "EUR", "£": "GBP", "rmb": "CNY", "cny": "CNY",
           "usd": "USD", "eur": "EUR", "gbp": "GBP", "hkd": "HKD", "jpy": "JPY"}  # fmt: skip
_SUFFIX = _PREFIX | {
    "人民币": "CNY", "块钱": "CNY", "元": "CNY", "块": "CNY", "yuan": "CNY", "美元": "USD", "美金": "USD",
    "dollars": "USD", "dollar": "USD", "bucks": "USD", "欧元": "EUR", "euros": "EUR", "euro": "EUR",
    "英镑": "GBP", "pounds": "GBP", "港币": "HKD", "港元": "HKD", "日元": "JPY", "日圆": "JPY", "yen": "JPY",
}  # fmt: skip
_EN_SCALE = {"k": 1000, "m": 1_000_000, "mn": 1_000_000, "bn": 1_000_000_000, "b": 1_000_000_000} | EN_SCALES
_MEASURES = (
    "号人|口人|个人|个月|小时|分钟|公里|公斤|平米|平方|人|个|位|名|套|台|件|份|家|次|条|张|本|辆|部|间|层|岁|天|周|年|折|倍|种|"
    "元|块|毛|分|秒|米|吨|斤|克|项|核|支|把|瓶|杯|箱|座|亩|笔|单|期|轮|届|页|句|股|头|只|口|户|组|队|批|度|级|gb|tb|mb|g|kg|km|cm|mm"
)
_WORDS = "|".join(sorted([*EN_SMALL, *EN_SCALES], key=len, reverse=True))
_CODE_BEFORE = r"(?:(?<![A-Za-z0-9_@#/.:-])|(?<=\d-))(?<!\d[年月])(?<![第周期拜])"
_NUMBER = re.compile(
    rf"""
    (?P<prefix>(?:us|hk)?\$|[¥€£]|(?<![a-z])(?:rmb|cny|usd|eur|gbp|hkd|jpy))?\s?
    (?:
      (?P<percent_of>百分之)(?P<zh_percent>[零〇一二两三四五六七八九十百点]{{1,8}}|\d{{1,3}}(?:\.\d{{1,4}})?)
    | {_CODE_BEFORE}(?P<arabic>\d{{1,3}}(?:,\d{{3}}){{1,5}}(?:\.\d{{1,6}})?|\d{{1,15}}(?:\.\d{{1,6}})?)
      (?P<scale>\s?(?:[十百千万亿]{{1,2}}|(?:thousand|million|billion|hundred)\b|(?:k|mn?|bn?)(?![a-z0-9])))?
      (?P<zh_rest>(?<=[万千百亿])[零一二两三四五六七八九1-9][十百千]?)?
    | (?<![第周期拜统唯万])(?P<zh>[零〇一二两三四五六七八九十百千几数][零〇一二两三四五六七八九十百千万亿几点]{{0,15}})
    | (?<![a-z-])(?P<en>(?:an?\s)?(?:{_WORDS})(?:(?:\s(?:and\s)?|-)(?:{_WORDS})){{0,8}})(?![a-z-])
    )
    (?P<more>多|余|来)?(?P<rest_scale>(?<=[多余来])[万亿])?
    \s?(?P<unit>%|人民币|块钱|美元|美金|欧元|英镑|港币|港元|日元|日圆
      |(?:rmb|cny|usd|eur|gbp|hkd|yuan|dollars?|bucks|euros?|pounds|yen)(?![a-z])
      |(?:{_MEASURES})(?![a-z0-9]))?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMERAL = re.compile(rf"[\d零〇一二两三四五六七八九十百千几数半]|(?:{_WORDS})", re.IGNORECASE)
"""What every amount has."""
_PHONE = re.compile(r"1[3-9]\d{9}\Z")
_JOINED_AFTER = re.compile(r"[A-Za-z0-9_@]|[-/:.]\d|,\d{3}|\s?[月日号时点]")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_APPROXIMATE_BEFORE = re.compile(
    r"(?:大概|大约|约|差不多|将近|近|about|around|roughly|approximately|~)\s?\Z", re.IGNORECASE
)
_APPROXIMATE_AFTER = re.compile(r"\s?(?:左右|上下|or so)", re.IGNORECASE)


def names_currency(word: str) -> bool:
    """Whether it is what amounts of money are counted in."""
    return word.lower() in _SUFFIX


def parse_numbers(text: str) -> list[NumberMention]:
    """All amounts of a text in order, without overlap."""
    return list(_parsed(text))


@bounded_cache(8_192, longest=400)  # what is held is compared with every turn
def _parsed(text: str) -> tuple[NumberMention, ...]:
    plain, offsets = nfkc_with_offsets(text)
    if _NUMERAL.search(plain) is None:
        return ()
    found: list[NumberMention] = []
    for begin, piece in _pieces(plain):
        for match in _NUMBER.finditer(piece):
            words = match[0].strip()
            start = begin + match.start() + match[0].index(words)
            end = start + len(words)
            read = _read(match, plain[max(0, start - 14) : start], plain[end : end + 6])
            if read is not None:
                first, last = offsets[start], offsets[end - 1] + 1
                found.append(NumberMention(first, last, text[first:last], *read))
    return tuple(found)


def _pieces(plain: str) -> Iterator[tuple[int, str]]:
    """A text cut behind its commas, but those between the digits of an amount, with where each begins: a long list of
    numbers takes linear time."""
    start = 0
    for place, char in enumerate(plain):
        if char == "," and not plain[place + 1 : place + 4].isdigit():
            yield start, plain[start : place + 1]
            start = place + 1
    yield start, plain[start:]


def _read(match: re.Match, before: str, after: str) -> tuple[Decimal, str, str, str | None, bool] | None:
    valued = _value(match)
    if valued is None or _belongs_to_word(match, before, after):
        return None
    value, scale, vague = valued
    if value == value.to_integral_value():
        value = value.to_integral_value()
    unit = (match["unit"] or "").lower()
    if match["percent_of"]:
        unit = "%"
    currency = _currency(match, unit, value, after)
    near = _APPROXIMATE_BEFORE.search(before) is not None or _APPROXIMATE_AFTER.match(after) is not None
    approximate = vague or near or bool(match["more"])
    return value, scale, unit, currency, approximate


def _value(match: re.Match) -> tuple[Decimal, str, bool] | None:
    """Value, scale as read, and whether the numeral itself is vague (十几)."""
    if match["arabic"]:
        return _arabic_value(match)
    if match["en"]:
        value = en_value(match["en"])
        scale = match["en"].split()[-1].lower()
        return None if value is None else (value, scale if scale in EN_SCALES else "", False)
    numeral = match["zh_percent"] or match["zh"] or ""
    if numeral[:1].isdecimal():
        return Decimal(numeral), "", False
    vague = "几" in numeral or "数" in numeral
    if vague and numeral[0] in "几数":
        return None
    value = zh_value(numeral.replace("几", ""))
    if value is None:
        return None
    tail = match["rest_scale"] or ""
    scale = tail or next((ch for ch in reversed(numeral) if ch in "百千万亿"), "")
    return value * ZH_SCALES.get(tail, 1), scale, vague


def _arabic_value(match: re.Match) -> tuple[Decimal, str, bool]:
    value = Decimal(match["arabic"].replace(",", ""))
    scale = (match["scale"] or "").strip().lower() + (match["rest_scale"] or "")
    english = scale.rstrip("万亿")
    factor = Decimal(_EN_SCALE.get(english, 1))
    for ch in scale.removeprefix(english) if english in _EN_SCALE else scale:
        factor *= ZH_SCALES[ch]
    value *= factor
    rest = match["zh_rest"]
    if rest:
        digit = Decimal(rest[0]) if rest[0].isdecimal() else zh_value(rest[0]) or Decimal(0)
        value += digit * (ZH_SCALES[rest[1]] if len(rest) > 1 else factor / 10)
    return value, scale, False


def _belongs_to_word(match: re.Match, before: str, after: str) -> bool:
    """Whether the digits or characters only look like an amount."""
    if match["arabic"]:
        measured = bool(match["prefix"] or match["unit"] or match["scale"])
        if before.endswith("-") and not measured:
            return True  # the second half of a range has a measure, 5-10万; that of a date or a telephone has none
        if _YEAR.match(match["arabic"]) and (match["unit"] == "年" or after.startswith("年")):
            return True
        if not match["unit"] and _JOINED_AFTER.match(after):
            return True
        return _PHONE.match(match["arabic"]) is not None and not measured
    if match["zh"]:
        return _is_zh_word(match)
    return bool(match["en"]) and match["en"].lower() == "one" and not match["unit"]


def _is_zh_word(match: re.Match) -> bool:
    """A numeral of one character counts only with a measure after it; 一点 and 一般 are words."""
    numeral = match["zh"]
    if numeral.endswith("点"):
        return True
    if len(numeral) == 1:
        measured = match["unit"] or match["rest_scale"]
        return not measured or match["unit"] == "分"
    return all(ch in ZH_DIGITS for ch in numeral)  # 六七个 is vague, 二〇二四 a year, 一三九 part of a telephone number


def _currency(match: re.Match, unit: str, value: Decimal, after: str) -> str | None:
    if match["prefix"]:
        return _PREFIX[match["prefix"].lower()]
    if unit == "块" and value < 10 and after[:1].isalpha():
        return None  # 两块屏幕 counts pieces
    return _SUFFIX.get(unit)
