"""Whom a name means: by its id, which is made of the name, then along redirects to the entity that took it in."""

from collections.abc import Collection, Iterator
from typing import Final, Protocol

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.ports.ledger import Ledger

LONGEST_CHAIN: Final = 32
"""Merges one behind the other that are followed; a chain is short, and a ring would have no end."""


async def load(ledger: Ledger, tenant: str, ids: Collection[str]) -> dict[str, MemoryNode]:
    """The entities of these ids and those they lead on to, by id; one look-up for each step."""
    found: dict[str, MemoryNode] = {}
    wanted = set(ids)
    for _ in range(LONGEST_CHAIN):
        if not wanted:
            break
        nodes = await ledger.get(tenant, wanted)
        new = {key: node for key, node in nodes.items() if node.memory_type is MemoryType.ENTITY}
        found |= new
        wanted = {node.superseded_by for node in new.values() if node.superseded_by} - found.keys()
    return found


class Entities(Protocol):
    """Entities by id, such as a mapping of them or a plan."""

    def get(self, key: str, /) -> MemoryNode | None:
        """The entity with this id, if it is there."""
        ...


def root(entities: Entities, entity: str) -> str:
    """The id of the entity that this one leads on to; its own where it leads nowhere, the least in a ring."""
    seen: set[str] = set()
    while entity not in seen:
        seen.add(entity)
        node = entities.get(entity)
        if node is None or node.superseded_by is None:
            return entity
        entity = node.superseded_by
    return min(seen)


def above(entities: Entities, taken: MemoryNode) -> Iterator[MemoryNode]:
    """What an entity leads on to, step by step."""
    seen = {taken.memory_id}
    node = entities.get(taken.superseded_by or "")
    while node is not None and node.memory_id not in seen:
        yield node
        seen.add(node.memory_id)
        node = entities.get(node.superseded_by or "")
