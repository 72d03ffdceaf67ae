"""Characters: which are Chinese, which are part of a word, which show nothing; a text in NFKC that leads back to its
source."""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from agentmem import patterns as re

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd〇"
"""The ranges of Chinese characters, for use inside the brackets of a regular expression."""

_HAN_CHARACTER = re.compile(f"[{HAN}]")

# Letters by category that nevertheless show nothing: Hangul fillers, the Braille blank.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")


def is_han(ch: str) -> bool:
    """Whether the character is a Chinese one."""
    return _HAN_CHARACTER.match(ch) is not None


def has_han(text: str) -> bool:
    """Whether there is a Chinese character in a text."""
    return not text.isascii() and _HAN_CHARACTER.search(text) is not None


@lru_cache(maxsize=16384)
def is_invisible(ch: str) -> bool:
    """Whether the character shows nothing and is no white space: zero-width, bidi, tag, variation selector."""
    if ch.isspace():
        return False
    if ch in _BLANK_LETTERS or "\ufe00" <= ch <= "\ufe0f" or "\U000e0000" <= ch <= "\U000e0fff":
        return True
    return unicodedata.category(ch) in ("Cc", "Cf")


def nfkc_with_offsets(text: str) -> tuple[str, list[int]]:
    """The text in NFKC, and for each of its characters the index in `text` it came from.

    Each character is normalised alone, so letter and combining accent stay two; invisible ones are left out.
    """
    if text.isascii() and text.isprintable():
        return text, list(range(len(text)))
    parts: list[str] = []
    offsets: list[int] = []
    for index, ch in enumerate(text):
        form = ch if " " <= ch <= "~" else _shown(ch)
        parts.append(form)
        if len(form) == 1:
            offsets.append(index)
        else:
            offsets.extend([index] * len(form))
    return "".join(parts), offsets


@lru_cache(16_384)  # a language has some thousand characters, and a text the same few over and over
def _shown(ch: str) -> str:
    """A character in NFKC; nothing for one that is not seen."""
    if is_invisible(ch):
        return ""
    return ch if ch.isascii() else unicodedata.normalize("NFKC", ch)


def word_places(word: str, text: str) -> Iterator[int]:
    """Where a word stands in a text, and not within a longer one."""
    at = text.find(word)
    while at >= 0:
        if _is_edge(text, at) and _is_edge(text, at + len(word)):
            yield at
        at = text.find(word, at + 1)


def _is_edge(text: str, at: int) -> bool:
    """Whether a word begins or ends at a place."""
    before, after = text[at - 1 : at], text[at : at + 1]
    return is_letter(before) is not is_letter(after)


def is_letter(character: str) -> bool:
    """Whether a character is one of a word, also a digit or an underscore; the empty one is none."""
    return character.isalnum() or character == "_"
