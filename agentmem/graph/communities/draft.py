"""A community in the making, and what is kept of it beside its summary."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final, Self

from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode
from agentmem.graph.communities.links import Fact, Names, weightiest

KNOWN: Final = 50
"""Facts that a community keeps and is summed up from, the weightiest."""

SMALLEST: Final = 2
"""Members of a community at least."""

DIGEST: Final = "digest"
SIZE: Final = "size"
DRIFT: Final = "drift"
"""In the `meta_data` of a community: what its summary was made of; how many members and facts it had when all was
grouped last, and how many came and went since."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Members by their roots in the order of how often the facts name them, facts weightiest first. `before` is the
    stored community, if there is one."""

    memory_id: str
    members: tuple[str, ...]
    facts: tuple[Fact, ...]
    before: MemoryNode | None = None
    size: int = 0
    drift: int = 0

    def digest(self, names: Names) -> str:
        """The same for the same members under the same names, and the same facts in the same words."""
        called = sorted(f"{member}={names.names.get(member, '')}" for member in self.members)
        told = sorted(f"{fact.memory_id}={fact.mark}" for fact in self.facts)
        return blake2b("\n".join((*called, "", *told)).encode(), digest_size=16).hexdigest()

    def kept_by(self, before: MemoryNode) -> Self:
        """The same as what a stored community has become."""
        return replace(self, memory_id=before.memory_id, before=before)


def drafted(memory_id: str, members: Collection[str], facts: Collection[Fact]) -> Draft:
    """A community of these members with these facts."""
    having = Counter(entity for fact in facts for entity in fact.entities)
    ordered = tuple(sorted(members, key=lambda member: (-having[member], member)))
    return Draft(memory_id, ordered, weightiest(facts, KNOWN))


def known_facts(community: MemoryNode) -> tuple[str, ...]:
    """The ids of the facts a stored community is made of."""
    return tuple(dict.fromkeys((*community.source_ids, *community.depends_on)))


def count(community: MemoryNode, name: str) -> int:
    """`SIZE` or `DRIFT` of a stored community."""
    held = community.meta_data.get(name)
    return held if isinstance(held, int) else 0


def new_id(tenant: str, agent: str, members: Iterable[str]) -> str:
    """The id of a community that begins with these members."""
    return derived_id("community", tenant, agent, *sorted(members))


def recognised(groups: Sequence[tuple[str, ...]], before: Mapping[str, Collection[str]]) -> dict[int, str]:
    """Which stored community each group, by its place, has become: the pairs that share most members first; equal
    shares go by the community's id, then by the group's place. Each is taken once."""
    homes = {member: key for key in sorted(before) for member in before[key]}
    shared = Counter(
        (homes[member], place) for place, group in enumerate(groups) for member in group if member in homes
    )
    found: dict[int, str] = {}
    taken: set[str] = set()
    for (key, place), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if place not in found and key not in taken:
            found[place] = key
            taken.add(key)
    return found
