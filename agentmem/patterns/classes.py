"""Classes of characters: how Python's engine and RE2 spell them, and which characters they hold."""

import re
from array import array
from dataclasses import dataclass
from functools import cached_property, lru_cache
from sys import byteorder
from typing import Any

_IGNORECASE, _ASCII, _DOTALL = map(int, (re.IGNORECASE, re.ASCII, re.DOTALL))
_SPACES = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000"
)
_SMALL = 600
"""Characters of a class up to which they are listed one by one."""


@dataclass(frozen=True, eq=False)
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

    @cached_property
    def _held(self) -> dict[str, bool]:
        return {}

    def has(self, character: str) -> bool:
        """Whether the class holds a character."""
        held = self._held.get(character)
        if held is None:
            held = self._held[character] = self.compiled.match(character) is not None
        return held


def a_class(source: str, *, ascii_only: bool = False) -> Chars:
    """A class of characters that Python and RE2 spell alike."""
    listed = frozenset("\n") if source == r"\n" else None
    return Chars(source, source, False, ascii_only, listed)


@lru_cache(maxsize=4_096)
def letter(code: int, fold: bool, negated: bool) -> Chars:
    """The class of one letter, or of all others."""
    itself, head = chr(code), "^" if negated else ""
    listed = None if negated else _with_case({itself}, fold)
    linear = f"[{head}{_hex(code)}{_turkish([('LITERAL', code)], fold)}]"
    return Chars(f"[{head}{_escaped(code)}]", linear, fold, False, listed, None if negated else itself)


def of_class(op: str, value: Any, flags: int) -> Chars:
    """The class that Python's parser tells of."""
    fold, ascii_only = bool(flags & _IGNORECASE), bool(flags & _ASCII)
    if op == "ANY":
        every = bool(flags & _DOTALL)
        return Chars(r"[\s\S]" if every else r"[^\n]", r"(?s:.)" if every else r"[^\n]", False, False, None)
    if op != "IN":
        return letter(value, fold, op == "NOT_LITERAL")
    parts = [(str(kind), what) for kind, what in value]
    negated = parts[0][0] == "NEGATE"
    inner, head = parts[1:] if negated else parts, "^" if negated else ""
    source, linear = "".join(map(_python_part, inner)), "".join(_linear_part(part, ascii_only) for part in inner)
    linear += _turkish(inner, fold and not ascii_only)
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
}
_NO_WORD_ASCII = r"\x00-/:-@\[-^`{-\x{10ffff}"


def _linear_part(part: tuple[str, Any], ascii_only: bool) -> str:
    kind, value = part
    if kind == "LITERAL":
        return _hex(value)
    if kind == "RANGE":
        return f"{_hex(value[0])}-{_hex(value[1])}"
    if str(value) == "CATEGORY_NOT_WORD":
        return _NO_WORD_ASCII if ascii_only else _no_word()
    return _LINEAR[str(value)][ascii_only]


@lru_cache(maxsize=1)
def _no_word() -> str:
    """All that is in no word to Python: RE2 has no name for the characters that nothing is assigned to."""
    everything = array("I", range(0x110000)).tobytes().decode(f"utf-32-{byteorder[0]}e", "surrogatepass")
    runs = (found.span() for found in re.finditer(r"\W+", everything))
    return "".join(f"{_hex(begin)}-{_hex(end - 1)}" for begin, end in runs)


def _turkish(parts: list[tuple[str, Any]], fold: bool) -> str:
    """The letters that are an i to Python where case does not count, and none to RE2."""
    held = any(_holds(part, 0x49) or _holds(part, 0x69) for part in parts)
    return r"\x{130}\x{131}" if fold and held else ""


def _holds(part: tuple[str, Any], code: int) -> bool:
    kind, value = part
    return value == code if kind == "LITERAL" else kind == "RANGE" and value[0] <= code <= value[1]


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


def _with_case(letters: set[str], fold: bool) -> frozenset[str] | None:
    """The letters, with their other cases where case does not count; None where a letter beyond ASCII has cases."""
    if not fold:
        return frozenset(letters)
    if any(not each.isascii() and (each.lower() != each or each.upper() != each) for each in letters):
        return None
    cases = {other for each in letters for other in (each.lower(), each.upper()) if len(other) == 1}
    return frozenset(letters | cases | {other for each in cases for other in _ALSO.get(each, "")})


_ALSO = {"s": "ſ", "k": "\u212a", "i": "ıİ"}
"""Letters of ASCII that have more than two forms."""
