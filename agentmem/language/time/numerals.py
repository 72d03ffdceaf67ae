"""Numerals written in Chinese and English, and years counted from the beginning of a reign: 康熙二十年, 民国38年."""

from decimal import Decimal

from agentmem import patterns as re

ZH_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
ZH_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}

_EN_UNITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
             "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")  # fmt: skip
_EN_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
EN_SMALL = {word: value for value, word in enumerate(_EN_UNITS)} | {
    word: 20 + 10 * index for index, word in enumerate(_EN_TENS)
}
EN_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}


def zh_value(numeral: str) -> Decimal | None:
    """The value of a Chinese numeral (`两千五`, `三点五万`, `二〇二四`); None if it is none."""
    if not numeral:
        return None
    if all(ch in ZH_DIGITS for ch in numeral):
        return Decimal("".join(str(ZH_DIGITS[ch]) for ch in numeral))
    if "点" in numeral:
        return _zh_decimal(numeral)
    return _zh_scaled(numeral)


def zh_integer(numeral: str) -> int | None:
    """Like `zh_value`, for whole numbers written in Arabic or Chinese digits."""
    if numeral.isdecimal():
        return int(numeral)
    value = zh_value(numeral)
    return int(value) if value is not None and value == value.to_integral_value() else None


def en_value(words: str) -> Decimal | None:
    """The value of an English numeral in words (`two hundred and fifty`); None if it is none."""
    total = current = 0
    seen = False
    for word in re.split(r"[\s-]+", words.lower().strip()):
        if word in EN_SMALL:
            current += EN_SMALL[word]
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in EN_SCALES:
            total += (current or 1) * EN_SCALES[word]
            current = 0
        elif word not in ("and", "a", "an"):
            return None
        seen = seen or word in EN_SMALL or word in EN_SCALES
    return Decimal(total + current) if seen else None


def _zh_decimal(numeral: str) -> Decimal | None:
    whole, _, rest = numeral.partition("点")
    fraction = rest.rstrip("十百千万亿")
    if not fraction or any(ch not in ZH_DIGITS for ch in fraction):
        return None
    head = zh_value(whole) if whole else Decimal(0)
    if head is None:
        return None
    value = head + Decimal("0." + "".join(str(ZH_DIGITS[ch]) for ch in fraction))
    for scale in rest[len(fraction) :]:
        value *= ZH_SCALES[scale]
    return value


def _zh_scaled(numeral: str) -> Decimal | None:
    """Positional reading: sections below 万 and 亿, and a last digit without scale as in 两千五 or 三万二."""
    total = section = digit = 0
    last_scale = 1
    gap = False
    for ch in numeral:
        if ch in ZH_DIGITS:
            digit = ZH_DIGITS[ch]
            gap = gap or digit == 0
        elif ch in ("十", "百", "千"):
            section += (digit or 1) * ZH_SCALES[ch]
            digit, gap, last_scale = 0, False, ZH_SCALES[ch]
        elif ch in ("万", "亿"):
            factor = ZH_SCALES[ch]
            total = (total + section + digit) * factor if ch == "亿" else total + (section + digit) * factor
            section, digit, gap, last_scale = 0, 0, False, factor
        else:
            return None
    if digit and not gap and last_scale > 10:
        digit *= last_scale // 10
    return Decimal(total + section + digit)


_FIRST_YEARS = {
    "顺治": 1644, "康熙": 1662, "雍正": 1723, "乾隆": 1736, "嘉庆": 1796, "道光": 1821, "咸丰": 1851, "同治": 1862,
    "光绪": 1875, "宣统": 1909, "民国": 1912, "明治": 1868, "大正": 1912, "昭和": 1926, "平成": 1989, "令和": 2019,
}  # fmt: skip
ERA_YEAR = rf"(?:{'|'.join(_FIRST_YEARS)})(?:元|\d{{1,3}}|[一二三四五六七八九十百]{{1,5}})"
ERA_STARTS = "".join(sorted({era[0] for era in _FIRST_YEARS}))
_COUNTED = re.compile(rf"({'|'.join(_FIRST_YEARS)})(.+)")


def era_year(words: str) -> int | None:
    """The year in our count; None where no era is named."""
    match = _COUNTED.fullmatch(words)
    if match is None:
        return None
    count = 1 if match[2] == "元" else zh_integer(match[2]) or 0
    return _FIRST_YEARS[match[1]] + count - 1
