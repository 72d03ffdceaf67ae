"""Whether a name in the talk is another name of the person: a wrong one would merge two people."""

from collections.abc import Set
from typing import Final

from agentmem import patterns as re
from agentmem.domain.statement import Turn, Window
from agentmem.language.normal import canonical_name, is_han

_NO_NAMES: Final = frozenset(
    ("你", "您", "我", "他", "她", "先生", "女士", "小姐", "老师", "客户", "用户", "顾客", "亲", "老板", "朋友")
) | frozenset(("you", "sir", "madam", "customer", "user", "client", "friend", "he", "she", "i", "me", "him", "her"))
_SELF: Final = (
    "(?:叫我|我叫|我是|称呼我|喊我|call me|i am|i'm|my name is|name's"
    r"|\b(?:i am|i'm)(?: also| better| often| usually)? known as|\bi(?: also| usually| mostly)? go by)"
)


def plausible_alias(name: str, turn: Turn, window: Window, strangers: Set[str]) -> bool:
    """Whether it resembles the person's name or the person gave it, and belongs to nobody else in the talk."""
    plain = canonical_name(name)
    person = canonical_name(window.person.name)
    others = {canonical_name(window.agent_name), *strangers}
    if not 1 < len(name) <= 40 or not name.isprintable() or any(ch.isdigit() for ch in name):
        return False
    if plain == person or plain in others or plain in _NO_NAMES or plain == canonical_name(window.person.title or ""):
        return False
    return _alike(plain, person) or _given(name, turn)


def _alike(name: str, person: str) -> bool:
    shared = {ch for ch in name if is_han(ch)} & {ch for ch in person if is_han(ch)}
    return bool(shared) or (name[:2] == person[:2] and name[0].isascii())


def _given(name: str, turn: Turn) -> bool:
    pattern = rf"{_SELF}\s*[\"“'「]?{re.escape(name)}"
    return not turn.by_agent and re.search(pattern, turn.text, re.IGNORECASE) is not None
