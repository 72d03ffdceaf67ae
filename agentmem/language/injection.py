"""What could steer a language model that reads a text: role names with a colon, tags, control tokens, in whatever
letters, and orders to whoever reads.

Markers are replaced, character for character, by what reads alike and cannot act, not even after a tokenizer has
normalised it. Orders stay as they were said and are kept out of what is concluded: a word list cannot know every
disguise, and a conclusion that nobody drew is missed by nobody.
"""

# ruff: noqa: E501 - patterns and spoken lines read best unbroken

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from agentmem import patterns as re
from agentmem.characters import is_invisible
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


_ORDERS = re.compile(
    r"""
    \b(?:ignore|disregard|forget|override|bypass)\b .{0,40} \b(?:instruction|prompt|rule|guideline|polic)
    | \b(?:copy|repeat|pass|spread|forward|propagate|add|write|store|remember|save|include|tell)\b .{0,60} \b(?:every|all|each|any|other)\b .{0,20} \b(?:customer|user|client|memor|agent|conversation|summar|insight|reflection|cycle)
    | \b(?:you|the\ (?:agent|assistant|system|model|ai|bot))\b .{0,12} \b(?:must|shall|have\ to|are\ now|should\ (?:always|never))\b
    | \bas\ (?:your|the|an)\ (?:administrator|admin|developer|operator|system)\b
    | \b(?:system|developer|assistant)\s*:
    | <\|.{1,40}\|> | \[/?inst\]
    | (?:忽略|无视|忘记|忘掉|不要理会|绕过) .{0,20} (?:指令|提示词|规则|设定|指示)
    | (?:复制|转告|转发|传给|写入|写进|记到|加到|同步|告诉|告知) .{0,20} (?:每|所有|全部|其他|其它|任何) .{0,6} (?:客户|用户|顾客|记忆|对话|会话|智能体|总结|洞察)
    | (?:你|您|助手|智能体|系统)(?:必须|务必|一定要|不得|只能|从现在起|今后都?要)
    | 作为(?:你的|你们的|您的|系统)?(?:管理员|开发者|主人)
    | (?:系统|管理员|开发者)(?:提示|指令|命令)?[:\uff1a]
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)


def gives_orders(text: str) -> bool:
    """Whether the text, unseen letters left out, gives orders to its reader."""
    seen = unicodedata.normalize("NFKC", "".join(ch for ch in text if not is_invisible(ch)))
    return _ORDERS.search(seen) is not None
