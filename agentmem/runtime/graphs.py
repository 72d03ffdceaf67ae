"""The graph between memories, looked at: around an entity, from one to another, and as a file."""

from dataclasses import dataclass, replace

from agentmem.answers.question import AskQuery
from agentmem.answers.sight import Sight
from agentmem.answers.subgraph import around, names_in_sight, pictured
from agentmem.domain.access import Grant
from agentmem.domain.entity import named
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import NotFound
from agentmem.graph.export import Drawing, drawing
from agentmem.graph.path import shortest
from agentmem.ports.ledger import Selection
from agentmem.runtime.access import Access, needs
from agentmem.runtime.opened import Opened

PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Trail:
    """A way between two entities: their names from one end to the other, and the memory that links each with the
    next, one fewer."""

    names: tuple[str, ...]
    memories: tuple[MemoryNode, ...]


@dataclass(frozen=True, slots=True)
class Graphs:
    """What links whom and what an agent's memories are about."""

    access: Access
    opened: Opened

    @needs(Grant.READ, of="scope")
    async def show(self, scope: Scope, name: str, *, hops: int = 1) -> tuple[str, ...]:
        """What is said of an entity and what links it, up to `hops` steps away, as `Reply.graph` has it.

        Raises `NotFound` for a name that no memory in scope mentions, and `InvalidInput` for a depth that is none.
        """
        sight = await self._sight(scope, name, hops)
        found = await around(sight, name, {named(scope.tenant, scope.agent, name): 1.0}, hops=hops)
        if not found.passages:
            raise NotFound(f"{scope.agent!r} remembers nothing of {name!r}")
        return pictured(found)

    @needs(Grant.READ, of="scope")
    async def path(self, scope: Scope, one: str, other: str) -> Trail | None:
        """A shortest way of at most six steps; None where there is none."""
        sight = await self._sight(scope, one)
        ends = [named(scope.tenant, scope.agent, name) for name in (one, other)]
        way = await shortest(sight.index, sight.where(), *ends)
        if way is None:
            return None
        memories = await sight.states(way.memory_ids)
        entities = await self.opened.recall.gather.journal.ledger.get(scope.tenant, way.entities)
        names = names_in_sight(memories.values())
        names |= {key: node.value for key, node in entities.items() if node.value and scope.target is None}
        names |= {way.entities[0]: one, way.entities[-1]: other}
        told = tuple(names.get(entity, entity) for entity in way.entities)
        return Trail(told, tuple(memories[key] for key in way.memory_ids if key in memories))

    @needs(Grant.READ, of="scope")
    async def drawn(self, scope: Scope) -> Drawing:
        """All that an agent holds to be true now and that links entities."""
        now = self.opened.recall.gather.now()
        entities = await self._all(scope, (MemoryType.ENTITY,))
        memories = [node for node in await self._all(scope, ()) if node.entity_ids and node.is_valid(now)]
        return drawing(entities, memories)

    async def _sight(self, scope: Scope, text: str, depth: int = 1) -> Sight:
        sight = Sight(self.opened.recall.gather, self.opened.recall, AskQuery(scope, text, depth=depth), facts=True)
        await sight.refresh()
        return sight

    async def _all(self, scope: Scope, types: tuple[MemoryType, ...]) -> list[MemoryNode]:
        ledger, found = self.opened.recall.gather.journal.ledger, list[MemoryNode]()
        wanted = Selection(scope, types=types, limit=PAGE)
        while page := await ledger.select(wanted):
            found += page
            wanted = replace(wanted, after=(page[-1].timestamp, page[-1].memory_id))
        return found
