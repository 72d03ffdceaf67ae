"""Slot facts in other words: read as if they had been said plainly, and remembered in the words that were said.

Neighbours: `wording_en`, `wording_zh` (which words say what).
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from agentmem import patterns as re
from agentmem.adapters.cognition.rules import wording_en, wording_zh
from agentmem.adapters.cognition.rules.model import Act, Clause, Discourse, Finding, Subject, Who
from agentmem.adapters.cognition.rules.told import told
from agentmem.domain.attributes import cardinality

Reader = Callable[[Clause, Discourse], Iterable[Finding]]
_TELLING = (Act.ASSERT, Act.IDLE, Act.REQUEST, Act.POLITE)


def is_slot(attribute: str | None) -> bool:
    """Whether it holds one value at a time, so that a missed reading leaves an old one standing."""
    return attribute is not None and cardinality(attribute, {}) == "single"


def reworded(clause: Clause, discourse: Discourse, read: Reader) -> list[Finding]:
    """What `read` finds in the clause said plainly, where that fills a slot; nothing where it does not."""
    if clause.act not in _TELLING or not _of_himself(clause, discourse):
        return []
    plain = (wording_zh if clause.lang == "zh" else wording_en).plainly(clause.text)
    if plain is None:
        return []
    self = Subject(Who.FIRST, "我" if clause.lang == "zh" else "I")
    anew = replace(clause, text=plain, act=Act.ASSERT, subject=self, predicate=plain)
    found = [item for item in read(anew, discourse) if is_slot(item.attribute) and item.about is None]
    own = told(clause, discourse) if clause.subject.who in (Who.FIRST, Who.OWN) else None
    return [replace(item, content=own or item.content) for item in found]


def _of_himself(clause: Clause, discourse: Discourse) -> bool:
    """Whether the clause names the speaker, or names nobody and follows what he said of himself."""
    named = (_SELF_ZH if clause.lang == "zh" else _SELF_EN).search(clause.text)
    return named is not None or discourse.subject.who in (Who.FIRST, Who.NONE, Who.OWN)


_SELF_ZH = re.compile("我|本人|全家")
_SELF_EN = re.compile(r"\b(?:i|me|my|we|us|our)\b", re.IGNORECASE)
