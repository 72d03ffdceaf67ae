"""Which memories fit what somebody asks to be forgotten, word by word: one says it, or fills the slot that is named, or
tells of the same topic."""

from collections.abc import Iterable
from typing import Final

from agentmem.domain.memory import MemoryNode
from agentmem.language.details import tells, values_of
from agentmem.language.lookalikes import simplified
from agentmem.language.tokens import tokens
from agentmem.language.word_lists import word_groups
from agentmem.memory.request_pleaded import Pleading
from agentmem.memory.sought import LIGHT, MAX_NEAR, Sought
from agentmem.memory.wish_words import is_related

BY_TOPIC: Final = 0.7
"""How much a word counts that is only of the same topic as one of a memory, where one that is said counts 1."""

ENOUGH: Final = 0.5
"""Share of what is asked for that a memory must have."""

NEARLY_AS_WELL: Final = 0.75
"""Share of the best memory's that another must have to be offered beside it."""


def _topics() -> dict[str, frozenset[int]]:
    found: dict[str, frozenset[int]] = {}
    for number, group in enumerate(word_groups("topics")):
        for term in {term for word in group for term in tokens(word)}:
            found[term] = found.get(term, frozenset()) | {number}
    return found


_TOPICS: Final = _topics()
_NONE: Final = frozenset[int]()


def fitting(pleading: Pleading, sought: Sought, nodes: Iterable[MemoryNode]) -> list[MemoryNode]:
    """At most `MAX_NEAR` of these memories, those that fit best first, and of such as fit as well the newest. A turn is
    left out where a memory made of it is among them."""
    least = BY_TOPIC if pleading.loosely else ENOUGH
    found = [(_fit(sought, node), node) for node in nodes]
    found = [(fit, node) for fit, node in found if fit >= least]
    best = max((fit for fit, _ in found), default=0.0)
    found = [(fit, node) for fit, node in found if fit >= NEARLY_AS_WELL * best]
    found.sort(key=lambda each: (-each[0], -each[1].valid_at.timestamp(), each[1].memory_id))
    told = {part.memory_id for _, node in found for part in node.evidence}
    return [node for _, node in found if node.memory_id not in told][:MAX_NEAR]


def _fit(sought: Sought, node: MemoryNode) -> float:
    """The share of what is named that a memory has: each word, and what is called by a slot."""
    plain = simplified(f"{node.content}\n{node.value or ''}")
    said = frozenset(tokens(plain))
    named = bool(sought.attributes or sought.details)
    words = (sought.besides if named else sought.words) - LIGHT
    fills = node.attribute in sought.attributes or any(
        tells(node.content, detail) or values_of(node.content, detail) for detail in sought.details
    )
    have = sum(1.0 if is_related(word, plain, said) else BY_TOPIC * _of_one_topic(word, said) for word in words)
    return (have + fills) / (len(words) + named) if words or named else 0.0


def _of_one_topic(word: str, said: Iterable[str]) -> bool:
    topics = _TOPICS.get(word, _NONE)
    return any(not topics.isdisjoint(_TOPICS.get(each, _NONE)) for each in said)
