"""What ranking knows of a question: whom it names, what it asks for, which times it speaks of."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from agentmem import patterns as re
from agentmem.language.asked_times import asked_times
from agentmem.language.calendar_terms import time_terms
from agentmem.language.cues import READ_FOR_TIMES
from agentmem.language.times import TimeMention
from agentmem.retrieval.asked import asked_for

_WANTS_TIME = re.compile(
    r"\bwhen\b|\bhow (?:long|old)\b|\b(?:what|which) (?:date|day|month|year|time|week|season)\b"
    r"|什么时候|什么时间|何时|哪天|哪一天|哪年|哪一年|几点|几号|几月|多久|多长时间|哪个月|星期几|周几",
    re.IGNORECASE,
)
LONGEST = 8_000
"""Characters of a question that are looked at."""

_POSSESSIVE = r"(?:['’]s)?"


@dataclass(frozen=True, slots=True)
class Question:
    """A question about memories. `text` as it was asked, `sought` without the names of those who speak in the scope:
    their turns are preferred instead, for hardly anybody says his own name. `named` are those the question names.
    `times` are those it speaks of."""

    text: str
    sought: str
    now: datetime
    speakers: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    wants_time: bool = False
    times: tuple[TimeMention, ...] = ()

    @property
    def time_terms(self) -> list[str]:
        """The times it names, as search terms; open and recurring ones have none."""
        closed = ((mention.begins, mention.ends) for mention in self.times)
        return [
            term for begins, ends in closed if begins and ends and begins < ends for term in time_terms(begins, ends)
        ]


def read_question(text: str, now: datetime, speakers: Collection[str] = ()) -> Question:
    """The question as ranking reads it, asked at `now` in a scope where `speakers` speak; of a long one its ends."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} {text[-LONGEST // 2 :]}"
    named = frozenset(name for name in speakers if _names(text, name))
    return Question(
        text=text,
        sought=_without(text, named),
        now=now,
        speakers=frozenset(speakers),
        named=named,
        asked=asked_for(text[:READ_FOR_TIMES]),
        wants_time=bool(_WANTS_TIME.search(text)),
        times=tuple(asked_times(text[:READ_FOR_TIMES], now)),
    )


def _pattern(name: str) -> str:
    """The name as a whole word where it is written in Latin letters; anywhere in Chinese."""
    edge = r"\b" if name[0].isascii() and name[-1].isascii() else ""
    return f"{edge}{re.escape(name)}{edge}"


def _names(text: str, name: str) -> bool:
    return bool(re.search(_pattern(name), text, re.IGNORECASE))


def _without(text: str, names: Collection[str]) -> str:
    """The text without these names; whole, where nothing else would be left of it."""
    rest = text
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(_pattern(name) + _POSSESSIVE, " ", rest, flags=re.IGNORECASE)
    return rest if any(map(str.isalnum, rest)) else text
