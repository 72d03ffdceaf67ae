"""`memory.graph`: what is remembered as triples, in the words that users of Mem0's graph know.

There is no second store: a triple is a memory that relates two things or fills a slot of somebody, so what is added,
found and ended here is what is added, found and ended there.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, Self, TypeVar
from uuid import uuid4

from agentmem.domain.change import Change
from agentmem.domain.entity import graph_lane
from agentmem.domain.filter import Compare, Filter, holds
from agentmem.domain.memory import MemoryNode, Trust
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.errors import AgentMemError, InvalidInput
from agentmem.graph.edge_search import MemoryTriple
from agentmem.interfaces.python.call_scope import CallScope, of_layers
from agentmem.interfaces.python.messages import Messages, Timestamp, utterances
from agentmem.interfaces.python.results import Item, Results, is_held
from agentmem.interfaces.python.shared import operation
from agentmem.ledger.listing import ALL
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App

R = TypeVar("R")

MAX_TRIPLES: Final = 1_000


@dataclass(frozen=True)
class Triple(Item):
    """One thing said: `source` is `relationship` to `destination`. `memory_id` names the memory that says it, `trust`
    tells whether whom it is about said so, or the agent (`principal`), or somebody else (`untrusted`)."""

    source: str
    relationship: str
    destination: str
    memory_id: str = field(repr=False)
    trust: Trust = field(repr=False, default=Trust.PRINCIPAL)

    def __str__(self) -> str:
        return f"{self.source} {self.relationship} {self.destination}"


@dataclass(frozen=True)
class GraphAdded(Item):
    """What became of triples by what was added. `errors`: what did not reach the graph, and why; the memories are kept
    all the same. `waits`: not all of it was read yet."""

    deleted_entities: tuple[Triple, ...]
    added_entities: tuple[Triple, ...]
    errors: tuple[str, ...] = ()
    waits: bool = False


class TripleSource(Protocol):
    """What a graph needs of the memory it belongs to: its methods, as `AsyncMemory` has them."""

    @property
    def app(self) -> App: ...

    def run(self, call: Callable[[Any], Coroutine[Any, Any, R]]) -> Coroutine[Any, Any, R]: ...

    def persona(self, agent_id: str, words: str = "") -> Coroutine[Any, Any, Persona]: ...

    def flush(self) -> Coroutine[Any, Any, None]: ...


class Graph:
    """The triples of one memory."""

    def __init__(self, memory: TripleSource) -> None:
        self._memory = memory

    async def run(self, call: Callable[[Self], Coroutine[Any, Any, R]]) -> R:
        """What a coroutine of this graph gives, run on the loop of its memory."""
        return await self._memory.run(lambda _: call(self))

    @operation
    async def add(
        self,
        messages: Messages,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, object] | None = None,
        timestamp: Timestamp | None = None,
        key: str | None = None,
    ) -> GraphAdded:
        """Take in what was said, as `Memory.add` does, and tell which triples are new and which ended by it: those that
        are outdated or contradicted. Raises `InvalidInput`."""
        memory, whom = self._memory, CallScope.of(user_id, agent_id, run_id)
        said = utterances(messages, key=key or f"add/{uuid4()}", timestamp=timestamp, metadata=metadata)
        await memory.persona(whom.agent, said[0].text)
        run = whom.conversation(key, said[0].at or memory.app.clock.now())
        read = await memory.app.add(whom.agent, whom.person_in(said), said, run_id=run)
        tenant = memory.app.tenant
        scope, wanted = whom.scope(tenant), whom.told(tenant)
        shown = [each for each in read.changes if wanted is None or _passes(each, wanted)]
        try:
            gone = await self._told(scope, (each.before for each in shown if _ended(each)))
            new = await self._told(scope, (each.after for each in shown if _began(each)))
        except AgentMemError as error:
            return GraphAdded((), (), (f"{type(error).__name__}: {error}",), read.waits)
        return GraphAdded(gone, new, await self._waiting(scope), read.waits)

    @operation
    async def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = 5,
    ) -> Results[Triple]:
        """The triples that bear on a question, at most `limit`, best first: around whom and what it names, else around
        the person it is asked about. With a `user_id`: what he told of himself and of others, under the names that he
        uses; of whom others speak, and what they say of him, is not told. Raises `InvalidInput`."""
        _check(limit)
        if not query.strip():
            raise InvalidInput("a search needs a question, this one is empty")
        whom = CallScope.of(user_id, agent_id, run_id)
        tenant = self._memory.app.tenant
        asker = whom.scope(tenant).target
        wanted = whom.filter(whom.told(tenant))
        edges = await self._memory.app.graph.edges(Scope(tenant, whom.agent), query, wanted=wanted, asker=asker)
        return Results(_distinct(edges)[:limit])

    @operation
    async def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = 100,
    ) -> Results[Triple]:
        """The triples that hold, newest first, at most `limit`; with several ids, those of all of them. With a
        `user_id` without what others say of him. Raises `InvalidInput`."""
        _check(limit)
        whom = CallScope.of(user_id, agent_id, run_id)
        tenant = self._memory.app.tenant
        scope, wanted = whom.scope(tenant), whom.filter(of_layers(None), whom.told(tenant))
        page = await self._memory.app.memories(Selection(scope, limit=ALL), valid=True, wanted=wanted)
        return Results((await self._told(scope, page.memories))[:limit])

    @operation
    async def delete_all(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> int:
        """End every triple known of this person, by this agent, from this conversation: of all ids that are given, and
        of nobody else; how many ended. The words that say them are blotted out, and `memory.app.undo` takes it
        back. Raises `InvalidInput`."""
        whom = CallScope.of(user_id, agent_id, run_id)
        memory = self._memory
        await memory.flush()
        scope = whom.scope(memory.app.tenant)
        wanted = Compare("runId", "eq", whom.run) if whom.run is not None else None
        page = await memory.app.memories(Selection(scope, limit=ALL), valid=True, wanted=wanted)
        edges = await memory.app.graph.edges_of(scope, page.memories)
        ids = tuple(edge.memory.memory_id for edge in edges)
        if not ids:
            return 0
        gone = (await memory.app.forget(Meant(Scope(scope.tenant, scope.agent), ids=ids))).gone
        return sum(node.memory_id in ids for node in gone)

    async def _told(self, scope: Scope, memories: Iterable[MemoryNode | None]) -> tuple[Triple, ...]:
        held = [node for node in memories if node is not None]
        return _distinct(await self._memory.app.graph.edges_of(scope, held))

    async def _waiting(self, scope: Scope) -> tuple[str, ...]:
        """What of the agent's graph could not be brought up to date."""
        depth = await self._memory.app.upkeep.depth_of(graph_lane(scope.tenant, scope.agent).scope)
        late = depth.ready + depth.delayed + depth.leased
        told = [f"{late} changes wait to reach the entities"] if late else []
        told += [f"{depth.dead} changes were given up, see `agentmem dead list`"] if depth.dead else []
        return tuple(told)


def _distinct(edges: Sequence[MemoryTriple]) -> tuple[Triple, ...]:
    """Each triple once, whichever memories say it: as one does that is trusted, if any is."""
    told: dict[tuple[str, str, str], Triple] = {}
    for edge in edges:
        parts = edge.source, edge.relationship, edge.destination
        triple = Triple(*parts, edge.memory.memory_id, edge.memory.trust)
        if parts not in told or (told[parts].trust is Trust.UNTRUSTED and triple.trust is not Trust.UNTRUSTED):
            told[parts] = triple
    return tuple(told.values())


def _began(change: Change) -> bool:
    return is_held(change.after) and not is_held(change.before)


def _ended(change: Change) -> bool:
    return is_held(change.before) and not is_held(change.after)


def _passes(change: Change, wanted: Filter) -> bool:
    return all(holds(wanted, node) for node in (change.before, change.after) if node is not None)


def _check(limit: int) -> None:
    if not 1 <= limit <= MAX_TRIPLES:
        raise InvalidInput(f"limit is {limit}, allowed: 1 to {MAX_TRIPLES}")
