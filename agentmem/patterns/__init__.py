"""Regular expressions that take linear time on every text: the one place in which patterns are compiled.

What people say and bring in is read by patterns, and Python's own engine goes back and tries again, so that a text of
some hundred characters can hold it for years. Here every match is bounded by construction. Before Python's engine is
asked, the worst that any text of that length can cost it is computed from the parsed pattern (`work`); only where that
is at most `STEPS_PER_CHARACTER` a character may it answer. All else goes to RE2, which is linear (`spelling`,
`linear`), and where a pattern looks around, which RE2 cannot, to sets of places, which are linear too (`positions`).
All three mean the same by a pattern, so no pattern need be written with any of this in mind.

The names are those of `re`: import it as `from agentmem import patterns as re`.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from re import ASCII, DOTALL, IGNORECASE, MULTILINE, VERBOSE, error, escape
from typing import Any, Final
from weakref import WeakSet

from agentmem.patterns.pattern import Match, Pattern, filled
from agentmem.patterns.text import holds_one

__all__ = [
    "ASCII",
    "DOTALL",
    "IGNORECASE",
    "MULTILINE",
    "VERBOSE",
    "I",
    "Match",
    "Pattern",
    "compile",
    "error",
    "escape",
    "filled",
    "findall",
    "finditer",
    "fullmatch",
    "match",
    "may_match",
    "prepare",
    "search",
    "split",
    "sub",
]
I = IGNORECASE  # noqa: E741 # as `re` has it


_COMPILED: Final = WeakSet[Pattern]()


@lru_cache(maxsize=4_096)
def compile(pattern: str, flags: int = 0) -> Pattern:
    """A pattern, ready to be used often."""
    compiled = Pattern(pattern, int(flags))
    _COMPILED.add(compiled)
    return compiled


def prepare() -> Iterator[Pattern]:
    """Prepare all patterns that there are, one with each step, so that none is read when it is first used. One that
    cannot be read is left to whoever uses it."""
    for pattern in tuple(_COMPILED):
        with suppress(error):
            pattern.prepare()
        yield pattern


def search(pattern: str, text: str, flags: int = 0) -> Match | None:
    """The first match anywhere."""
    return compile(pattern, flags).search(text)


def match(pattern: str, text: str, flags: int = 0) -> Match | None:
    """The match at the beginning."""
    return compile(pattern, flags).match(text)


def fullmatch(pattern: str, text: str, flags: int = 0) -> Match | None:
    """The match of all the text."""
    return compile(pattern, flags).fullmatch(text)


def finditer(pattern: str, text: str, flags: int = 0) -> Iterator[Match]:
    """All matches, from left to right."""
    return compile(pattern, flags).finditer(text)


def findall(pattern: str, text: str, flags: int = 0) -> list[Any]:
    """What all matches say."""
    return compile(pattern, flags).findall(text)


def split(pattern: str, text: str, maxsplit: int = 0, flags: int = 0) -> list[str | Any]:
    """The text between the matches."""
    return compile(pattern, flags).split(text, maxsplit)


def sub(pattern: str, by: str | Callable[[Match], str], text: str, count: int = 0, flags: int = 0) -> str:
    """The text with its matches replaced."""
    return compile(pattern, flags).sub(by, text, count)


def may_match(patterns: tuple[Pattern, ...], text: str) -> bool:
    """Whether any of these patterns can match anything in a text at all: no where it holds none of what they need."""
    needed = _needed_by_one(patterns)
    return not needed or holds_one(text, _of_ascii(needed) if text.isascii() else needed)


@lru_cache(64)
def _needed_by_one(patterns: tuple[Pattern, ...]) -> tuple[str, ...]:
    """What one of them needs, without what holds another; nothing where one may need nothing."""
    needs = [pattern.needs for pattern in patterns]
    strings = sorted(frozenset[str]().union(*needs), key=len) if all(needs) else []
    return tuple(each for place, each in enumerate(strings) if not any(other in each for other in strings[:place]))


@lru_cache(64)
def _of_ascii(strings: tuple[str, ...]) -> tuple[str, ...]:
    """Those that may stand in a text of ASCII."""
    return tuple(each for each in strings if each.isascii())
