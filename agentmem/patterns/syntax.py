"""A pattern's parsed form: Python's own parser reads it, typed nodes hold it.

Everything that is decided about a pattern (how much work it can cause, how it is spelled for the linear engine,
where it may match) is read off this tree, so the three never disagree about what it says.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, lru_cache
from re import _constants as _names  # pyright: ignore[reportAttributeAccessIssue,reportUnknownVariableType] # no stubs
from re import _parser as _python  # pyright: ignore[reportAttributeAccessIssue,reportUnknownVariableType] # no stubs
from typing import Any, cast

ENDLESS = int(cast(Any, _names).MAXREPEAT)
_SPACES = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000"
)
_SMALL = 600
"""Characters of a class up to which they are listed one by one."""


@dataclass(frozen=True)
class Chars:
    """One character of a class. `source` and `linear` spell the class for Python's engine and for RE2; `listed` holds
    its characters where they are few, and None otherwise; `letter` is the only one that it stands for."""

    source: str
    linear: str
    fold: bool
    ascii: bool
    listed: frozenset[str] | None
    letter: str | None = None

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The class alone."""
        flags = (re.IGNORECASE if self.fold else 0) | (re.ASCII if self.ascii else 0)
        return re.compile(self.source, flags)

    def has(self, character: str) -> bool:
        """Whether the class holds a character."""
        return self.compiled.match(character) is not None

    def apart_from(self, other: "Chars") -> bool:
        """Whether no character is surely in both."""
        few, rest = (self, other) if self.listed is not None else (other, self)
        return few.listed is not None and not any(rest.has(each) for each in few.listed)


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
class Same:
    """What a group matched, again. Only a pattern whose work is bounded may say so."""

    number: int


Node = Chars | Sequence | Branch | Repeat | Group | Look | Edge | Same


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
        case Same():
            return 0, ENDLESS
        case Look() | Edge():
            return 0, 0


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it."""
    yield node
    below: tuple[Node, ...] = ()
    if isinstance(node, Sequence):
        below = node.items
    elif isinstance(node, Branch):
        below = node.options
    elif isinstance(node, Repeat | Group | Look):
        below = (node.body,)
    for each in below:
        yield from walk(each)


def sight(node: Node) -> int:
    """How many characters before a match a pattern can look at."""
    back = [each.width for each in walk(node) if isinstance(each, Look) and each.back]
    return sum(back) + 1


def outermost(node: Node, *, last: bool) -> frozenset[str] | None:
    """The characters that a node can begin with, or end with; None where they are many, or where it may be empty."""
    match node:
        case Chars():
            return node.listed
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
        case Look() | Edge() | Same():
            return None


def a_class(source: str, *, ascii_only: bool = False) -> Chars:
    """A class of characters that Python and RE2 spell alike."""
    listed = frozenset("\n") if source == r"\n" else None
    return Chars(source, source, False, ascii_only, listed)


def _added(widths: Iterable[tuple[int, int]]) -> tuple[int, int]:
    low = high = 0
    for least, most in widths:
        low, high = low + least, min(high + most, ENDLESS)
    return low, high


def _sequence(tree: Any, flags: int) -> Sequence:
    return Sequence(tuple(_node(str(op), value, flags) for op, value in tree))


def _node(op: str, value: Any, flags: int) -> Node:
    if op in _CLASSES:
        return _chars(op, value, flags)
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
    if op == "GROUPREF":
        return Same(int(value))
    return _edge(op, str(value), flags)


_CLASSES = ("LITERAL", "NOT_LITERAL", "IN", "ANY")
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT")


def _edge(op: str, value: str, flags: int) -> Edge:
    lines, ascii_only = bool(flags & re.MULTILINE), bool(flags & re.ASCII)
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


@lru_cache(maxsize=4_096)
def _letter(code: int, fold: bool, negated: bool) -> Chars:
    letter, head = chr(code), "^" if negated else ""
    listed = None if negated else _with_case({letter}, fold)
    return Chars(f"[{head}{_escaped(code)}]", f"[{head}{_hex(code)}]", fold, False, listed, None if negated else letter)


def _chars(op: str, value: Any, flags: int) -> Chars:
    fold, ascii_only = bool(flags & re.IGNORECASE), bool(flags & re.ASCII)
    if op == "ANY":
        every = bool(flags & re.DOTALL)
        return Chars(r"[\s\S]" if every else r"[^\n]", r"(?s:.)" if every else r"[^\n]", False, False, None)
    if op != "IN":
        return _letter(value, fold, op == "NOT_LITERAL")
    parts = [(str(kind), what) for kind, what in value]
    negated = parts[0][0] == "NEGATE"
    inner, head = parts[1:] if negated else parts, "^" if negated else ""
    source, linear = "".join(map(_python_part, inner)), "".join(_linear_part(part, ascii_only) for part in inner)
    listed = None if negated else _listed(inner, ascii_only)
    return Chars(
        f"[{head}{source}]", f"[{head}{linear}]", fold, ascii_only, None if listed is None else _with_case(listed, fold)
    )


def _escaped(code: int) -> str:
    return f"\\U{code:08x}"


def _hex(code: int) -> str:
    return f"\\x{{{code:x}}}"


def _python_part(part: tuple[str, Any]) -> str:
    kind, value = part
    if kind == "LITERAL":
        return _escaped(value)
    if kind == "RANGE":
        return f"{_escaped(value[0])}-{_escaped(value[1])}"
    return _SHORT[str(value)]


_SHORT = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}
_LINEAR_SPACE = r"\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"
_LINEAR_NO_SPACE = (
    r"\x00-\x08\x0e-\x1b\x21-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}"
    r"\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff}"
)
_LINEAR = {
    "CATEGORY_DIGIT": (r"\p{Nd}", "0-9"),
    "CATEGORY_NOT_DIGIT": (r"\P{Nd}", r"\x00-/:-\x{10ffff}"),
    "CATEGORY_SPACE": (_LINEAR_SPACE, r"\t-\r\x20"),
    "CATEGORY_NOT_SPACE": (_LINEAR_NO_SPACE, r"\x00-\x08\x0e-\x1f\x21-\x{10ffff}"),
    "CATEGORY_WORD": (r"\p{L}\p{N}_", "0-9A-Za-z_"),
    "CATEGORY_NOT_WORD": (
        r"\p{M}\p{P}\p{S}\p{Z}\p{C}",
        r"\x00-/:-@\[-^`{-\x{10ffff}",
    ),
}


def _linear_part(part: tuple[str, Any], ascii_only: bool) -> str:
    kind, value = part
    if kind == "LITERAL":
        return _hex(value)
    if kind == "RANGE":
        return f"{_hex(value[0])}-{_hex(value[1])}"
    return _LINEAR[str(value)][ascii_only]


def _listed(parts: list[tuple[str, Any]], ascii_only: bool) -> set[str] | None:
    """The characters of a class, or None where they are many."""
    found: set[str] = set()
    for kind, value in parts:
        if kind == "LITERAL":
            found.add(chr(value))
        elif kind == "RANGE" and value[1] - value[0] < _SMALL:
            found.update(map(chr, range(value[0], value[1] + 1)))
        elif kind == "CATEGORY" and str(value) == "CATEGORY_SPACE":
            found.update(_SPACES)
        elif kind == "CATEGORY" and str(value) == "CATEGORY_DIGIT" and ascii_only:
            found.update("0123456789")
        else:
            return None
    return found if len(found) < _SMALL else None


def _with_case(letters: set[str], fold: bool) -> frozenset[str]:
    """The letters, with their other cases where case does not count."""
    if not fold:
        return frozenset(letters)
    cases = {other for each in letters for other in (each.lower(), each.upper()) if len(other) == 1}
    return frozenset(letters | cases | {_ALSO[each] for each in cases if each in _ALSO})


_ALSO = {"s": "ſ", "k": "\u212a", "i": "ı", "å": "\u212b", "µ": "μ"}
"""Letters that have a third form."""
