"""Years counted from the beginning of a reign or a republic, in Chinese: 康熙二十年, 民国38年, 昭和元年."""

from agentmem import patterns as re
from agentmem.language.numerals import zh_integer

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
