"""Reads English time expressions."""

import re
from datetime import date, datetime, timedelta

from agentmem.language.dates import one_day
from agentmem.language.moments import Expression, Moment

_DAY = re.compile(r"\b(?:yesterday|today|tomorrow)\b", re.IGNORECASE)
_OFFSET = {"yesterday": -1, "today": 0, "tomorrow": 1}


def read_expression(text: str, position: int, now: datetime) -> Expression | None:
    """The longest expression that begins at this position."""
    match = _DAY.match(text, position)
    if match is None:
        return None
    day: date = now.date() + timedelta(days=_OFFSET[match[0].lower()])
    return Expression(position, match.end(), "at", Moment(match.end(), one_day(day), None, None, match.end()))
