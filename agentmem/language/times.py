"""Time expressions of Chinese and English text, resolved against the moment they were spoken."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Literal

from agentmem.language.normal import Language

Precision = Literal["year", "month", "week", "day", "part", "hour", "minute", "second"]


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time expression: `source[start:end] == text`, and the interval it stands for.

    `begins` and `ends` are aware, in the UTC offset of the reference; `ends` is exclusive; either is None where
    the expression is open (2018年之后, before Friday). `iso` is the resolution as written in prose.
    """

    start: int
    end: int
    text: str
    begins: datetime | None
    ends: datetime | None
    precision: Precision
    recurring: bool
    iso: str


_CORE = re.compile("大前天|前天|昨天|今天|明天|大后天|后天|(?i:yesterday|today|tomorrow)")
_DAYS = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "今天": 0,
    "明天": 1,
    "后天": 2,
    "大后天": 3,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
}


def find_times(text: str, reference: datetime, language: Language | None = None) -> list[TimeMention]:
    """All time expressions of a text in order, without overlap. The reference must be aware."""
    offset = reference.utcoffset()
    if offset is None:
        raise ValueError(f"the reference needs a UTC offset: {reference!r}")
    midnight = reference.astimezone(timezone(offset)).replace(hour=0, minute=0, second=0, microsecond=0)
    found: list[TimeMention] = []
    for match in _CORE.finditer(text):
        begins = midnight + timedelta(days=_DAYS[match.group().lower()])
        ends = begins + timedelta(days=1)
        found.append(
            TimeMention(
                match.start(), match.end(), match.group(), begins, ends, "day", False, begins.date().isoformat()
            )
        )
    return found


def annotate(text: str, reference: datetime) -> str:
    """The text with each relative date followed by its resolution: `下周四(2026-03-12)下午三点`."""
    parts: list[str] = []
    position = 0
    for mention in find_times(text, reference):
        parts.append(text[position : mention.end])
        parts.append(("" if not mention.text[-1].isascii() else " ") + f"({mention.iso})")
        position = mention.end
    return "".join(parts) + text[position:]
