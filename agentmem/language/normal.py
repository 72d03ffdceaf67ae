"""Normal forms: what two spellings of the same thing have in common; and what is one of a kind, such as a phone number
or a mail address, however it is spelt.

`normalise` is for comparing statements; it is idempotent and drops characters that cannot be seen. Names are compared
in the form of `domain.naming`.
"""

import unicodedata
from collections.abc import Collection
from functools import lru_cache
from typing import Literal

from agentmem import patterns as re
from agentmem.characters import HAN
from agentmem.domain.naming import fold, tidy

Language = Literal["zh", "en"]

STATEMENT = 300
"""Characters up to which normal forms are remembered: reconciliation compares the same statements again and again."""

_HAN_CHARACTER = re.compile(f"[{HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?")
_ZH_FRAME = re.compile("[我你您他她的是在了吗呢吧有用想要会不没这那和也都]")
_EN_FRAME = re.compile(
    r"\b(?:the|an?|is|are|was|i|you|my|your|it|to|of|in|on|for|and|that|we|he|she|have|do)\b", re.IGNORECASE
)
_SENTENCE_END = " .。!?！？…,，;；、~～"


def normalise(text: str) -> str:
    """The form under which two statements are compared: width, case, spacing and the full stop do not count."""
    return _remembered(text) if len(text) <= STATEMENT else _normal(text)


def _normal(text: str) -> str:
    return tidy(fold(text)).rstrip(_SENTENCE_END)


_remembered = lru_cache(16_384)(_normal)


def trigram_similarity(a: str, b: str) -> float:
    """Jaccard similarity of the character 3-grams of both normal forms, from 0 to 1."""
    left, right = _trigrams(normalise(a)), _trigrams(normalise(b))
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared)


def digits(text: str) -> tuple[str, ...]:
    """The runs of digits in order, written in ASCII."""
    return _digits_remembered(text) if len(text) <= STATEMENT else _digits(text)


def _digits(text: str) -> tuple[str, ...]:
    plain = unicodedata.normalize("NFKC", text)
    return tuple("".join(str(unicodedata.decimal(d)) for d in run) for run in re.findall(r"\d+", plain))


_digits_remembered = lru_cache(16_384)(_digits)


def language_of(text: str) -> Language:
    """The language of the sentence frame: a Chinese sentence full of English terms is Chinese.

    Words that only a frame is made of (我, 的, the, is) count four times as much as those that a term may be.
    """
    han = len(_HAN_CHARACTER.findall(text))
    if not han:
        return "en"
    zh = han + 3 * len(_ZH_FRAME.findall(text))
    en = len(_LATIN_WORD.findall(text)) + 3 * len(_EN_FRAME.findall(text))
    return "zh" if zh >= en else "en"


def _trigrams(text: str) -> frozenset[str]:
    return _remembered_trigrams(text) if len(text) <= STATEMENT else _grams(text)


def _grams(text: str) -> frozenset[str]:
    if len(text) < 3:
        return frozenset((text,))
    return frozenset(text[i : i + 3] for i in range(len(text) - 2))


_remembered_trigrams = lru_cache(4_096)(_grams)


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
