"""Reading the graph out of the ledger: all of it, page by page, or what lies around memories that changed."""

from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import dataclass, replace

from agentmem.domain.entity import graph_lane, named
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.graph.communities.links import TELLING, Fact, Names, entities_of, fact_of
from agentmem.graph.identity.resolution import load
from agentmem.ports.ledger import Ledger, Selection

PAGE = 1_000


@dataclass(frozen=True, slots=True)
class GraphReader:
    """One agent's graph."""

    ledger: Ledger
    tenant: str
    agent: str

    async def communities(self) -> dict[str, MemoryNode]:
        """Those that stand, by id."""
        wanted = Selection(self._between, types=(MemoryType.COMMUNITY,), statuses=(StoreStatus.VALID,), limit=PAGE)
        return {node.memory_id: node async for node in self._pages(wanted)}

    async def everything(self) -> tuple[Names, list[Fact]]:
        """All names and all facts."""
        names = Names()
        entities = Selection(self._between, types=(MemoryType.ENTITY,), limit=PAGE)
        async for node in self._pages(entities):
            names.learn((node,))
        facts: list[Fact] = []
        memories = Selection(Scope(self.tenant, self.agent), types=TELLING, statuses=(StoreStatus.VALID,), limit=PAGE)
        async for node in self._pages(memories):
            names.overhear(node)
            if (fact := fact_of(node, names)) is not None:
                facts.append(fact)
        return names, facts

    async def memories(self, ids: Collection[str]) -> dict[str, MemoryNode]:
        """Memories by id."""
        return await self.ledger.get(self.tenant, ids) if ids else {}

    async def learn(self, names: Names, nodes: Iterable[MemoryNode], more: Collection[str] = ()) -> None:
        """The names behind these memories and these entities, and whom they lead on to."""
        nodes = list(nodes)
        wanted = {entity for node in nodes for entity in entities_of(node)} | {*more}
        wanted |= {
            named(self.tenant, self.agent, node.value) for node in nodes if node.attribute == "alias" and node.value
        }
        stored = await load(self.ledger, self.tenant, wanted - names.names.keys())
        names.learn(stored.values())
        for node in nodes:
            names.overhear(node)

    @property
    def _between(self) -> Scope:
        return graph_lane(self.tenant, self.agent).scope

    async def _pages(self, wanted: Selection) -> AsyncIterator[MemoryNode]:
        while page := await self.ledger.select(wanted):
            for node in page:
                yield node
            wanted = replace(wanted, after=(page[-1].timestamp, page[-1].memory_id))
