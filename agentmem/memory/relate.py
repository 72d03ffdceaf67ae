"""How a newer statement stands to an older one, as far as words alone can tell: the cheap tests, in their order.

    exact text → attribute slot → polarity → near-lexical → undecided

What stays undecided and looks alike is handed to cognition; everything else is unrelated.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentmem.domain.attributes import Own, cardinality, own_slot, value_kind
from agentmem.domain.memory import MemoryNode, Modality
from agentmem.language.normal import digits, normalise, trigram_similarity
from agentmem.language.polarity import opposed, parted
from agentmem.language.values import Likeness, likeness

Relation = Literal["same", "contained", "exacter", "contradicts", "unrelated", "undecided"]
"""`contained`: the newer says more than the older; `exacter`: the older already says more than the newer."""

NEAR = 0.9
"""Character 3-gram Jaccard from which two texts with equal digits count as one wording."""

ALIKE = 0.3
"""Below this similarity two statements are not worth a judgement, unless they share an attribute."""


ALIKE_AGAINST = 0.15
"""The same where one of the two denies something: a denial shares fewer words with what it denies."""


@dataclass(frozen=True, slots=True)
class Relations:
    """Relates memories under a persona's attributes."""

    own: Own

    def slot(self, node: MemoryNode) -> str | None:
        """The single-valued slot a memory fills; None for what may stand beside others."""
        if node.attribute is None or not node.value:
            return None
        slot = own_slot(node.attribute, self.own)
        return slot if cardinality(slot, self.own) == "single" else None

    def values(self, new: MemoryNode, old: MemoryNode) -> Likeness:
        """How the values of two memories in one slot stand to each other."""
        kind = value_kind(own_slot(new.attribute or "", self.own), self.own)
        return likeness(kind, new.value or "", old.value or "")

    def of(self, new: MemoryNode, old: MemoryNode) -> Relation:
        """Both about the same target."""
        if normalise(new.content) == normalise(old.content):
            return "contradicts" if _denied(new) != _denied(old) else "same"
        if new.attribute is not None and old.attribute is not None and new.value and old.value:
            slots = (own_slot(new.attribute, self.own), own_slot(old.attribute, self.own))
            if slots[0] == slots[1]:
                return self._slot(new, old, slots[0])
        if None not in (new.attribute, old.attribute) and new.attribute != old.attribute:
            return "unrelated"
        return _wording(new, old)

    def are_open(self, new: MemoryNode, old: MemoryNode) -> bool:
        """Whether wording says nothing for certain of two that might mean the same, or opposite, things."""
        alone = (new.attribute is None or old.attribute is None or new.attribute == old.attribute) and (
            digits(new.content) == digits(old.content) and new.memory_type is old.memory_type
        )
        return alone and self.of(new, old) in ("undecided", "unrelated")

    def _slot(self, new: MemoryNode, old: MemoryNode, slot: str) -> Relation:
        values = self.values(new, old)
        if values == "equal":
            return "contradicts" if _denied(new) != _denied(old) else "same"
        if cardinality(slot, self.own) == "multi":
            return _wording(new, old)
        if _denied(new) != _denied(old):
            return "unrelated" if values == "other" else "contradicts"
        if values == "other":
            return "unrelated" if _denied(new) else "contradicts"
        return "contained" if values == "more" else "exacter"


def _denied(node: MemoryNode) -> bool:
    return node.modality is Modality.NEGATED


def _wording(new: MemoryNode, old: MemoryNode) -> Relation:
    if new.memory_type is not old.memory_type or digits(new.content) != digits(old.content):
        return "unrelated"
    if opposed(new.content, old.content):
        return "contradicts"
    alike = trigram_similarity(new.content, old.content)
    if alike >= NEAR and (_denied(new), parted(new.content)[1]) == (_denied(old), parted(old.content)[1]):
        return "same"
    against = _denied(new) != _denied(old) or parted(new.content)[1] != parted(old.content)[1]
    return "undecided" if alike >= (ALIKE_AGAINST if against else ALIKE) else "unrelated"


def related(
    new: MemoryNode, old: MemoryNode, relations: Relations, verdicts: Mapping[tuple[str, str], Relation]
) -> Relation:
    """What words decide, else what cognition said of the pair, whichever of the two it was shown as the newer."""
    relation = relations.of(new, old)
    if relation not in ("undecided", "unrelated"):
        return relation
    said = verdicts.get((new.memory_id, old.memory_id))
    if said is not None:
        return said
    turned = verdicts.get((old.memory_id, new.memory_id), relation)
    return _TURNED.get(turned, turned)


_TURNED: Mapping[Relation, Relation] = {"contained": "exacter", "exacter": "contained"}
