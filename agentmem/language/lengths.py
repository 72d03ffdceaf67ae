"""How many tokens a text will be, by estimate, and what of it fits into a length."""

import math
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

import rjieba

from agentmem import patterns as re

# The 3,755 characters of GB 2312, level 1: what people write. Tokenizers take most others apart into bytes.
_COMMON = bytes(byte for lead in range(0xB0, 0xD8) for trail in range(0xA1, 0xFF) for byte in (lead, trail)).decode(
    "gb2312", "ignore"
)
_COMMON_TOKENS = 1.2

_PIECE = re.compile(
    rf"(?P<han>[{_COMMON}，。、？！：；（）「」]{{1,32}})|(?P<capitals>[A-Z]{{2,64}})|(?P<word>[A-Z]?[a-z]{{1,64}}|[A-Z])"
    r"|(?P<single>(?:[!-@\[-`{-~–—…“”‘’]|[^\S ]){1,32})|(?P<other>[^ ])",
    re.DOTALL,
)
"""A space is no piece: it goes with the word behind it. With pieces of any length, Python's engine could not be left
alone with long texts, and they took ten times as long."""

REMEMBERED = 300
"""Characters up to which a line's tokens are remembered: a block for a prompt is counted again for each line tried."""

_ORDINARY_WORD = 15
_PER_BYTES = {1: 1.0, 2: 1.25, 3: 2.0, 4: 4.0}
"""Tokens of one other character, by its length in UTF-8."""


def estimated_tokens(text: str) -> int:
    """Tokens of a text: 1.2 per common Chinese character, 1 per 5 letters of a word, 1 per digit or sign."""
    lines = text.split("\n")
    signs = len(lines) - 1
    return math.ceil(sum(map(_of_line, lines)) + signs - 1e-9)


def _of_line(line: str) -> float:
    return _remembered(line) if len(line) <= REMEMBERED else _weighed(line)


def _weighed(line: str) -> float:
    return sum(_weight(match.lastgroup or "", match.group()) for match in _PIECE.finditer(line))


_remembered = lru_cache(4_096)(_weighed)


def _weight(kind: str, piece: str) -> float:
    match kind:
        case "han":
            return _COMMON_TOKENS * len(piece)
        case "word":
            return math.ceil(len(piece) / (5 if len(piece) <= _ORDINARY_WORD else 2))
        case "capitals":
            return math.ceil(len(piece) * 0.6)
        case "single":
            return len(piece)
        case _:
            return _PER_BYTES[len(piece.encode("utf-8", "surrogatepass"))]


CUT = "…"
"""Ends a text that was shortened."""

_SENTENCE_END = re.compile(r"[。！？!?；;…]+[”’」』）)\"']*|\.(?=\s)")
_CODE = re.compile(r"[A-Za-z0-9@._+/-]")
_FIRST = 256
"""Characters tried first, and twice as many as long as they fit: nothing of a long text is looked at but what may."""
_AROUND = 40
"""Characters before and after a place that are split into words to find the end of one."""


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """The text if it fits, else its beginning up to a sentence or a word, marked as cut; empty where no letter fits.

    The longest is found where `fits` says yes to every beginning of what fits; what it says no to is never returned.
    """
    end = min(_FIRST, len(text))
    while end < len(text) and fits(text[:end]):
        end = min(2 * end, len(text))
    if end == len(text) and fits(text):
        return text
    low, high = 0, end - 1
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
