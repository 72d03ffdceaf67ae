"""From when to when a slot fact holds, where its words say so: `since March`, `I moved in 2019`, `从去年起`.

A date counts only where the clause ties it to the fact: by a word such as since, by a verb of change, or by a range in
the past. A date that stands there for another reason is ignored.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

from datetime import datetime

from agentmem import patterns as re
from agentmem.domain.attributes import cardinality
from agentmem.language.times import TimeMention, find_times

_I = re.IGNORECASE
_SINCE = re.compile(
    r"\b(?:since|as of|effective|starting(?: from)?|from)\b(?=[^,;]*$)|[从自](?=.{1,14}(?:起|开始|以来|就))|以来", _I
)
_CHANGED = re.compile(
    r"搬|入职|加入|跳槽|换|改[用成为]|离职|辞职|离开|转行|结婚|离婚|订婚|升|成为|当上|提高|增加|降|减|调整|迁|定居|落户|安家|领证|扯证|嫁|娶|提拔|任命|录用|裁|辞退|开除|退休"
    r"|\b(?:moved|relocated|joined|started|switched|migrated|became|become|changed|left|quit|resigned|married|divorced|engaged|promoted|stopped|turned|went up|gone up|was cut|raised|hired|recruited|let me go|laid off|fired|sacked|retired|appointed|settled|went to live|tied the knot|hitched)\b",
    _I,
)
_PLANNED = re.compile(
    r"(?:要|将|会|打算|准备|计划|决定).{0,12}(?:搬|入职|加入|跳槽|换|去)"
    r"|\b(?:am|'m|are|'re|is|will|'ll|be|going to|planning to) (?:\w+ )?(?:moving|move|relocating|relocate|joining|join|starting|start|switching|switch|changing|change)\b",
    _I,
)
_WAS = re.compile(r"\b(?:lived|worked|was|were|used|had)\b.*\b(?:from|between)\b|从.+到.+(?:住|在|做|当|用)", _I)
_UNDATED = frozenset(("birthday", "age", "deadline", "name", "alias"))


def interval_of(words: str, attribute: str | None, said: datetime) -> tuple[datetime | None, datetime | None]:
    """When the fact of a clause began and ended, as far as its words tell; None for what they leave open."""
    if attribute is None or attribute in _UNDATED or cardinality(attribute, {}) == "multi":
        return None, None
    dated = [
        item for item in find_times(words, said) if item.dated and item.every is None and (item.begins or item.ends)
    ]
    if len(dated) != 1:
        return None, None
    return _read(words, dated[0], said)


def is_planned(words: str) -> bool:
    """Whether a clause speaks of a change that lies ahead."""
    return _PLANNED.search(words) is not None


def _read(words: str, when: TimeMention, said: datetime) -> tuple[datetime | None, datetime | None]:
    begins = when.begins
    if _WAS.search(words) and begins and when.ends and when.ends <= said:
        return begins, when.ends
    if begins is None:
        return None, None
    if is_planned(words):
        return (begins, None) if begins > said else (None, None)
    tied = _CHANGED.search(words) or _SINCE.search(words)
    return (begins, None) if tied and begins <= said else (None, None)
