"""How a newer statement stands to an older one, as far as words alone can tell: the cheap tests, in their order.

    exact text → attribute slot → polarity → near-lexical → undecided

What stays undecided and looks alike is handed to cognition; everything else is unrelated.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentmem.domain.attributes import cardinality
from agentmem.domain.memory import MemoryNode, Modality
from agentmem.domain.persona import Cardinality
from agentmem.language.normal import digits, normalise, trigram_similarity

Relation = Literal["same", "contained", "exacter", "contradicts", "unrelated", "undecided"]
"""`contained`: the newer says more than the older; `exacter`: the older already says more than the newer."""

NEAR = 0.9
"""Character 3-gram Jaccard from which two texts with equal digits count as one wording."""

ALIKE = 0.3
"""Below this similarity two statements are not worth a judgement, unless they share an attribute."""


@dataclass(frozen=True, slots=True)
class Relations:
    """Relates memories under a persona's attributes."""

    own: Mapping[str, Cardinality]

    def of(self, new: MemoryNode, old: MemoryNode) -> Relation:
        """Both about the same target."""
        if normalise(new.content) == normalise(old.content):
            return "contradicts" if _opposed(new, old) else "same"
        if new.attribute is not None and new.attribute == old.attribute and new.value and old.value:
            return self._slot(new, old)
        if new.attribute != old.attribute and None not in (new.attribute, old.attribute):
            return "unrelated"
        return _wording(new, old)

    def _slot(self, new: MemoryNode, old: MemoryNode) -> Relation:
        newer, older = normalise(new.value or ""), normalise(old.value or "")
        if newer == older:
            return "contradicts" if _opposed(new, old) else "same"
        if cardinality(new.attribute, self.own) == "multi":
            return _wording(new, old)
        if Modality.NEGATED in (new.modality, old.modality):
            return "unrelated"
        if _extends(newer, older):
            return "contained"
        return "exacter" if _extends(older, newer) else "contradicts"


def _opposed(new: MemoryNode, old: MemoryNode) -> bool:
    return (new.modality is Modality.NEGATED) != (old.modality is Modality.NEGATED)


def _extends(longer: str, shorter: str) -> bool:
    """Whether one value only adds words to the other; numbers that differ are different values."""
    return shorter in longer and digits(longer) == digits(shorter)


def _wording(new: MemoryNode, old: MemoryNode) -> Relation:
    if new.memory_type is not old.memory_type or digits(new.content) != digits(old.content):
        return "unrelated"
    likeness = trigram_similarity(new.content, old.content)
    if likeness >= NEAR and not _opposed(new, old):
        return "same"
    return "undecided" if likeness >= ALIKE else "unrelated"
