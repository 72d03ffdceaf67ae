"""Items of a program's sessions: given back as they were, in this process or over HTTP; what is said in them is
remembered.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast
from uuid import uuid4

from agentmem.domain.bounds import MAX_DOCUMENT, check_json
from agentmem.domain.change import Change
from agentmem.domain.episode import turn_id
from agentmem.domain.event import keyed_event_id
from agentmem.domain.item import TURN, session_item
from agentmem.domain.memory import MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.domain.scope import Lane, Scope
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.call_scope import DEFAULT_AGENT, CallScope
from agentmem.interfaces.python.messages import Message, says_something
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.entrance import entrance

PAGE: Final = 200


@entrance
async def session_items(
    memory: AsyncMemory, session_id: str, user_id: str, agent_id: str = DEFAULT_AGENT, limit: int | None = None
) -> list[dict[str, Any]]:
    """All items of a session, or the last `limit`, oldest first."""
    held = await _Session(memory, session_id, user_id, agent_id).held(limit)
    return [_read(node) for node in reversed(held)]


@entrance
async def add_session_items(
    memory: AsyncMemory,
    session_id: str,
    user_id: str,
    items: Sequence[Mapping[str, Any]],
    agent_id: str = DEFAULT_AGENT,
) -> None:
    """Keep the items; what the person and the agent say in them is remembered by and by."""
    check_json("items", items, MAX_DOCUMENT)
    if items:
        await _Session(memory, session_id, user_id, agent_id).keep(items)


@entrance
async def pop_session_item(
    memory: AsyncMemory, session_id: str, user_id: str, agent_id: str = DEFAULT_AGENT
) -> dict[str, Any] | None:
    """Take the last item of a session back; what was remembered of it alone is forgotten."""
    return await _Session(memory, session_id, user_id, agent_id).popped()


@entrance
async def clear_session(memory: AsyncMemory, session_id: str, user_id: str, agent_id: str = DEFAULT_AGENT) -> None:
    """Drop all items of a session; what was remembered stays."""
    session = _Session(memory, session_id, user_id, agent_id)
    await session.drop(await session.held(None))


@dataclass(frozen=True, slots=True)
class _Session:
    """One conversation of an agent with one person."""

    memory: AsyncMemory
    session_id: str
    user: str
    agent: str

    def __post_init__(self) -> None:
        CallScope.of(self.user, self.agent, self.session_id)

    @property
    def lane(self) -> Lane:
        """Where what is said in it is queued. Its agent need not be there."""
        return CallScope(self.agent, self.user, self.session_id).lane(self.memory.app.tenant)

    async def keep(self, items: Sequence[Mapping[str, Any]]) -> None:
        """Say what is said in them, and keep all of them."""
        editing, clock = self.memory.app.editing, self.memory.app.clock
        persona, key = await self.memory.persona(self.agent), f"session/{uuid4()}"
        said = [cast("Message", item) for item in items if says_something(item)]
        turns = {id(message): f"{key}/{place}" for place, message in enumerate(said)}
        nodes = [
            session_item(
                self.lane,
                (persona.name, self.user),
                self.session_id,
                json.dumps(item, ensure_ascii=False),
                turn=turns.get(id(item)),
                timestamp=await editing.stamp(),
                now=clock.now(),
            )
            for item in items
        ]
        if said:
            await self.memory.add(
                said, user_id=self.user, agent_id=self.agent, run_id=self.session_id, key=key, wait=False
            )
        changes = [Change(act="add", after=node) for node in nodes]
        await editing.write([], lambda _: changes, cause="session")

    async def popped(self) -> dict[str, Any] | None:
        """The last item, which goes."""
        last = await self.held(1)
        if not last:
            return None
        await self.drop(last)
        turn = last[0].meta_data.get(TURN)
        if isinstance(turn, str):
            app, lane = self.memory.app, self.lane
            await app.editing.read(lane)
            sources = [turn_id(lane.tenant, self.agent, each) for each in (keyed_event_id(self.user, turn), turn)]
            held = await app.records.get(sources)
            source = next((each for each in sources if each in held), sources[0])
            await app.forget(Meant(Scope(lane.tenant, self.agent, app.access.own_target(self.agent)), source=source))
        return _read(last[0])

    async def drop(self, nodes: Sequence[MemoryNode]) -> None:
        """Have these items forgotten."""

        def planned(held: Mapping[str, MemoryNode]) -> list[Change]:
            return [
                Change(act="forget", before=node, after=node.forgotten())
                for node in held.values()
                if node.store_status is not StoreStatus.DELETED
            ]

        await self.memory.app.editing.write([node.memory_id for node in nodes], planned, cause="session")

    async def held(self, limit: int | None) -> list[MemoryNode]:
        """The items, newest first, at most `limit`."""
        lane = self.lane
        scope = Scope(lane.tenant, lane.agent, lane.target, self.session_id)
        found: list[MemoryNode] = []
        after: tuple[int, str] | None = None
        while limit is None or len(found) < limit:
            layer, record = (MemoryType.LONGTERM,), RecordType.SESSION_ITEM
            nodes = await self.memory.app.memories(Selection(scope, layer, (), after, PAGE, record=record))
            found += nodes
            if len(nodes) < PAGE:
                break
            after = (nodes[-1].timestamp, nodes[-1].memory_id)
        return found[:limit]


def _read(node: MemoryNode) -> dict[str, Any]:
    item: dict[str, Any] = json.loads(node.content)
    return item
