"""Reads English dates counted from another one: 3 days after Easter, the weekend before 15 July."""

from datetime import datetime

from agentmem import patterns as re
from agentmem.language.dates import Days, Partial, Unit, beside, offset, one_day, settled, shifted
from agentmem.language.lexicon_en import COUNT, UNIT, WEEKDAY, count_number, unit_of, weekday_number
from agentmem.language.moments import Expression, Moment
from agentmem.language.periods_en import on_weekday_behind, read_date

_I = re.IGNORECASE
_AWAY_FROM = re.compile(
    rf"(?P<count>{COUNT})\s(?P<unit>{UNIT})\s(?P<way>after|before|from|since|following|prior\sto)\s(?:the\s)?", _I
)
_NEXT_TO = re.compile(
    rf"(?:the|last)\s(?P<what>day|week(?:end)?|month|year|{WEEKDAY})\s(?P<way>before|after|following|preceding|prior\sto)\s(?:the\s)?",
    _I,
)
_BOUND = re.compile(
    rf"(?:in\s)?(?P<bound>less|fewer|more)\sthan\s(?P<count>{COUNT})\s(?P<unit>{UNIT})"
    r"(?:\s(?:(?P<now>ago|from\snow)(?![a-z])|(?P<way>after|before|from)\s(?:the\s)?))?",
    _I,
)


_UNITS: dict[str, Unit] = {"day": "day", "week": "week", "weekend": "weekend", "month": "month", "year": "year"}


def settled_date(text: str, position: int, now: datetime) -> tuple[Days, int] | None:
    """A date to count from."""
    found = read_date(text, position, now.date())
    if found is None:
        return None
    days = settled(found[0], now.date()) if isinstance(found[0], Partial) else found[0]
    return None if days is None else (days, found[1])


def read_anchored(text: str, position: int, now: datetime) -> tuple[Days | Partial, int] | None:
    """The date that is counted from another one."""
    away = _AWAY_FROM.match(text, position)
    base = settled_date(text, away.end(), now) if away is not None else None
    if away is not None and base is not None:
        count = round(count_number(away["count"])) * (-1 if _is_before(away["way"]) else 1)
        return on_weekday_behind(text, position, (offset(base[0].begins, count, unit_of(away["unit"])), base[1]))
    next_to = _NEXT_TO.match(text, position)
    base = settled_date(text, next_to.end(), now) if next_to is not None else None
    if next_to is None or base is None:
        return None
    what = next_to["what"].lower()
    unit = _UNITS.get(what)
    return beside(base[0], unit or weekday_number(what), -1 if _is_before(next_to["way"]) else 1), base[1]


def _is_before(way: str) -> bool:
    return way.lower().split()[0] in ("before", "preceding", "prior")


def read_bounded(text: str, position: int, now: datetime) -> Expression | None:
    """`less than 3 days after tomorrow` lasts from then, `more than two weeks ago` until then."""
    match = _BOUND.match(text, position)
    if match is None:
        return None
    base: tuple[Days, int] | None = (one_day(now.date()), match.end())
    if match["way"]:
        base = settled_date(text, match.end(), now)
    elif not match["now"] and not match[0].lower().startswith("in "):
        return None
    if base is None:
        return None
    back = (match["now"] or match["way"] or "").lower() in ("ago", "before")
    start, end = base[0].begins, base[1]
    far = shifted(start, round(count_number(match["count"])) * (-1 if back else 1), unit_of(match["unit"]))
    if match["bound"].lower() == "more":
        return Expression(position, end, "before" if back else "since", Moment(end, one_day(far), note=end))
    return Expression(position, end, "at", Moment(end, Days(min(start, far), max(start, far)), note=end))
