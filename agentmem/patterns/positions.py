"""Matching with sets of places: exact for every pattern, look-around and all, without going back.

A set of places in a text is one whole number, with a bit for each count of characters that are left. From the end of
the pattern to its beginning, each node turns the set of places where it may end into the set of places where it may
begin; a look-around is an intersection. After that the match is read off from left to right: at each choice the first
option that is known to lead to the end is taken, which is the one a backtracking engine ends up with.

Each node costs a few operations on whole numbers of the text's length, and one that repeats more than a class costs
them once per turn, up to `TURNS`: a text is read in time that grows with its length, whatever stands in it.
Neighbour: `matching` (what is asked of a text: where a pattern matches, and what its groups say).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from re import error

from agentmem.patterns import syntax
from agentmem.patterns.classes import Chars
from agentmem.patterns.syntax import Edge
from agentmem.patterns.text import Text, TextPart, one_case

TURNS = 1_000
"""Turns of a repeated group that are followed; a text that repeats more often matches up to there."""
_REMEMBERED = 2_000
"""Characters of a text up to which all that is found out about it is kept while one pattern reads it."""

Spans = list[tuple[int, int]]


class Places(ABC):
    """What one pattern finds out about a text, or a part of it. `border` is the place of a part's end, as a set."""

    border = 0
    is_part = False

    def __init__(self, text: Text | TextPart, after: int) -> None:
        self.text = text
        self.length = text.length
        self.all = (2 << self.length) - 1
        self.after = after
        self._chains: dict[tuple[int, int], list[int]] = {}

    def kept(self, node: "_Remembered", after: int) -> list[int]:
        """What a node found out for `after`, found out once."""
        if self.length > _REMEMBERED:
            return node.found(self, after)
        key = (id(node), after)
        if key not in self._chains:
            self._chains[key] = node.found(self, after)
        return self._chains[key]

    @abstractmethod
    def seen(self, look: "Seen") -> int:
        """Where a look-around holds."""


class Beyond(Exception):
    """What is asked for may lie before the part of the text, or behind it."""


class Node(ABC):
    """A part of a pattern, over sets of places."""

    @abstractmethod
    def before(self, reading: Places, after: int) -> int:
        """The places from which the node can end in one of `after`."""

    @abstractmethod
    def take(self, reading: Places, left: int, after: int, spans: Spans) -> int:
        """Follows the match from a place that is known to lead to `after`; answers where the node ends."""


class _Remembered(Node):
    @abstractmethod
    def found(self, reading: Places, after: int) -> list[int]:
        """What is worth to be kept for `after`."""


@dataclass(frozen=True, slots=True)
class _Class(Node):
    chars: Chars

    def before(self, reading: Places, after: int) -> int:
        return (after << 1) & reading.text.of_class(self.chars) | after & reading.border

    def take(self, reading: Places, left: int, after: int, spans: Spans) -> int:
        return left - 1 if left else 0


@dataclass(frozen=True, slots=True)
class _Word(Node):
    letters: str
    fold: bool

    def before(self, reading: Places, after: int) -> int:
        places = reading.text.of_word(self.letters, self.fold)
        beyond = places & ((1 << len(self.letters)) - 1) | 1 if after & reading.border else 0
        return (after << len(self.letters)) & places | beyond

    def take(self, reading: Places, left: int, after: int, spans: Spans) -> int:
        return max(0, left - len(self.letters))


@dataclass(frozen=True, slots=True)
class _All(Node):
    """One node after the other."""

    items: tuple[Node, ...]

    def before(self, reading: Places, after: int) -> int:
        for item in reversed(self.items):
            if not after:
                return 0
            after = item.before(reading, after)
        return after

    def take(self, reading: Places, left: int, after: int, spans: Spans) -> int:
        afters = [after]
        for item in reversed(self.items[1:]):
            afters.append(item.before(reading, afters[-1]))
        for item in self.items:
            left = item.take(reading, left, afters.pop(), spans)
        return left


class _One(_Remembered):
    """One of several. Options are looked at only where the text has a character that they can end or begin with."""

    __slots__ = ("_firsts", "_lasts", "_options", "_others")

    def __init__(self, branch: syntax.Branch) -> None:
        self._options = [build(option) for option in branch.options]
        self._firsts = [syntax.outermost(option, last=False) for option in branch.options]
        self._lasts: dict[str, list[Node]] = {}
        self._others: list[Node] = []
        for node, option in zip(self._options, branch.options, strict=True):
            last = syntax.outermost(option, last=True)
            if last is None:
                self._others.append(node)
            for letter in last or ():
                self._lasts.setdefault(letter, []).append(node)

    def before(self, reading: Places, after: int) -> int:
        return reading.kept(self, after)[0]

    def found(self, reading: Places, after: int) -> list[int]:
        places = after & reading.border
        for option in self._others:
            places |= option.before(reading, after)
        for letter in reading.text.letters & self._lasts.keys():
            for option in self._lasts[letter]:
                places |= option.before(reading, after)
        return [places]

    def take(self, reading: Places, left: int, after: int, spans: Spans) -> int:
        if not left and reading.border:
            return 0
        letter = reading.text.letter(left)
        for option, first in zip(self._options, self._firsts, strict=True):
            if (first is None or letter in first) and option.before(reading, after) >> left & 1:
                return option.take(reading, left, after, spans)
        raise AssertionError("an option was known to match here")


@dataclass(frozen=True, slots=True, eq=False)
class _Turns(_Remembered):
    """The same again and again."""

    body: Node
    least: int
    most: int
    lazy: bool

    def before(self, reading: Places, after: int) -> int:
        optional = reading.kept(self, after)
        return self._due(reading, optional[-1])[-1]

    def found(self, reading: Places, after: int) -> list[int]:
        """The places from which up to none, one, two … optional turns lead to `after`. The last stands for all higher
        numbers too where one more adds nothing."""
        chain = [after]
        for _ in range(min(self.most, TURNS) - self.least):
            wider = after | self.body.before(reading, chain[-1])
            if wider == chain[-1]:
                break
            chain.append(wider)
        return chain

    def _due(self, reading: Places, after: int) -> list[int]:
        """The places from which none, one, two … turns that are due lead to `after`."""
        chain = [after]
        for _ in range(self.least):
            chain.append(self.body.before(reading, chain[-1]))
        return chain

    def take(self, reading: Places, left: int, after: int, spans: Spans) -> int:
        optional = reading.kept(self, after)
        for then in reversed(self._due(reading, optional[-1])[:-1]):
            left = self.body.take(reading, left, then, spans)
        for remaining in range(min(self.most, TURNS) - self.least, 0, -1):
            if self.lazy and after >> left & 1:
                break
            then = optional[min(remaining, len(optional)) - 1]
            if not self.body.before(reading, then) >> left & 1:
                break
            left = self.body.take(reading, left, then, spans)
        return left


@dataclass(frozen=True, slots=True)
class _Run(Node):
    """Characters of one class, as many as there are."""

    chars: Chars
    least: int
    lazy: bool

    def before(self, reading: Places, after: int) -> int:
        mask = reading.text.of_class(self.chars)
        places = self._any(mask, after)
        for _ in range(self.least):
            places = (places << 1) & mask | after & reading.border
        return places

    def _any(self, mask: int, after: int) -> int:
        """The places from which a run of any length leads to `after`: an addition carries through the run."""
        begun = (after << 1) & mask
        return after | ((((mask + begun) ^ mask) | begun) & mask)

    def take(self, reading: Places, left: int, after: int, spans: Spans) -> int:
        left = max(0, left - self.least)
        here = (2 << left) - 1
        farthest = (~reading.text.of_class(self.chars) & here).bit_length() - 1
        within = after & here & -(1 << farthest)
        return within.bit_length() - 1 if self.lazy else (within & -within).bit_length() - 1


@dataclass(frozen=True, slots=True)
class _Marked(Node):
    """A group whose place is reported."""

    number: int
    body: Node

    def before(self, reading: Places, after: int) -> int:
        return self.body.before(reading, after)

    def take(self, reading: Places, left: int, after: int, spans: Spans) -> int:
        end = self.body.take(reading, left, after, spans)
        spans[self.number] = (reading.length - left, reading.length - end)
        return end


@dataclass(frozen=True, slots=True, eq=False)
class Seen(Node):
    """A look-around. `back` is how many characters it looks back, None for a look ahead."""

    body: Node
    back: int | None
    negated: bool
    marks: bool

    def before(self, reading: Places, after: int) -> int:
        return after & (reading.seen(self) | reading.border)

    def holds(self, reading: Places) -> int:
        """The places where it holds."""
        found = self.body.before(reading, reading.all) >> (self.back or 0)
        return reading.all & ~found if self.negated else found

    def take(self, reading: Places, left: int, after: int, spans: Spans) -> int:
        if self.marks and not self.negated:
            if reading.is_part:
                raise Beyond
            self.body.take(reading, left + (self.back or 0), reading.all, spans)
        return left


@dataclass(frozen=True, slots=True)
class _At(Node):
    """A place that takes no character."""

    edge: Edge

    def before(self, reading: Places, after: int) -> int:
        return after & (reading.text.at(self.edge) | reading.border)

    def take(self, reading: Places, left: int, after: int, spans: Spans) -> int:
        return left


def build(node: syntax.Node) -> Node:
    """The node of a tree, ready to read. A group that is said again cannot be read so."""
    match node:
        case Chars():
            return _Class(node)
        case syntax.Word():
            word = one_case(node.letters.lower())
            return _Word(word if node.fold and len(word) == len(node.letters) else node.letters, node.fold)
        case syntax.Sequence():
            items = tuple(build(item) for item in node.items)
            return items[0] if len(items) == 1 else _All(items)
        case syntax.Branch():
            return _One(node)
        case syntax.Repeat():
            return _repeated(node)
        case syntax.Group():
            return _Marked(node.number, build(node.body))
        case syntax.Look():
            marks = any(isinstance(each, syntax.Group) for each in syntax.walk(node))
            return Seen(build(node.body), node.width if node.back else None, node.negated, marks)
        case Edge():
            return _At(node)
        case syntax.SameText():
            raise error("a group that is said again has no set of places")


def _repeated(node: syntax.Repeat) -> Node:
    only = node.body.items[0] if len(node.body.items) == 1 else None
    if isinstance(only, Chars) and node.most >= TURNS:
        return _Run(only, node.least, node.lazy)
    return _Turns(build(node.body), node.least, node.most, node.lazy)
