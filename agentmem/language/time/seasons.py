"""Reads seasons, which last three whole months as in meteorology, on the northern half of the earth.

Only one that says which it is counts as a time: last summer, the winter of 2021, 去年夏天. One without, as in "I am
free in the summer", counts in questions and where it recurs.
"""

from datetime import date

from agentmem import patterns as re
from agentmem.language.time.dates import Days, Partial, whole_month
from agentmem.language.time.vocabulary_en import STEP, YEAR, year_number

_I = re.IGNORECASE
_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}
_EN = r"(?P<season>spring|summer|autumn|fall|winter)(?:time)?(?![a-z])"
_ZH = r"(?P<season>[春夏秋冬])(?:[天季]|日(?!常))"
_STEP_EN = re.compile(rf"(?P<step>{STEP})\s{_EN}", _I)
_YEAR_EN = re.compile(rf"(?:the\s)?{_EN}(?:\s(?:of\s|in\s)?|,\s)(?:(?P<year>{YEAR})|(?P<short>['’]\d\d)(?!\d))", _I)
_BARE_EN = re.compile(_EN, _I)
_LED_EN = re.compile(r"\b(?:in|during|over|for|since|until|by|every|each)\s(?:the\s)?\Z", _I)
_STEP_ZH = re.compile(rf"(?P<step>上|下|这|本|今)(?:一?个|一)?{_ZH}|今(?P<short>[春夏秋冬])(?!日)")
_BARE_ZH = re.compile(_ZH)
_AFTER_YEAR_ZH = re.compile(rf"的?\s?{_ZH}")
_STEPS = {"last": -1, "past": -1, "previous": -1, "上": -1, "next": 1, "following": 1, "coming": 1, "upcoming": 1,
          "下": 1}  # fmt: skip


def read_season_en(text: str, position: int, today: date) -> tuple[Days | Partial, int] | None:
    """The season that begins here and says which it is: `last summer`, `winter of 2021`."""
    step = _STEP_EN.match(text, position)
    if step is not None:
        return _season(step["season"], today, _STEPS.get(step["step"].lower(), 0)), step.end()
    year = _YEAR_EN.match(text, position)
    if year is None:
        return None
    return Partial(year_number(year["year"] or year["short"]), _month(year["season"]), months=3), year.end()


def read_season_zh(text: str, position: int, today: date) -> tuple[Days | Partial, int] | None:
    """The season that begins here and says which it is: `今年` stands before it, or `这个`."""
    step = _STEP_ZH.match(text, position)
    if step is None:
        return None
    return _season(step["season"] or step["short"], today, _STEPS.get(step["step"] or "今", 0)), step.end()


def season_in_year(text: str, position: int, year: int) -> tuple[Days, int] | None:
    """The season that follows a Chinese year: 去年`夏天`, 2022年`的冬天`."""
    match = _AFTER_YEAR_ZH.match(text, position)
    return None if match is None else (whole_month(year, _month(match["season"]), count=3), match.end())


def read_bare_season(text: str, position: int) -> tuple[Partial, int] | None:
    """A season without its year, in either language: in the `summer`, `夏天`."""
    english = _BARE_EN.match(text, position) if _LED_EN.search(text[max(0, position - 12) : position]) else None
    match = english or _BARE_ZH.match(text, position)
    return None if match is None else (Partial(month=_month(match["season"]), months=3), match.end())


def _month(season: str) -> int:
    return _MONTHS[season.lower()]


def _season(season: str, today: date, step: int) -> Days:
    """The last one that is over, the next one to come, or the one that is now or else in this year."""
    years = range(max(1, today.year - 2), min(9997, today.year + 2) + 1)
    found = [whole_month(year, _month(season), count=3) for year in years]
    if step < 0:
        return max((one for one in found if one.ends <= today), key=lambda one: one.begins)
    if step > 0:
        return min((one for one in found if one.begins > today), key=lambda one: one.begins)
    now = [one for one in found if one.begins <= today < one.ends]
    return now[0] if now else next(one for one in found if one.begins.year == today.year)
