"""Names: what two spellings of one name have in common, and who is known by an id alone."""

import unicodedata
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.characters import HAN, is_invisible

REMEMBERED = 100
"""Characters up to which the forms of names are remembered: the same few people are compared again and again."""

# A space beside Chinese text carries no meaning; between Latin words it does.
_SPACE_BESIDE_HAN = re.compile(f"(?<=[{HAN}，。！？、；：]) | (?=[{HAN}，。！？、；：])")
_NAME_EDGES = " .。!?！？…,，;；、:：~～\"'“”‘’《》〈〉「」『』【】«»"


def canonical_name(text: str) -> str:
    """The form under which two names are compared; never empty for a name that shows something.

    Quotes and punctuation around a name do not count, everything inside it does: `v0.6` is not `v0.7`.
    """
    return _remembered(text) if len(text) <= REMEMBERED else _canonical(text)


def _canonical(text: str) -> str:
    plain = tidy(fold(text))
    return plain.lstrip(_NAME_EDGES.replace(".", "")).rstrip(_NAME_EDGES) or plain


_remembered = lru_cache(16_384)(_canonical)


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


_UNNAMED: Final = {"zh": "用户", "en": "the user"}
PLACEHOLDERS: Final = frozenset(_UNNAMED.values())
_NAMELESS: Final = frozenset({"user", "default", "anonymous", "guest", "me", *PLACEHOLDERS})

_ID: Final = re.compile(
    r"[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}"  # a UUID
    r"|[^\s@]+@[^\s@]+\.[^\s@.]+"
    r"|\+?[0-9][0-9 ().:/-]*"
    r"|[^\s|]+\|[^\s|]+"  # auth0|5f7c8ec7
    r"|(?i:users?|usr|u|uid|id|customers?|cust|clients?|members?|accounts?|acct|visitors?|guests?|anon|persons?)"
    r"[-_:#. ]?[0-9]+"
    r"|[^\W\d_]+[_:#][0-9]+"
    r"|(?:用户|客户|会员|访客)[-_:#. ]?[0-9]+"
)
_HEX: Final = re.compile(r"[0-9a-fA-F]{8,}")
_PREFIXED: Final = re.compile(r"[a-z]{2,5}_[A-Za-z0-9]{8,}")
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{16,}")


def is_unnamed(name: str) -> bool:
    """Whether a name is none that a person is called by: an id, an address, or a word for whoever it is."""
    if name.casefold() in _NAMELESS or _ID.fullmatch(name):
        return True
    digits = sum(letter.isdigit() for letter in name)
    if digits and (_HEX.fullmatch(name) or _PREFIXED.fullmatch(name)):
        return True
    return digits > 2 and _TOKEN.fullmatch(name) is not None


def begun(sentence: str) -> str:
    """The sentence, begun as one where it begins with the user."""
    return f"T{sentence[1:]}" if sentence.startswith(_UNNAMED["en"]) else sentence


def unnamed(language: str) -> str:
    """What he is called who has no name."""
    return _UNNAMED["zh" if language == "zh" else "en"]
