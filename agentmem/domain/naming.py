"""Names: what two spellings of one name have in common, so that they mean the same person or thing."""

import unicodedata
from functools import lru_cache

from agentmem import patterns as re

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd〇"
"""The ranges of Chinese characters, for use inside the brackets of a regular expression."""

REMEMBERED = 100
"""Characters up to which the forms of names are remembered: the same few people are compared again and again."""

# A space beside Chinese text carries no meaning; between Latin words it does.
_SPACE_BESIDE_HAN = re.compile(f"(?<=[{HAN}，。！？、；：]) | (?=[{HAN}，。！？、；：])")
_NAME_EDGES = " .。!?！？…,，;；、:：~～\"'“”‘’《》〈〉「」『』【】«»"

# Letters by category that nevertheless show nothing: Hangul fillers, the Braille blank.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")


def canonical_name(text: str) -> str:
    """The form under which two names are compared; never empty for a name that shows something.

    Quotes and punctuation around a name do not count, everything inside it does: `v0.6` is not `v0.7`.
    """
    return _remembered(text) if len(text) <= REMEMBERED else _canonical(text)


def _canonical(text: str) -> str:
    plain = tidy(fold(text))
    return plain.lstrip(_NAME_EDGES.replace(".", "")).rstrip(_NAME_EDGES) or plain


_remembered = lru_cache(16_384)(_canonical)


@lru_cache(maxsize=16384)
def is_invisible(ch: str) -> bool:
    """Whether the character shows nothing and is no white space: zero-width, bidi, tag, variation selector."""
    if ch.isspace():
        return False
    if ch in _BLANK_LETTERS or "\ufe00" <= ch <= "\ufe0f" or "\U000e0000" <= ch <= "\U000e0fff":
        return True
    return unicodedata.category(ch) in ("Cc", "Cf")


def fold(text: str) -> str:
    """NFKC and case folding without invisible characters, repeated until nothing changes any more."""
    for _ in range(4):
        kept = text if text.isascii() and text.isprintable() else "".join(c for c in text if not is_invisible(c))
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", kept).casefold())
        if folded == text:
            break
        text = folded
    return text


def tidy(text: str) -> str:
    """One space where there was white space, none at the ends and none beside Chinese text."""
    return _SPACE_BESIDE_HAN.sub("", " ".join(text.split()))
