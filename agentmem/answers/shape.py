"""Which way of looking suits a question, by its shape alone: the same question always goes the same way."""

from datetime import datetime
from typing import Final

from agentmem import patterns as re
from agentmem.answers.described import is_described
from agentmem.answers.question import Way
from agentmem.answers.split import is_nested, parts_of
from agentmem.language.asked_times import asked_times
from agentmem.language.cues import READ_FOR_TIMES
from agentmem.language.names import names_of
from agentmem.language.times import TimeMention

_OVERVIEW: Final = re.compile(
    r"总结|概括|概述|总体|整体|总的来说|综合来看|大家|所有(?:客户|人|用户)|客户们|主要(?:有哪些|的?(?:主题|话题|问题|需求|趋势))"
    r"|\b(?:summar(?:y|i[sz]e)|overview|overall|in general|on the whole|main (?:themes?|topics?|concerns?|trends?)"
    r"|everybody|everyone|across (?:all|the)|all (?:the )?(?:customers|users|people))\b",
    re.IGNORECASE,
)
_HISTORY: Final = re.compile(
    r"以前|之前|从前|曾经|过去|原来|原先|换过|变过|改过|历史|变化"
    r"|\b(?:used to|previously|formerly|history|before (?:that|now)|in the past|changed?|originally)\b"
    r"|\b(?:previous|former)(?! (?:\w+[- ])?(?:boss|employer|colleague|coworker|manager|president|head|wife"
    r"|husband|partner|owner|name|teacher|student|director|ceo|chief)\b)",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(
    r"关系|联系着|有关|相关|介绍|是谁|是什么人|了解|"
    r"\b(?:related?|relationship|connect(?:ed|ion)|who is|tell me about|know about|between)\b",
    re.IGNORECASE,
)


def is_overview(question: str) -> bool:
    """Whether it asks about everything rather than about something."""
    return _OVERVIEW.search(question) is not None


def asks_of_the_past(question: str) -> bool:
    """Whether it asks for what is over."""
    return _HISTORY.search(question) is not None


def way_of(question: str, now: datetime) -> Way:
    """The way that suits a question asked at `now`."""
    if is_overview(question):
        return "global"
    several = is_nested(question) or is_described(question)
    times = [each for each in asked_times(question[:READ_FOR_TIMES], now) if not _is_a_kind(each)]
    if asks_of_the_past(question) or any(not several or (each.ends and each.ends <= now) for each in times):
        return "temporal"
    if several or len(parts_of(question)) > 1:
        return "traverse"
    names = names_of(question)
    if len(names) > 1 or (names and _ABOUT.search(question)):
        return "local"
    return "vector"


def _is_a_kind(time: TimeMention) -> bool:
    """Whether it only says what kind of thing is meant, as in "night flight": a part of no day, and nothing leads to
    it."""
    return time.precision == "part" and not time.dated and time.text.isascii() and " " not in time.text


def otherwise(way: Way) -> Way | None:
    """Where to look when that way finds nothing; None where there is nothing left: a traversal has recalled as well."""
    match way:
        case "global":
            return "hybrid"
        case "local" | "temporal":
            return "vector"
        case "vector" | "hybrid" | "traverse":
            return None
