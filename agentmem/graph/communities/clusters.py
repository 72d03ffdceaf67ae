"""The graph that communities are found in, and label propagation over it.

Facts that relate two entities link them; names that merely stand in one short statement do so weakly, because most of
what people say of themselves relates nothing to anything by name. A name that is everywhere, such as the product that
everybody uses, holds nobody closer: a link weighs less the more neighbours either end has.

Propagation gives each node in turn the label that weighs most among its neighbours; a node keeps its own label unless
another weighs more, so the weight within communities only grows and the rounds end. A full community takes in nobody,
which splits a dense graph into several. The order of turns comes from a seed and the nodes' names, so the same graph is
always grouped in the same way.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations
from math import sqrt
from typing import Final

from agentmem.domain.entity import mentions_of, named
from agentmem.domain.memory import MemoryNode, MemoryType, Modality, StoreStatus

Links = Mapping[str, Mapping[str, float]]
"""For each node its neighbours with weights above 0, the same from both ends."""

ROUNDS: Final = 100
"""At most; a graph of 20,000 nodes was seen to rest after 5 to 11."""


LARGEST: Final = 200
"""Members of a community at most."""


def propagate(links: Links, *, seed: str, rounds: int = ROUNDS, largest: int = LARGEST) -> dict[str, str]:
    """The label of each node: the name of one node of its community. A node without neighbours has its own."""
    order = sorted(links, key=lambda node: (_turn(seed, node), node))
    place = {node: number for number, node in enumerate(order)}
    beside = [sorted((place[other], weight) for other, weight in links[node].items()) for node in order]
    labels, sizes = list(range(len(order))), [1] * len(order)
    for _ in range(rounds):
        if not _one_round(labels, sizes, beside, largest):
            break
    return {node: order[labels[number]] for number, node in enumerate(order)}


def groups(labels: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The nodes of each label in the order of their names, the groups by their first node."""
    found: dict[str, list[str]] = {}
    for node in sorted(labels):
        found.setdefault(labels[node], []).append(node)
    return [tuple(nodes) for nodes in found.values()]


def plurality(weighed: Iterable[tuple[str, float]]) -> str | None:
    """The label with the largest sum of weights, the least by name of equal ones; None where there is none."""
    sums: dict[str, float] = {}
    for label, weight in sorted(weighed):
        sums[label] = sums.get(label, 0.0) + weight
    return min(sums, key=lambda label: (-sums[label], label), default=None)


def _one_round(labels: list[int], sizes: list[int], beside: list[list[tuple[int, float]]], largest: int) -> bool:
    """Whether a label changed."""
    changed = False
    for node, neighbours in enumerate(beside):
        sums: dict[int, float] = {}
        for other, weight in neighbours:
            sums[labels[other]] = sums.get(labels[other], 0.0) + weight
        own = labels[node]
        room = {label: weight for label, weight in sums.items() if sizes[label] < largest or label == own}
        most = max(room.values(), default=0.0)
        if room.get(own, 0.0) < most:
            labels[node] = min(label for label, weight in room.items() if weight == most)
            sizes[own] -= 1
            sizes[labels[node]] += 1
            changed = True
    return changed


def _turn(seed: str, node: str) -> bytes:
    return blake2b(f"{seed}\x1f{node}".encode(), digest_size=8).digest()


TELLING: Final = (MemoryType.OBSERVATION, MemoryType.INSIGHT, MemoryType.LONGTERM)
"""Layers whose memories make communities: turns say nothing that is not in what was made of them."""

PAIR: Final = 1.0
TOGETHER: Final = 0.25
"""What a pair fact links, and what standing in one statement does."""

FEW: Final = 5
"""Up to so many names in one statement count as standing together; a list of twenty links nobody."""

_TOLD: Final = (Modality.STATED, Modality.INFERRED, Modality.ASSERTED_BY_AGENT)


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory as communities see it. `entities` are the roots of those it names, whom it is about first; `mark` tells
    one wording from another."""

    memory_id: str
    entities: tuple[str, ...]
    related: bool
    weight: tuple[bool, int, bool, int]
    mark: str


@dataclass(slots=True)
class Names:
    """What entities are called, and which one each leads on to."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    onward: dict[str, str] = field(default_factory=dict[str, str])

    def learn(self, entities: Iterable[MemoryNode]) -> None:
        """Take in stored entities."""
        for node in entities:
            self.names[node.memory_id] = node.value or node.content
            if node.superseded_by is not None:
                self.onward[node.memory_id] = node.superseded_by

    def overhear(self, node: MemoryNode) -> None:
        """Take in the names that a memory mentions, as far as no entity is stored for them."""
        if any(entity not in self.names for entity in entities_of(node)):
            for entity, name in _called(node):
                self.names.setdefault(entity, name)

    def root(self, entity: str) -> str:
        """The entity that this one leads on to; the least of a ring."""
        seen: set[str] = set()
        while entity in self.onward and entity not in seen:
            seen.add(entity)
            entity = self.onward[entity]
        return min(seen) if entity in seen else entity


def is_held(node: MemoryNode) -> bool:
    """Whether a summary may say it: it is held to be true and has no known end, for a summary stays."""
    open_ended = node.store_status is StoreStatus.VALID and node.invalid_at is None
    return open_ended and node.modality in _TOLD and node.memory_type in TELLING


def entities_of(node: MemoryNode) -> tuple[str, ...]:
    """The ids a memory names, the agent's own left out: he is in everything he was told."""
    own = _own(node)
    about = () if node.memory_type is MemoryType.LONGTERM else (node.target_id,)
    return tuple(each for each in node.entity_ids or about if each != own)


def fact_of(node: MemoryNode, names: Names) -> Fact | None:
    """The fact; None for what is not held or names nobody."""
    entities = tuple(dict.fromkeys(map(names.root, entities_of(node)))) if is_held(node) else ()
    if not entities:
        return None
    mark = blake2b(node.content.encode(), digest_size=12).hexdigest()
    weight = (len(entities) < 2, -node.importance, node.relation is None, -node.timestamp)
    return Fact(node.memory_id, entities, _relates(node, names), weight, mark)


def links_of(facts: Iterable[Fact]) -> Links:
    """The graph these facts make, the same in whatever order they come. Entities that nothing links are in it."""
    counts: dict[tuple[str, str], list[int]] = {}
    found: dict[str, dict[str, float]] = {}
    for fact in facts:
        found |= {entity: {} for entity in fact.entities if entity not in found}
        for place, pair in enumerate(_pairs(fact)):
            counted = counts.setdefault(pair, [0, 0])
            counted[0 if fact.related and place == 0 else 1] += 1
    for (one, other), (pairs, together) in counts.items():
        found[one][other] = found[other][one] = PAIR * pairs + TOGETHER * together
    return {one: {other: _damped(weight, found, one, other) for other, weight in found[one].items()} for one in found}


def home_of(fact: Fact, homes: Mapping[str, str]) -> str | None:
    """The one community a fact is told in: that of the first of its entities that has one."""
    return next((homes[entity] for entity in fact.entities if entity in homes), None)


def weightiest(facts: Collection[Fact], most: int) -> tuple[Fact, ...]:
    """What links members before what is said of one of them, then the important, the related, the newest."""
    return tuple(sorted(facts, key=lambda fact: (fact.weight, fact.memory_id))[:most])


def _pairs(fact: Fact) -> Iterator[tuple[str, str]]:
    """Whom the fact links, each pair in the order of its ids; the pair it relates comes first."""
    if len(fact.entities) > FEW:
        together = [fact.entities[:2]] if fact.related else []
    else:
        together = list(combinations(fact.entities, 2))
    for one, other in together:
        yield (one, other) if one < other else (other, one)


def _damped(weight: float, links: Links, one: str, other: str) -> float:
    return weight / sqrt(max(len(links[one]), len(links[other])))


def _relates(node: MemoryNode, names: Names) -> bool:
    """Whether it is a pair fact between two who are not the agent."""
    pair = {*map(names.root, node.entity_ids[:2])}
    return node.relation is not None and len(pair) == 2 and _own(node) not in pair


def _own(node: MemoryNode) -> str:
    return named(node.tenant, node.agent_id, node.user_name)


def _called(node: MemoryNode) -> Iterator[tuple[str, str]]:
    if node.memory_type is not MemoryType.LONGTERM:
        yield node.target_id, node.target_name
    for mention in mentions_of(node):
        yield named(node.tenant, node.agent_id, mention.name), mention.name
