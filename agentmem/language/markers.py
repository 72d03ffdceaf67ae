"""What a language model could take for structure: role names with a colon, tags, control tokens, in whatever letters.

What could act is replaced, character for character, by what reads alike and cannot, not even after a tokenizer has
normalised it.
"""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.language.lookalikes import seen_as

RATIO: Final = "∶"
"""Reads as a colon and marks no role."""

LOOKALIKES: Final[Mapping[str, str]] = {"<": "‹", ">": "›", "[": "〔", "]": "〕", "`": "'", ":": RATIO}
"""What stands for each character that structure is made of. None of them becomes it again in any normal form."""

_BETWEEN: Final = r"[\W_]{0,2}"


def _spread(word: str) -> str:
    """A pattern for a word, whatever stands between its letters; what looks like i, l or o may be a figure."""
    other = {"i": "[i1l|]", "l": "[l1i|]", "o": "[o0]", "m": "(?:m|rn)"}
    return _BETWEEN.join(other.get(letter, letter) for letter in word)


_ROLES: Final = (
    *("system", "assistant", "user", "developer", "human", "tool", "function"),
    *("系统", "系統", "助手", "用户", "用戶", "开发者", "開發者"),
)
_ROLE: Final = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(_spread, _ROLES))}|a[i1|])[^\w:]{{0,3}}(:)")
_CONTROL: Final = re.compile(
    r"<\|[^<>]{1,60}\|>|</?(?:s|data|memory|system|user|assistant|tool|(?:start|end)_of_turn|think)\b[^<>]{0,60}>"
    r"|<</?sys>>|\[/?inst\]"
)


def without_roles(line: str) -> str:
    """The line with no role marker in it; every other character stays."""
    seen, places = seen_as(line)
    if ":" not in seen:
        return line
    return _replaced(line, {places[found.start(1)]: RATIO for found in _ROLE.finditer(seen)})


def without_control(line: str) -> str:
    """The line with no control token of a chat template and no tag of ours in it; every other character stays."""
    seen, places = seen_as(line)
    if "<" not in seen and "[" not in seen:
        return line
    changed: dict[int, str] = {}
    for found in _CONTROL.finditer(seen):
        for at in range(found.start(), found.end()):
            if seen[at] in LOOKALIKES:
                changed[places[at]] = LOOKALIKES[seen[at]]
    return _replaced(line, changed)


def is_role(name: str) -> bool:
    """Whether a name is, or ends in, that of a role."""
    seen, _ = seen_as(f"{name}:")
    return _ROLE.search(seen) is not None


@lru_cache(16_384)
def inert(ch: str) -> str:
    """The character, or what stands for it where it is, or becomes in some normal form, one that tags and control
    tokens are made of."""
    parts = unicodedata.normalize("NFKD", ch)
    if not any(part in LOOKALIKES and part != ":" for part in parts):
        return ch
    return "".join(part if part == ":" else LOOKALIKES.get(part, part) for part in parts)


def _replaced(line: str, changed: Mapping[int, str]) -> str:
    if not changed:
        return line
    letters = list(line)
    for place, ch in changed.items():
        letters[place] = ch
    return "".join(letters)
