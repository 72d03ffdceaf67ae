"""The communities of agents in outline, kept in mind between jobs: what changed since the last is read, not all.

Outlines have no text, and whatever is written rests on what the ledger has, so one that is out of date costs a second
look and no more.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.graph.communities.draft import DRIFT, SIZE, count, known_facts
from agentmem.graph.communities.reading import GraphReader

AGENTS: Final = 16
"""Agents whose communities are kept in mind, those worked on last."""

BEHIND: Final = 2_000
"""Changes in the whole store from which on an agent's communities are read again rather than what changed."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A stored community without its words."""

    members: tuple[str, ...]
    facts: tuple[str, ...]
    size: int
    drift: int


Outlines = dict[str, Outline]


@dataclass(slots=True)
class Standing:
    """What is known of each agent's communities, and up to which row of the ledger."""

    _known: OrderedDict[tuple[str, str], tuple[int, Outlines]] = field(
        default_factory=OrderedDict[tuple[str, str], tuple[int, Outlines]]
    )

    async def of(self, reader: GraphReader, *, anew: bool = False) -> Outlines:
        """Those that stand, by id; `anew` reads all of them."""
        whose = reader.tenant, reader.agent
        through, known = self._known.pop(whose, (-1, Outlines()))
        head = await reader.ledger.head()
        versions = await reader.ledger.since(through, limit=BEHIND) if through >= 0 and not anew else []
        if through < 0 or anew or len(versions) == BEHIND:
            known = {key: outlined(node) for key, node in (await reader.communities()).items()}
        for version in versions if len(versions) < BEHIND else ():
            if version.node is None or not _stands(version.node, reader):
                known.pop(version.memory_id, None)
            else:
                known[version.memory_id] = outlined(version.node)
        self._known[whose] = head, known
        if len(self._known) > AGENTS:
            self._known.popitem(last=False)
        return dict(known)


def outlined(node: MemoryNode) -> Outline:
    """The outline of a stored community."""
    return Outline(node.entity_ids, known_facts(node), count(node, SIZE), count(node, DRIFT))


def _stands(node: MemoryNode, reader: GraphReader) -> bool:
    own = (node.tenant, node.agent_id) == (reader.tenant, reader.agent)
    return own and node.memory_type is MemoryType.COMMUNITY and node.store_status is StoreStatus.VALID
