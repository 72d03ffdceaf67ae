"""Values that are one of a kind, such as a phone number or a mail address: where they stand in a text, however they are
spelt."""

from collections.abc import Collection

from agentmem import patterns as re
from agentmem.language.normal import digits


def identifies(value: str | None) -> bool:
    """Whether a value is one of a kind, such as a phone number or a mail address: where it stands, the fact is told."""
    return value is not None and ("@" in value or sum(map(len, digits(value))) >= 5)


_IDENTIFIER = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\d(?:[ .()/-]{0,2}\d){4,}")
_DATE = re.compile(r"(?:19|20)\d\d[ ./-]?\d\d?[ ./-]?\d\d?")
_WITHOUT_PREFIX = 7
"""Digits from which on a number is the same with a prefix, such as that of a country, and without."""


def identifiers_in(text: str) -> list[tuple[int, int, str]]:
    """Where mail addresses and numbers of five digits and more begin and end, and each as all its spellings have it."""
    found: list[tuple[int, int, str]] = []
    for match in _IDENTIFIER.finditer(text):
        said = match.group()
        if not _DATE.fullmatch(said):
            found.append((match.start(), match.end(), said.casefold() if "@" in said else "".join(digits(said))))
    return found


def says_any(text: str, identifiers: Collection[str]) -> list[tuple[int, int]]:
    """Where the text says one of these identifiers, however it is spelt."""
    if not identifiers:
        return []
    return [(start, end) for start, end, one in identifiers_in(text) if any(_same(one, each) for each in identifiers)]


def _same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (shorter.isdigit() and len(shorter) >= _WITHOUT_PREFIX and longer.endswith(shorter))
