"""Texts that a pattern takes long over, found from the pattern itself.

A backtracking engine takes long where a repeated part matches the same text in many ways and what must follow it does
not come. So for each repeat of a pattern: what leads to it, its body again and again, and an end that fits nowhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any, Final

ENDS: Final = ("\x00zzz", "")
MAX_BODIES: Final = 4
"""Words tried for the body of one repeat."""

MIN_REPEATS: Final = 8
"""A repeat that is done less often pumps nothing."""

_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_LOOKS: Final = ("ASSERT", "ASSERT_NOT")
_CATEGORIES: Final = {
    "CATEGORY_DIGIT": "1",
    "CATEGORY_NOT_DIGIT": "a",
    "CATEGORY_SPACE": " ",
    "CATEGORY_NOT_SPACE": "a",
    "CATEGORY_WORD": "a",
    "CATEGORY_NOT_WORD": ",",
}

_parser: Any = import_module("re._parser")  # no part of the standard library's types

Nodes = Sequence[tuple[object, Any]]
"""A parsed pattern: operations, whose names are their text, with their operands."""


@dataclass(frozen=True, slots=True)
class Pump:
    """`lead`, then `word` as often as one likes, then `end`."""

    lead: str
    word: str
    end: str

    def text(self, length: int) -> str:
        """About so many characters of it."""
        return self.lead + self.word * (length // len(self.word) + 1) + self.end


def pumps(pattern: str, flags: int = 0) -> Iterator[Pump]:
    """The pumps of a pattern, each once."""
    seen: set[tuple[str, str]] = set()
    for lead, words in _repeats(_parser.parse(pattern, flags), ""):
        for word in words:
            if (lead, word) not in seen:
                seen.add((lead, word))
                yield from (Pump(lead, word, end) for end in ENDS)


def words_of(pattern: str, flags: int = 0) -> Iterator[str]:
    """The words that stand in a pattern, of two characters or more."""
    yield from (word for word in _literals(_parser.parse(pattern, flags)) if len(word.strip()) > 1)


def _repeats(nodes: Nodes, lead: str) -> Iterator[tuple[str, list[str]]]:
    """What leads to each repeat, and words of its body."""
    for op, value in nodes:
        if str(op) in _REPEATS and value[1] >= MIN_REPEATS:
            yield lead, _bodies(value[2])
        for inner in _inner(str(op), value):
            yield from _repeats(inner, lead)
        lead += next(_sampled(str(op), value), "")


def _bodies(body: Nodes) -> list[str]:
    """Words of a body, and two of them as one, for a repeat may take either."""
    words = list(dict.fromkeys(islice((word for word in _samples(body) if word), MAX_BODIES)))
    return [*words, "".join(words)] if len(words) > 1 else words


def _inner(op: str, value: Any) -> list[Nodes]:
    """The parts of a node that are patterns themselves."""
    match op:
        case "SUBPATTERN":
            return [value[-1]]
        case "BRANCH":
            return value[1]
        case "ATOMIC_GROUP":
            return [value]
        case _ if op in _REPEATS:
            return [value[2]]
        case _:
            return [value[1]] if op in _LOOKS else []


def _samples(nodes: Nodes) -> Iterator[str]:
    """Texts that the nodes match, the plainest first; what only looks around is passed over."""
    if not nodes:
        yield ""
        return
    for first in _sampled(str(nodes[0][0]), nodes[0][1]):
        for rest in islice(_samples(nodes[1:]), 3):
            yield first + rest


def _sampled(op: str, value: Any) -> Iterator[str]:
    if op in _REPEATS:
        least, most, body = value
        yield from (word * min(max(least, 1), most) for word in islice(_samples(body), 2))
        yield from () if least else ("",)
    elif op in ("SUBPATTERN", "BRANCH", "ATOMIC_GROUP"):
        for inner in _inner(op, value):
            yield from islice(_samples(inner), MAX_BODIES)
    else:
        yield from _characters(op, value)


def _characters(op: str, value: Any) -> Iterator[str]:
    match op:
        case "LITERAL":
            yield chr(value)
        case "NOT_LITERAL":
            yield "a" if value != ord("a") else "b"
        case "ANY":
            yield from ("a", " ")
        case "IN":
            yield from islice(_of_class(value), MAX_BODIES)
        case _:
            yield ""


def _of_class(items: Nodes) -> Iterator[str]:
    """Members of a character class; of an excluding one, usual characters that are in it."""
    if items and str(items[0][0]) == "NEGATE":
        excluded = set(_of_class(items[1:]))
        yield from (ch for ch in "a 1的,\n-" if ch not in excluded)
        return
    for op, value in items:
        match str(op):
            case "RANGE":
                yield from (chr(value[0]), chr(value[1]))
            case "CATEGORY":
                yield _CATEGORIES[str(value)]
            case _:
                yield chr(value)


def _literals(nodes: Nodes) -> Iterator[str]:
    word = ""
    for op, value in nodes:
        if str(op) == "LITERAL":
            word += chr(value)
            continue
        yield word
        word = ""
        for inner in _inner(str(op), value):
            yield from _literals(inner)
    yield word
