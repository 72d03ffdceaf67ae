"""Which known entity a new name means, decided by rules where they are sure of it, and what they leave to a model.

    near-lexical → said outright → short form of a company or a person → open

Never one entity: kinds that differ, names that tell two things apart, two that are talked with, two that somebody
parted.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from agentmem.domain.entity import TOLD_IN, mentions_any, mentions_of
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus, Trust
from agentmem.graph.identity.entities import TALKED_TO, TOLD, are_apart
from agentmem.language.same_names import apart, near, said_to_be_one, short_form

OPEN: Final = 5
"""Candidates of one name that a model is asked about."""


@dataclass(frozen=True, slots=True)
class EntityMatch:
    """The entity a name means, and why."""

    entity: MemoryNode
    reason: str


@dataclass(frozen=True, slots=True)
class NameEvidence:
    """The memories around a name: those that brought it up, and what is known to be said of each candidate."""

    new: Sequence[MemoryNode]
    of: Mapping[str, Sequence[MemoryNode]]

    def beside(self, candidate: MemoryNode) -> bool:
        """Whether both were brought up in one document or one talk."""
        places = {_place(node) for node in self.new} - {None}
        return any(_place(node) in places for node in self.of.get(candidate.memory_id, ()))


def may_be_one(new: MemoryNode, other: MemoryNode) -> bool:
    """Whether neither their names nor anybody's word speak against it."""
    talked_to = TALKED_TO in new.meta_data and TALKED_TO in other.meta_data
    if new.memory_id == other.memory_id or talked_to or are_apart(new, other):
        return False
    return not any(apart(one, two) for one in new.key for two in other.key)


def compatible(new: MemoryNode, other: MemoryNode) -> bool:
    """Whether they may be of one kind; `thing` is a kind that was not told."""
    return len({new.kind, other.kind} - {"thing"}) < 2


def decided(new: MemoryNode, candidates: Sequence[MemoryNode], said: NameEvidence) -> EntityMatch | None:
    """The one that rules are sure of; None where there is none, or more than one."""
    name = str(new.value)
    alike = [entity for entity in candidates if compatible(new, entity)]
    for entity in alike:
        if any(near(name, other) for other in entity.key):
            return EntityMatch(entity, "the same name, written otherwise")
    for entity in candidates:  # a kind is guessed of a name alone, and gives way to what is said of it
        if _said(name, entity, said.new):
            return EntityMatch(entity, "said to be one")
    short = [entity for entity in alike if _is_short(new, entity, said)]
    return EntityMatch(short[0], "one name is short for the other") if len(short) == 1 else None


def left_open(new: MemoryNode, candidates: Iterable[MemoryNode]) -> list[MemoryNode]:
    """The candidates a model is to be asked about: not whoever is talked with, who has a name of his own, and no two of
    which nothing tells that they are names at all."""
    free = (each for each in candidates if compatible(new, each) and {new.kind, each.kind} != {"thing"})
    return [each for each in free if not (TALKED_TO in new.meta_data or TALKED_TO in each.meta_data)][:OPEN]


def said_outright(memory: MemoryNode) -> list[tuple[str, str]]:
    """The neighbouring names in a memory of which it says that they are one."""
    if not is_vouched(memory):
        return []
    names = [mention.name for mention in mentions_of(memory)]
    return [(one, other) for one, other in pairwise(names) if said_to_be_one(memory.content, one, other)]


def is_vouched(memory: MemoryNode) -> bool:
    """Whether it may decide who is who: what somebody says about others in his own talk may not."""
    held = memory.store_status is StoreStatus.VALID and memory.modality in TOLD
    return held and memory.trust is not Trust.UNTRUSTED


def _said(name: str, entity: MemoryNode, memories: Iterable[MemoryNode]) -> bool:
    told = [node for node in memories if is_vouched(node) and mentions_any(node, entity.key)]
    return any(said_to_be_one(node.content, name, other) for node in told for other in entity.key)


def _is_short(new: MemoryNode, entity: MemoryNode, said: NameEvidence) -> bool:
    """Either may be the short one; a full name counts, another short one does not."""
    for short, long in ((new, entity), (entity, new)):
        forms = {short_form(str(short.value), name) for name in long.key}
        if "company" in forms and (short.kind == "organisation" or said.beside(entity)):
            return long.kind in ("organisation", "thing")
        if "person" in forms and short.kind == long.kind == "person":
            return said.beside(entity)
    return False


def _place(node: MemoryNode) -> tuple[str, str | None] | None:
    """The document or the talk a memory is from, and whom it is about; None where that is not known."""
    if node.memory_type is MemoryType.LONGTERM:
        return str(node.meta_data.get("assetId") or node.target_id), None
    return (str(node.meta_data.get(TOLD_IN, node.target_id)), node.run_id) if node.run_id else None
