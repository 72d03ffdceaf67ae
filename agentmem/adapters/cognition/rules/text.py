"""Text as it is read: one normal form that keeps every offset, and its cuts into sentences and pieces.

Normalising maps each character to exactly one character, so a span of the normal form is a span of
what was said.
"""

import unicodedata
from collections.abc import Iterator
from typing import Literal, NamedTuple

from agentmem import patterns as re

Lang = Literal["zh", "en"]

_OVERRIDES = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x3000: " ", 0xA0: " ", 0x2013: "-", 0x200B: " "}


class _Table(dict[int, str]):
    """Character to its one-character normal form, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        normal = unicodedata.normalize("NFKC", char)
        self[code] = normal if len(normal) == 1 else char
        return self[code]


_TABLE = _Table(_OVERRIDES)

HAN = r"\u3400-\u4dbf\u4e00-\u9fff"
_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(r"[A-Za-z][A-Za-z'&-]*")
_ENDS = re.compile(
    r"[。!?;\n~…]+|"
    rf"(?<=[{HAN}])\.+|"
    r"(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bNo)(?<!\bMrs)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bext)\.+(?=\s+[^a-z\s]|\s*$)"
)
_PIECES = re.compile(rf",(?!\d\d\d(?!\d))|—+|\s-+\s|\s*[()]\s*|(?<=[{HAN}]) +(?=[{HAN}])")


class Span(NamedTuple):
    """Characters `start` to `end` of a text."""

    start: int
    end: int


class Sentence(NamedTuple):
    """One sentence without its end mark; `mark` is the mark, `.` where there is none."""

    start: int
    end: int
    mark: str


def plain(text: str) -> str:
    """Half-width, compatibility-normalised, of the same length: offsets stay true."""
    return text.translate(_TABLE)


def language_of(text: str, default: Lang = "zh") -> Lang:
    """The language that carries the text: Han characters weighed against Latin words."""
    han = len(_HAN.findall(text))
    latin = len(_WORD.findall(text))
    if han == latin == 0:
        return default
    return "zh" if han >= latin else "en"


def has_han(text: str) -> bool:
    """Whether there is any Han character."""
    return _HAN.search(text) is not None


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a normalised text, in order, blank ones left out."""
    start = 0
    for mark in _ENDS.finditer(text):
        yield from _sentence(text, start, mark.start(), mark.group()[0] if "?" not in mark.group() else "?")
        start = mark.end()
    yield from _sentence(text, start, len(text), ".")


def _sentence(text: str, start: int, end: int, mark: str) -> Iterator[Sentence]:
    span = trimmed(text, start, end)
    if span.start < span.end:
        yield Sentence(span.start, span.end, mark)


def pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """The parts of one sentence between commas, dashes, brackets and blanks amid Han characters."""
    at = start
    for cut in _PIECES.finditer(text, start, end):
        span = trimmed(text, at, cut.start())
        if span.start < span.end:
            yield span
        at = cut.end()
    span = trimmed(text, at, end)
    if span.start < span.end:
        yield span


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without outer blanks and stray punctuation."""
    while start < end and text[start] in " \t\r\n,.:、\"'*-。":
        start += 1
    while end > start and text[end - 1] in ' \t\r\n,:、"*-。':
        end -= 1
    return Span(start, end)
