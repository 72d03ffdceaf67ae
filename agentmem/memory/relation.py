"""How a newer statement stands to an older one, by words alone or by what cognition said of the two."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from agentmem.domain.attributes import BUILT_IN, Own, cardinality, own_slot, value_kind
from agentmem.domain.memory import Ending, MemoryNode, Modality, StoreStatus, Trust
from agentmem.domain.statement import Related
from agentmem.language.gists import gist_without_names
from agentmem.language.normal import digits, normalise
from agentmem.language.polarity import opposed, parted
from agentmem.language.tokens import in_one_wording
from agentmem.language.values import Likeness, likeness

Relation = Related | Literal["undecided"]
"""`undecided`: words alone do not tell."""

JUDGED: Final = "judged"
"""In `metaData`: ids of memories that cognition has said to concern something else, so that it is not asked again."""


_STANDING = {
    Modality.HYPOTHESIS: 0,
    Modality.ASSERTED_BY_AGENT: 1,
    Modality.INFERRED: 1,
    Modality.STATED: 3,
    Modality.NEGATED: 3,
}
_HEARSAY = 2


def standing(node: MemoryNode) -> int:
    """How much a memory weighs beside another: a person's own word most, then what others tell of him, then what was
    concluded or asserted by the agent. However often it is repeated, it weighs the same."""
    own = _STANDING[node.modality]
    return min(own, _HEARSAY) if node.trust is Trust.UNTRUSTED else own


def judged_before(node: MemoryNode) -> list[str]:
    """The ids of the memories that this one was told apart from."""
    held = node.meta_data.get(JUDGED)
    return [str(key) for key in held] if isinstance(held, list) else []


def told_apart(one: MemoryNode, other: MemoryNode) -> bool:
    """Whether cognition has said that the two concern different things."""
    return other.memory_id in judged_before(one) or one.memory_id in judged_before(other)


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
            return "replaces" if _denied(new) != _denied(old) else "same"
        if new.attribute is not None and old.attribute is not None and new.value and old.value:
            slots = (own_slot(new.attribute, self.own), own_slot(old.attribute, self.own))
            if slots[0] == slots[1]:
                return self._slot(new, old, slots[0])
        if None not in (new.attribute, old.attribute) and self.slot(new) != self.slot(old):
            return "unrelated"
        return _wording(new, old)

    def _slot(self, new: MemoryNode, old: MemoryNode, slot: str) -> Relation:
        values = self.values(new, old)
        several = cardinality(slot, self.own) == "multi"
        if values == "equal" and not (several and _is_bare(new.value or "") and _of_two_topics(new, old)):
            return "replaces" if _denied(new) != _denied(old) else "same"
        if several and slot in self.own and slot not in BUILT_IN and not (_denied(new) or _denied(old)):
            return "unrelated"
        if several:
            return _wording(new, old)
        if _denied(new) != _denied(old):
            return "unrelated" if values == "other" else "replaces"
        if values == "other":
            return "unrelated" if _denied(new) else "replaces"
        if told_apart(new, old):
            return "unrelated"
        return "adds" if values == "more" else "says_less"


def _is_bare(value: str) -> bool:
    """Whether it is a day, a time or a number and names nothing: two appointments may be on one day."""
    gist = gist_without_names(value)
    return bool(gist.values) and not gist.words


def _of_two_topics(new: MemoryNode, old: MemoryNode) -> bool:
    ours, theirs = gist_without_names(new.content).words, gist_without_names(old.content).words
    return not (ours <= theirs or theirs <= ours)


def _denied(node: MemoryNode) -> bool:
    return node.modality is Modality.NEGATED


def _wording(new: MemoryNode, old: MemoryNode) -> Relation:
    if new.memory_type is not old.memory_type:
        return "unrelated"
    if digits(new.content) != digits(old.content):
        return "undecided"
    if opposed(new.content, old.content):
        return "replaces"
    alike = in_one_wording(new.content, old.content)
    if alike and (_denied(new), parted(new.content)[1]) == (_denied(old), parted(old.content)[1]):
        return "same"
    return "undecided"


def related(
    new: MemoryNode, old: MemoryNode, relations: Relations, verdicts: Mapping[tuple[str, str], Relation]
) -> Relation:
    """What cognition said of the pair, whichever of the two it was shown as the newer, else what became of it before,
    else what words decide."""
    said = verdicts.get((new.memory_id, old.memory_id))
    if said is not None:
        return said
    turned = verdicts.get((old.memory_id, new.memory_id))
    if turned is not None:
        return _TURNED.get(turned, turned)
    if _took_its_place(new, old) or _took_its_place(old, new):
        return "replaces"
    return "undecided" if _dispute(new, old) else relations.of(new, old)


def _dispute(one: MemoryNode, other: MemoryNode) -> bool:
    """Whether both hold and are linked: what words decide of two that hold is decided when they meet, so somebody has
    had them stand beside each other since, and it is for him to decide."""
    linked = other.memory_id in one.conflicts_with and one.memory_id in other.conflicts_with
    return linked and one.store_status is StoreStatus.VALID and other.store_status is StoreStatus.VALID


def _took_its_place(node: MemoryNode, before: MemoryNode) -> bool:
    return before.ending is Ending.SUPERSEDED and before.superseded_by == node.memory_id


_TURNED: Mapping[Relation, Relation] = {"adds": "says_less", "says_less": "adds"}
