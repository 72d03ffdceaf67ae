"""Normal forms: what two spellings of the same thing have in common.

`normalise` is for comparing statements, `canonical_name` for comparing names. Both are idempotent and drop
characters that cannot be seen. `nfkc_with_offsets` is for readers that must lead a span back to its source.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Literal

Language = Literal["zh", "en"]

STATEMENT = 300
"""Characters up to which normal forms are remembered: reconciliation compares the same statements again and again."""

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd〇"
_HAN_CHARACTER = re.compile(f"[{_HAN}]")
_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?")
_ZH_FRAME = re.compile("[我你您他她的是在了吗呢吧有用想要会不没这那和也都]")
_EN_FRAME = re.compile(
    r"\b(?:the|an?|is|are|was|i|you|my|your|it|to|of|in|on|for|and|that|we|he|she|have|do)\b", re.IGNORECASE
)
_WHITE_SPACE = re.compile(r"\s+")
# A space beside Chinese text carries no meaning; between Latin words it does.
_SPACE_BESIDE_HAN = re.compile(f"(?<=[{_HAN}，。！？、；：]) | (?=[{_HAN}，。！？、；：])")
_SENTENCE_END = " .。!?！？…,，;；、~～"
_NAME_EDGES = " .。!?！？…,，;；、:：~～\"'“”‘’《》〈〉「」『』【】«»"

# Letters by category that nevertheless show nothing: Hangul fillers, the Braille blank.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")


def is_han(ch: str) -> bool:
    """Whether the character is a Chinese one."""
    return _HAN_CHARACTER.match(ch) is not None


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
        if is_invisible(ch):
            continue
        form = ch if ch.isascii() else unicodedata.normalize("NFKC", ch)
        parts.append(form)
        offsets.extend([index] * len(form))
    return "".join(parts), offsets


def normalise(text: str) -> str:
    """The form under which two statements are compared: width, case, spacing and the full stop do not count."""
    return _remembered(text) if len(text) <= STATEMENT else _normal(text)


def _normal(text: str) -> str:
    return _tidy(_fold(text)).rstrip(_SENTENCE_END)


_remembered = lru_cache(16_384)(_normal)


def canonical_name(text: str) -> str:
    """The form under which two names are compared; never empty for a name that shows something.

    Quotes and punctuation around a name do not count, everything inside it does: `v0.6` is not `v0.7`.
    """
    plain = _tidy(_fold(text))
    return plain.lstrip(_NAME_EDGES.replace(".", "")).rstrip(_NAME_EDGES) or plain


def trigram_similarity(a: str, b: str) -> float:
    """Jaccard similarity of the character 3-grams of both normal forms, from 0 to 1."""
    left, right = _trigrams(normalise(a)), _trigrams(normalise(b))
    if left == right:
        return 1.0
    return len(left & right) / len(left | right)


def digits(text: str) -> tuple[str, ...]:
    """The runs of digits in order, written in ASCII."""
    plain = unicodedata.normalize("NFKC", text)
    return tuple("".join(str(unicodedata.decimal(d)) for d in run) for run in re.findall(r"\d+", plain))


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


def _fold(text: str) -> str:
    """NFKC and case folding without invisible characters, repeated until nothing changes any more."""
    for _ in range(4):
        kept = text if text.isascii() and text.isprintable() else "".join(c for c in text if not is_invisible(c))
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", kept).casefold())
        if folded == text:
            break
        text = folded
    return text


def _tidy(text: str) -> str:
    return _SPACE_BESIDE_HAN.sub("", _WHITE_SPACE.sub(" ", text)).strip()


def _trigrams(text: str) -> frozenset[str]:
    return _remembered_trigrams(text) if len(text) <= STATEMENT else _grams(text)


def _grams(text: str) -> frozenset[str]:
    if len(text) < 3:
        return frozenset((text,))
    return frozenset(text[i : i + 3] for i in range(len(text) - 2))


_remembered_trigrams = lru_cache(4_096)(_grams)
