"""What the rules pass to one another: texts cut into sentences and pieces, clauses, who they speak of, what was found.

A text is read in one normal form that keeps every offset.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal, NamedTuple

from agentmem import patterns as re
from agentmem.adapters.cognition.rules.acquaintances import Acquaintances
from agentmem.domain.event import Person
from agentmem.domain.memory import Modality
from agentmem.domain.statement import Turn

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
    r"(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bNo)(?<!\bMrs)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bext)(?<!\bapprox)(?<!\bca)\.+(?=\s+[^a-z\s]|\s*$)|"
    r"(?:(?<=[a-z][a-z][a-z])|(?<=\bit)|(?<=\bme)|(?<=\bus)|(?<=\bup)|(?<=\bso)|(?<=\bto)|(?<=\bon)|(?<=\bin)|(?<=\bgo)|(?<=\bdo)|(?<=\d\d))(?<!\betc)(?<!\bext)(?<!\bapprox)(?<!\bdept)(?<!\bincl)(?<!\bmins)(?<!\bmin)(?<!\bmax)\.+(?=\s+[a-z])"
)
COMMA = r",(?!\d\d\d(?!\d))"
"""A comma that is not within a number."""
_PIECES = re.compile(rf"{COMMA}|—+|\s-+\s|\s*[()]\s*|(?<=[{HAN}]) +(?=[{HAN}])")


class Span(NamedTuple):
    """Characters `start` to `end` of a text."""

    start: int
    end: int

    def holds(self, other: "Span") -> bool:
        """Whether the other lies in it."""
        return self.start <= other.start and other.end <= self.end


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


class Act(StrEnum):
    """What a clause does."""

    ASSERT = "assert"
    QUESTION = "question"
    REQUEST = "request"
    CONDITIONAL = "conditional"
    UNCERTAIN = "uncertain"
    POLITE = "polite"
    REPORTED = "reported"
    IDLE = "idle"


class Who(StrEnum):
    """Whom or what a clause speaks of."""

    FIRST = "first"
    OWN = "own"
    OFFER = "offer"
    SECOND = "second"
    THIRD = "third"
    WORLD = "world"
    THING = "thing"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause: its kind, its words, and for a third person the name he is remembered by."""

    who: Who
    words: str = ""
    person: str | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of one turn that says one thing. `text` is normalised, without its connectives."""

    span: Span
    text: str
    lang: Lang
    act: Act
    subject: Subject
    predicate: str
    opens_sentence: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found; the engine makes it a statement. `spans` lie in the turn it was found in.

    `closes`: when it is over; `slip`: it was never so; `replaces`: the contents of what it takes the place of,
    `disputes` of what it may; `dated`: its times are resolved; `asked_with`: words to find it by that are not in it.
    """

    content: str
    kind: str
    importance: int
    lang: Lang
    spans: tuple[Span, ...]
    attribute: str | None = None
    value: str | None = None
    about: str | None = None
    modality: Modality = Modality.STATED
    layer: Literal["observation", "insight"] = "observation"
    key: tuple[str, ...] = ()
    ended: bool = False
    closes: datetime | None = None
    slip: bool = False
    replaces: tuple[str, ...] = ()
    disputes: tuple[str, ...] = ()
    dated: bool = False
    cited: tuple[tuple[str, Span], ...] = ()
    asked_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnAttributes:
    """The attributes that a persona adds, by what they are called; `several`: those that hold many values."""

    by_name: Mapping[str, str] = field(default_factory=dict[str, str])
    several: frozenset[str] = frozenset()

    def __contains__(self, attribute: object) -> bool:
        return attribute in self.by_name.values()


@dataclass(slots=True)
class Discourse:
    """What a rule may know beyond its clause. Lives for one reading; `topic`, `subject`, `elsewhere` (the talk is about
    somebody else) and `beside` (a relative or an animal was named, whom a clause without a subject may mean) move with
    it. `several`: the agent asked more than one thing; `settled`: what the reply says yes or no to is understood;
    `own`: the attributes that the persona adds; `people`: of whom he has told; `corrected`: the turn as its clauses
    have it, where a slip was put right in it.
    """

    person: Person
    agent_name: str
    turn: Turn
    asked: str = ""
    topic: str = ""
    third: str | None = None
    elsewhere: bool = False
    beside: bool = False
    several: bool = False
    settled: bool = False
    own: OwnAttributes = field(default_factory=OwnAttributes)
    people: Acquaintances = field(default_factory=Acquaintances)
    subject: Subject = field(default_factory=lambda: Subject(Who.NONE))
    claimed: list[Span] = field(default_factory=list[Span])
    corrected: str | None = None

    @property
    def label(self) -> str:
        """How contents name the person: with his title where it is of the language that is spoken."""
        foreign = has_han(self.person.title or "") and not has_han(self.turn.text)
        return self.person.name if foreign else self.person.label

    def is_claimed(self, span: Span) -> bool:
        """Whether another rule has taken words inside the span."""
        return any(taken.start < span.end and span.start < taken.end for taken in self.claimed)


Rule = Callable[[Clause, Discourse], Iterable[Finding]]
"""One small reader: nothing, or what it found in the clause."""
