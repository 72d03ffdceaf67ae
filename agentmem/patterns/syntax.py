"""A pattern's parsed form: Python's own parser reads it, typed nodes hold it.

Everything that is decided about a pattern (how much work it can cause, how it is spelled for the linear engine,
where it may match) is read off this tree, so the three never disagree about what it says.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from re import _constants as _names  # pyright: ignore[reportAttributeAccessIssue,reportUnknownVariableType] # no stubs
from re import _parser as _python  # pyright: ignore[reportAttributeAccessIssue,reportUnknownVariableType] # no stubs
from typing import Any, cast

from agentmem.patterns.classes import Chars, letter, of_class

_names_of_python = cast(Any, _names)
ENDLESS = int(_names_of_python.MAXREPEAT)
_IGNORECASE, _ASCII, _MULTILINE = map(int, (re.IGNORECASE, re.ASCII, re.MULTILINE))


@dataclass(frozen=True)
class Word:
    """Two letters or more, one after the other, in any case where `fold`."""

    letters: str
    fold: bool

    def at(self, place: int) -> Chars:
        """One of its letters."""
        return letter(ord(self.letters[place]), self.fold, False)


@dataclass(frozen=True)
class Sequence:
    """One node after the other."""

    items: "tuple[Node, ...]"


@dataclass(frozen=True)
class Branch:
    """One of several, the first that leads to a match."""

    options: "tuple[Sequence, ...]"


@dataclass(frozen=True)
class Repeat:
    """`least` to `most` times the same; as few as possible where it is `lazy`."""

    body: Sequence
    least: int
    most: int
    lazy: bool


@dataclass(frozen=True)
class Group:
    """A stretch that is reported by its number."""

    number: int
    body: Sequence


@dataclass(frozen=True)
class Look:
    """What must stand, or must not stand, before or after a place. `width` is that of a look back."""

    body: Sequence
    back: bool
    negated: bool
    width: int


class Edge(Enum):
    """Places that take no character."""

    BEGIN = auto()
    END = auto()
    """The end, or before the line break that ends the text."""
    VERY_END = auto()
    LINE_BEGIN = auto()
    LINE_END = auto()
    WORD = auto()
    """Between a letter, digit or underscore of any script and something else."""
    WORD_ASCII = auto()
    NO_WORD = auto()
    NO_WORD_ASCII = auto()
    NEVER = auto()


@dataclass(frozen=True)
class SameText:
    """What a group matched, again, `most` characters of it. Only a pattern whose work is bounded may say so."""

    number: int
    most: int


Node = Chars | Word | Sequence | Branch | Repeat | Group | Look | Edge | SameText


@dataclass(frozen=True)
class Parsed:
    """A whole pattern: its tree, how many groups it has, and the numbers of those that have a name."""

    root: Sequence
    groups: int
    names: dict[str, int]


def parse(source: str, flags: int) -> Parsed:
    """The tree of a pattern. Raises `re.error` where it is no pattern."""
    tree = cast(Any, _python).parse(source, flags)
    state = tree.state
    return Parsed(_sequence(tree, state.flags), state.groups - 1, dict(state.groupdict))


def width(node: Node) -> tuple[int, int]:
    """The fewest and the most characters that a node takes."""
    match node:
        case Chars():
            return 1, 1
        case Word():
            return len(node.letters), len(node.letters)
        case Sequence():
            return _added(map(width, node.items))
        case Branch():
            each = [width(option) for option in node.options]
            return min(low for low, _ in each), max(high for _, high in each)
        case Repeat():
            low, high = width(node.body)
            return low * node.least, min(high * node.most, ENDLESS)
        case Group():
            return width(node.body)
        case SameText():
            return 0, node.most
        case Look() | Edge():
            return 0, 0


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, each before what is below it."""
    left = [node]
    while left:
        node = left.pop()
        yield node
        if isinstance(node, Sequence):
            left += reversed(node.items)
        elif isinstance(node, Branch):
            left += reversed(node.options)
        elif isinstance(node, Repeat | Group | Look):
            left.append(node.body)


def sight(node: Node) -> int:
    """How many characters before a match a pattern can look at."""
    back = [each.width for each in walk(node) if isinstance(each, Look) and each.back]
    return sum(back) + 1


def outermost(node: Node, *, last: bool) -> frozenset[str] | None:
    """The characters that a node can begin with, or end with; None where they are many, or where it may be empty."""
    match node:
        case Chars():
            return node.listed
        case Word():
            return node.at(-1 if last else 0).listed
        case Sequence():
            solid = (
                item for item in (reversed(node.items) if last else node.items) if not isinstance(item, Edge | Look)
            )
            outer = next(solid, None)
            return None if outer is None else outermost(outer, last=last)
        case Branch():
            each = [outermost(option, last=last) for option in node.options]
            known = [letters for letters in each if letters is not None]
            return frozenset[str]().union(*known) if len(known) == len(each) else None
        case Repeat():
            return outermost(node.body, last=last) if node.least else None
        case Group():
            return outermost(node.body, last=last)
        case Look() | Edge() | SameText():
            return None


def _added(widths: Iterable[tuple[int, int]]) -> tuple[int, int]:
    low = high = 0
    for least, most in widths:
        low, high = low + least, min(high + most, ENDLESS)
    return low, high


def _sequence(tree: Any, flags: int) -> Sequence:
    """The nodes of a sequence, letters in a row as one word."""
    fold = bool(flags & _IGNORECASE)
    items: list[Node] = []
    letters: list[int] = []
    for op, value in (*cast("list[tuple[object, Any]]", list(tree)), (None, None)):
        if op is _names_of_python.LITERAL:
            letters.append(cast(int, value))
            continue
        if len(letters) == 1:
            items.append(letter(letters[0], fold, False))
        elif letters:
            items.append(Word("".join(map(chr, letters)), fold))
        letters.clear()
        if op is _names_of_python.GROUPREF:
            items.append(SameText(cast(int, value), int(tree.state.groupwidths[value][1])))
        elif op is not None:
            items.append(_node(str(op), value, flags))
    return Sequence(tuple(items))


def _node(op: str, value: Any, flags: int) -> Node:
    if op in _CLASSES:
        return of_class(op, value, flags)
    if op in _REPEATS:
        least, most, body = value
        return Repeat(_sequence(body, flags), int(least), int(most), lazy=op == "MIN_REPEAT")
    if op == "BRANCH":
        return Branch(tuple(_sequence(option, flags) for option in value[1]))
    if op == "SUBPATTERN":
        number, added, removed, body = value
        inner = _sequence(body, (flags | added) & ~removed)
        return inner if number is None else Group(int(number), inner)
    if op in ("ASSERT", "ASSERT_NOT"):
        direction, body = value
        inner = _sequence(body, flags)
        return Look(inner, direction < 0, op == "ASSERT_NOT", width(inner)[0])
    return _edge(op, str(value), flags)


_CLASSES = ("LITERAL", "NOT_LITERAL", "IN", "ANY")
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")


def _edge(op: str, value: str, flags: int) -> Edge:
    lines, ascii_only = bool(flags & _MULTILINE), bool(flags & _ASCII)
    places = {
        "AT_BEGINNING": Edge.LINE_BEGIN if lines else Edge.BEGIN,
        "AT_BEGINNING_STRING": Edge.BEGIN,
        "AT_END": Edge.LINE_END if lines else Edge.END,
        "AT_END_STRING": Edge.VERY_END,
        "AT_BOUNDARY": Edge.WORD_ASCII if ascii_only else Edge.WORD,
        "AT_NON_BOUNDARY": Edge.NO_WORD_ASCII if ascii_only else Edge.NO_WORD,
    }
    if op == "FAILURE":
        return Edge.NEVER
    if op == "AT" and value in places:
        return places[value]
    raise re.error(f"a pattern may not use {op.lower()}")
