"""Reads what stands behind a Chinese date and leads away from it: 7月15日那个周末, 圣诞节前一天, 8月3日后的那个周六."""

from datetime import date

from agentmem import patterns as re
from agentmem.language.dates import Days, Partial, Unit, beside, one_day, period, settled

_WEEKDAYS = {ch: index for index, ch in enumerate("一二三四五六日")} | {"天": 6}
_UNITS: dict[str, Unit] = {"天": "day", "日": "day", "周末": "weekend", "周": "week", "星期": "week", "礼拜": "week",
                           "月": "month", "年": "year"}  # fmt: skip
_UNIT = r"(?:(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天](?![个次遍]))|(?P<unit>周末|周|星期|礼拜|天|月|年))"
_BESIDE = re.compile(rf"\s?的?(?:之?(?P<way>[前后])的?(?:那一?|一)个?|(?:那|当)(?:一)?个?){_UNIT}")


def read_beside(text: str, position: int, found: Days | Partial, today: date) -> tuple[Days, int] | None:
    """The day, week, weekend or weekday that is named by a day before it, which must be one day."""
    match = _BESIDE.match(text, position)
    base = settled(found, today) if isinstance(found, Partial) else found
    if match is None or base is None or base.ends != one_day(base.begins).ends:
        return None
    what = _WEEKDAYS[match["weekday"]] if match["weekday"] else _UNITS[match["unit"]]
    if match["way"]:
        return beside(base, what, -1 if match["way"] == "前" else 1), match.end()
    if isinstance(what, int):
        return None
    return period(base.begins, what), match.end()
