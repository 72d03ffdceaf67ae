"""What a text shows about itself that helps to find and rank it: whether it asks, which times it names, and its topics
in the words of who would ask: a question for somebody's diet finds what he eats.

Read once, when a memory goes into the index; recall compares numbers only. Topics are everyday matters, each with the
words, in Chinese and English, that people ask for it and tell of it with.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.characters import is_han
from agentmem.language.time import find_times
from agentmem.language.tokens import tokens
from agentmem.language.word_lists import word_groups

_SIGN_OF_TIME = re.compile(r"[\d年月周日号天昨今明后前早晚午夜春夏秋冬节时点刻旬末季]|星期|礼拜")
_WORD = re.compile("[a-z]+")
_UNITS = "minute hour day week weekend month quarter year decade century night morning evening spring summer winter"
_TIME_WORDS = frozenset(
    f"""
    {_UNITS} {_UNITS.replace(" ", "s ")}s
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    today tomorrow yesterday tonight now ago last next noon afternoon midnight autumn fall dinner lunch clock past
    birthday christmas easter thanksgiving halloween eve
    """.split()
)
"""A text without one of these, a digit or a Chinese sign of time names no time; most texts are done with so."""

_ASKS = re.compile(r"[?？][\s\"”'’)）~～!！。.\U0001F000-\U0001FAFF]*$|[吗呢么][\s。.!！~～]*$")
READ_FOR_TIMES = 2_000
"""Characters of a text that are read for times; a longer text is a document, which is about no single time."""


@dataclass(frozen=True, slots=True)
class Cues:
    """`asks`: whether the text ends in a question; `dated`: whether it names a time of any kind; `times`: the intervals
    it names in seconds since 1970, the end exclusive, without those that are open or recur."""

    asks: bool
    dated: bool = False
    times: tuple[tuple[int, int], ...] = ()


def cues_of(text: str, at: datetime) -> Cues:
    """The cues of a text written or spoken at `at`."""
    mentions = _times(text[:READ_FOR_TIMES], at, str(at.tzinfo))
    closed = tuple((int(begins.timestamp()), int(ends.timestamp())) for begins, ends in mentions if begins and ends)
    return Cues(bool(_ASKS.search(text)), bool(mentions), closed)


@lru_cache(maxsize=2_048)  # what waits to be read is looked at with every question
def _times(text: str, at: datetime, _zone: str) -> tuple[tuple[datetime | None, datetime | None], ...]:
    """By the zone as well: two times that are equal in different zones are different days."""
    if not _SIGN_OF_TIME.search(text) and _TIME_WORDS.isdisjoint(_WORD.findall(text.lower())):
        return ()
    return tuple((mention.begins, mention.ends) for mention in find_times(text, at))


READ_CHARACTERS: Final = 2_000
"""Characters of a text that are looked through; a longer one is a document, which is about many things."""

_LONGEST_HAN: Final = 4
_HAN_RUN: Final = re.compile("[\u4e00-\u9fff]+")


@lru_cache(1)
def _topics() -> Mapping[str, frozenset[str]]:
    """For each word, as search reads it, its topics."""
    found: dict[str, set[str]] = {}
    for name, *words in word_groups("topics"):
        for word in words:
            for term in (word,) if is_han(word[0]) else tokens(word):
                found.setdefault(term, set()).add(name)
    return {term: frozenset(names) for term, names in found.items()}


def topics_of(text: str) -> frozenset[str]:
    """The names of the topics that the text has words of."""
    topics, read = _topics(), text[:READ_CHARACTERS]
    words = [*tokens(read), *_han_pieces(read)]
    return frozenset(name for word in words for name in topics.get(word, ()))


def topic_terms(text: str) -> list[str]:
    """The same as search terms, unlike any word."""
    return [f"topic:{name}" for name in sorted(topics_of(text))]


def _han_pieces(text: str) -> list[str]:
    """All runs of two to four Han characters: what a dictionary would cut differently is found all the same."""
    return [
        run[start : start + size]
        for run in _HAN_RUN.findall(text)
        for size in range(2, _LONGEST_HAN + 1)
        for start in range(len(run) - size + 1)
    ]
