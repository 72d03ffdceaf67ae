"""The graph between memories, looked at: around an entity, from one to another, in communities, and as a file."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from agentmem.answers.answer import AskQuery
from agentmem.answers.subgraph import MAX_WALKED, around, names_in_sight, pictured
from agentmem.answers.visible_memory import VisibleMemory
from agentmem.domain.entity import graph_lane, named
from agentmem.domain.filter import AllOf, Compare, Filter
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import BackendUnavailable, InvalidInput, NotFound
from agentmem.graph.communities.clusters import Names
from agentmem.graph.communities.community_keeper import grouping_anew
from agentmem.graph.edge_search import EdgeSearch, MemoryTriple
from agentmem.graph.export import Drawing, drawing, near
from agentmem.graph.identity.by_hand import Hand, Settled
from agentmem.graph.identity.entities import TOLD, load, mentions
from agentmem.graph.walk import shortest, walk
from agentmem.ledger.listing import every
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Ledger, Selection
from agentmem.runtime.composition.opened import Opened
from agentmem.runtime.facade.access import Access, needs
from agentmem.runtime.host.clocks import Clock

PAGE = 1_000

MAX_EDGES: Final = 100_000
"""Of a graph that is drawn as a whole."""


@dataclass(frozen=True, slots=True)
class Trail:
    """A way between two entities: their names from one end to the other, and the memory that links each with the
    next, one fewer."""

    names: tuple[str, ...]
    memories: tuple[MemoryNode, ...]


@dataclass(frozen=True, slots=True)
class Community:
    """A community, and what its members are called."""

    node: MemoryNode
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entity:
    """Whom or what memories are about: the fullest name, the other names, how many memories mention it, and what is
    said of it."""

    id: str
    name: str
    aliases: tuple[str, ...]
    kind: str
    mentions: int
    summary: str


@dataclass(frozen=True, slots=True)
class MemoryLink:
    """A memory, and the ids of the entities that it links."""

    memory: MemoryNode
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What lies around the entity `middle`: the `names` of those in sight by id, how many `steps` away they are, and
    what links them, the nearest first."""

    middle: str
    names: Mapping[str, str]
    steps: Mapping[str, int]
    links: tuple[MemoryLink, ...]


@dataclass(frozen=True, slots=True)
class Graphs:
    """What links whom and what an agent's memories are about."""

    access: Access
    journal: Journal
    clock: Clock
    opened: Opened | None

    @needs(Grant.READ, of="scope")
    async def show(self, scope: Scope, name: str, *, hops: int = 1) -> tuple[str, ...]:
        """What is said of an entity and what links it, up to `hops` steps away, as `AskReply.graph` has it.

        Raises `NotFound` for a name that no memory in scope mentions, and `InvalidInput` for a depth that is none.
        """
        sight = await self._sight(scope, name, hops)
        found = await around(sight, name, {named(scope.tenant, scope.agent, name): 1.0}, hops=hops)
        if not found.passages:
            raise NotFound(f"{scope.agent!r} remembers nothing of {name!r}")
        return pictured(found)

    @needs(Grant.READ, of="scope")
    async def around(self, scope: Scope, entity: str, *, hops: int = 1, as_of: datetime | None = None) -> Neighbourhood:
        """What is held to be true, or was at `as_of`, and links an entity with others, up to `hops` steps away and over
        at most 200 memories; empty for one that nothing in scope names. Raises `InvalidInput` for a depth that is none.
        """
        sight = await self._sight(scope, entity, hops, as_of)
        found = await sight.walk({entity: 1.0}, hops=hops, limit=MAX_WALKED)
        states = await sight.states([link.memory_id for link in found.links])
        held = {key: node for key, node in states.items() if node.modality in TOLD}
        names, middle = names_in_sight(held.values()), next(iter(found.entities))
        if scope.target is None:  # what an entity is called in all is known from everybody
            known = await load(self.journal.ledger, scope.tenant, found.entities)
            whole = {key: node.value for key, node in known.items() if node.value and node.agent_id == scope.agent}
            names = {**names, **whole}
        names = {key: names[key] for key in found.entities if key in names}
        links = [
            MemoryLink(held[link.memory_id], tuple(each for each in link.entities if each in names))
            for link in found.links
            if link.memory_id in held
        ]
        steps = {key: found.entities[key] for key in names}
        return Neighbourhood(middle, names, steps, tuple(link for link in links if link.entities))

    @needs(Grant.READ, of="scope")
    async def path(self, scope: Scope, one: str, other: str) -> Trail | None:
        """A shortest way of at most six steps; None where there is none. Raises `NotFound` for a name that no memory in
        scope mentions."""
        sight = await self._sight(scope, one)
        ends = [named(scope.tenant, scope.agent, name) for name in (one, other)]
        for name, end in zip((one, other), ends, strict=True):
            if not (await sight.walk({end: 1.0}, hops=1, limit=1)).links:
                raise NotFound(f"{scope.agent!r} remembers nothing of {name!r}")
        way = await shortest(sight.index, sight.where(), *ends)
        if way is None:
            return None
        memories = await sight.states(way.memory_ids)
        entities = await self.journal.ledger.get(scope.tenant, way.entities)
        names = names_in_sight(memories.values())
        names |= {key: node.value for key, node in entities.items() if node.value and scope.target is None}
        names |= {way.entities[0]: one, way.entities[-1]: other}
        told = tuple(names.get(entity, entity) for entity in way.entities)
        return Trail(told, tuple(memories[key] for key in way.memory_ids if key in memories))

    @needs(Grant.READ, of="scope")
    async def drawn(
        self,
        scope: Scope,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        most: int | None = None,
    ) -> Drawing:
        """All that an agent holds to be true and that links entities: now, or as true at `as_of` and known at
        `known_at`. Names, and which of them are one, are today's. Raises `InvalidInput` for more than `most` edges."""
        now = self.clock.now()
        entities = await self._all(scope, (MemoryType.ENTITY,))
        wanted = Selection(scope, limit=PAGE, as_of=as_of, known_at=known_at)
        memories: list[MemoryNode] = []
        edges = 0
        async for node in every(self.journal.ledger, wanted):
            if node.entity_ids and node.modality in TOLD and node.is_shown(now, as_of=as_of, known_at=known_at):
                memories.append(node)
                edges += len(node.entity_ids) - 1
            if most is not None and edges > most:
                raise InvalidInput(f"the graph has more than {most:,} edges: too many to be drawn at once")
        return await asyncio.to_thread(drawing, entities, memories)

    @needs(Grant.READ, of="scope")
    async def neighbourhood(
        self,
        scope: Scope,
        name: str,
        *,
        hops: int,
        limit: int = MAX_WALKED,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Drawing:
        """What of that lies up to `hops` links from whatever is called so, over at most `limit` memories, the nearest
        ones; costs those, whatever else is stored. Raises `NotFound`, and `InvalidInput` for a depth that is none."""
        sight = await self._sight(scope, name, hops, as_of, known_at)
        where, told = sight.where(), Compare("modality", "in", tuple(each.value for each in TOLD))
        where = replace(where, filter=told if where.filter is None else AllOf((where.filter, told)))
        middle = {named(scope.tenant, scope.agent, name): 1.0}
        found = await walk(sight.index, where, middle, hops=hops, limit=limit)
        states = await sight.states([link.memory_id for link in found.links])
        held = [node for node in states.values() if node.modality in TOLD]
        whole = scope.target is None  # what an entity is called in all is known from everybody
        ids = {entity for node in held for entity in node.entity_ids} if whole else set[str]()
        entities = await load(self.journal.ledger, scope.tenant, ids)
        drawn = replace(drawing(entities.values(), held), more=found.more)
        part = near(drawn, name, hops)
        if not part.vertices and not part.more:
            raise NotFound(f"{scope.agent!r} remembers nothing of {name!r}")
        return part

    @needs(Grant.READ, of="agent_id")
    async def communities(self, agent_id: str) -> list[Community]:
        """Who and what belong together in all of an agent's memories, those with most members first."""
        tenant = self.access.principal.tenant
        lane, ledger = graph_lane(tenant, agent_id), self.journal.ledger
        wanted = Selection(lane.scope, (MemoryType.COMMUNITY,), (StoreStatus.VALID,), limit=PAGE)
        nodes = await selected(ledger, wanted)
        names = Names()
        names.learn((await load(ledger, tenant, {key for node in nodes for key in node.entity_ids})).values())
        order = sorted(nodes, key=lambda node: (-len(node.entity_ids), node.memory_id))
        return [Community(node, tuple(filter(None, map(names.names.get, node.entity_ids)))) for node in order]

    @needs(Grant.ADMIN, of="agent_id")
    async def rebuild(self, agent_id: str) -> None:
        """Have the workers group everything anew."""
        cause = f"hand/{self.clock.now().isoformat()}"
        head = await self.journal.ledger.head()
        await self.journal.queue.enqueue([grouping_anew(self.access.principal.tenant, agent_id, cause, ordinal=head)])

    @needs(Grant.READ, of="scope")
    async def entities(self, scope: Scope) -> tuple[Entity, ...]:
        """Whom and what an agent's memories are about, the most often mentioned first. The scope is a whole agent: whom
        somebody else talks of is no part of what is known about one person."""
        _whole_agent(scope)
        found = await self._all(Scope(scope.tenant, scope.agent), (MemoryType.ENTITY,))
        held = (node for node in found if node.store_status is StoreStatus.VALID)
        return tuple(sorted(map(entity_of, held), key=lambda each: (-each.mentions, each.name, each.id)))

    @needs(Grant.READ, of="scope")
    async def edges(
        self, scope: Scope, question: str, *, wanted: Filter | None = None, asker: str | None = None
    ) -> list[MemoryTriple]:
        """Triples that bear on a question, the best first; see `EdgeSearch.find`."""
        return await self._edges.find(scope, question, wanted=wanted, asker=asker)

    @needs(Grant.READ, of="scope")
    async def edges_of(self, scope: Scope, memories: Sequence[MemoryNode]) -> list[MemoryTriple]:
        """The triples that these memories are, named as the scope may know them."""
        return await self._edges.of(scope, self.access.visible(Grant.READ, memories))

    @needs(Grant.ADMIN, of="scope")
    async def merge(self, scope: Scope, one: str, other: str) -> Settled:
        """Take the entity `other` into `one`, as a run that `undo` takes back. Raises `NotFound` for a name that no
        memory mentions, and `InvalidInput` where both are one already."""
        _whole_agent(scope)
        return await self._settled(self._hand.merge(scope, one, other))

    @needs(Grant.ADMIN, of="scope")
    async def split(self, scope: Scope, name: str) -> Settled:
        """Let a name that was merged into another entity stand for its own again; nothing merges them by itself any
        more. Raises `NotFound`, and `InvalidInput` for a name that was not merged."""
        _whole_agent(scope)
        return await self._settled(self._hand.split(scope, name))

    @property
    def _held(self) -> Opened:
        if self.opened is None:
            raise BackendUnavailable("this process does not hold the index")
        return self.opened

    @property
    def _edges(self) -> EdgeSearch:
        gather = self._held.recall.gather
        return EdgeSearch(gather.index, gather.embedder, gather.projector, gather.journal.ledger, gather.now)

    @property
    def _hand(self) -> Hand:
        gather = self._held.recall.gather
        return Hand(gather.journal.ledger, gather.now)

    async def _settled(self, work: Awaitable[Settled]) -> Settled:
        settled = await work
        await self._held.projector.catch_up()
        return settled

    async def _sight(
        self,
        scope: Scope,
        text: str,
        depth: int = 1,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> VisibleMemory:
        query = AskQuery(scope, text, as_of=as_of, known_at=known_at, depth=depth)
        sight = VisibleMemory(self._held.recall.gather, self._held.recall, query, facts=True)
        await sight.refresh()
        return sight

    async def _all(self, scope: Scope, types: tuple[MemoryType, ...]) -> list[MemoryNode]:
        return await selected(self.journal.ledger, Selection(scope, types=types, limit=PAGE))


async def selected(ledger: Ledger, wanted: Selection) -> list[MemoryNode]:
    """All memories that are wanted, newest first."""
    return [node async for node in every(ledger, wanted)]


def entity_of(node: MemoryNode) -> Entity:
    """An entity as callers see it."""
    aliases = tuple(name for name in node.key if name != node.value)
    return Entity(node.memory_id, str(node.value), aliases, str(node.kind), mentions(node.meta_data), node.content)


def _whole_agent(scope: Scope) -> None:
    if scope.target is not None or scope.run is not None:
        raise InvalidInput("entities belong to an agent as a whole, not to one person or conversation")
