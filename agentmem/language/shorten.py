"""Shortening a text to what fits, so that nobody sees half a word, half a letter or half an emoji."""

import unicodedata
from collections.abc import Callable, Iterator

import rjieba

from agentmem import patterns as re

CUT = "…"
"""Ends a text that was shortened."""

_SENTENCE_END = re.compile(r"[。！？!?；;…]+[”’」』）)\"']*|\.(?=\s)")
_CODE = re.compile(r"[A-Za-z0-9@._+/-]")
_AROUND = 40
"""Characters before and after a place that are split into words to find the end of one."""


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """The text if it fits, else its beginning up to a sentence or a word, marked as cut; empty where no letter fits.

    The longest is found where `fits` says yes to every beginning of what fits; what it says no to is never returned.
    """
    if fits(text):
        return text
    low, high = 0, len(text) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(text[:middle] + CUT) else (low, middle - 1)
    candidates = (text[:end].rstrip() + CUT for end in _ends(text, low))
    return next((item for item in candidates if item != CUT and fits(item)), "")


def is_boundary(text: str, at: int) -> bool:
    """Whether a cut at `at` leaves what is seen as one letter whole: its accents, jamo, flags, emoji with modifiers."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if unicodedata.category(after) in ("Mn", "Mc", "Me", "Cf") or "\U0001f3fb" <= after <= "\U0001f3ff":
        return False
    if before == "\u200d" or "\u1160" <= after <= "\u11ff" or unicodedata.combining(before) == 9:
        return False
    flags = len(text[:at]) - len(text[:at].rstrip(_FLAGS))
    return not (after in _FLAGS and flags % 2)


_FLAGS = "".join(map(chr, range(0x1F1E6, 0x1F200)))


def _ends(text: str, limit: int) -> Iterator[int]:
    """Places to cut at, none beyond `limit`: the last sentence of its second half, the last words, then letters."""
    sentences = [match.end() for match in _SENTENCE_END.finditer(text, 0, limit)]
    yield from (end for end in sentences[-1:] if end > limit // 2 and is_boundary(text, end))
    yield from _word_ends(text, limit)
    # Half a number is another number.
    yield from (end for end in range(limit, 0, -1) if is_boundary(text, end) and not text[end - 1 : end + 1].isdigit())


def _word_ends(text: str, limit: int) -> list[int]:
    """Ends of words shortly before `limit`, last first."""
    start = max(0, limit - _AROUND)
    ends: list[int] = []
    at = start
    for word in rjieba.cut(text[start : limit + _AROUND]):
        at += len(word)
        if start < at <= limit and is_boundary(text, at) and not _inside_code(text, at):
            ends.append(at)
    return ends[::-1]


def _inside_code(text: str, at: int) -> bool:
    """Whether both neighbours belong to one number, address or Latin word."""
    return at < len(text) and bool(_CODE.match(text[at - 1]) and _CODE.match(text[at]))
