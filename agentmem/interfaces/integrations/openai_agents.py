"""A session for the OpenAI Agents SDK: it gives back every item as it was, and what is said in it is remembered.

    async with AsyncMemory() as memory:
        await Runner.run(agent, "Hello!", session=MemorySession(memory, "thread-1", user_id="Tom"))

The items last as long as the session; what was remembered stays when it is cleared.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import uuid4

from agentmem.domain.bounds import MAX_DOCUMENT, check_json
from agentmem.domain.change import Change
from agentmem.domain.episode import turn_id
from agentmem.domain.event import Person, keyed_event_id
from agentmem.domain.item import TURN, session_item
from agentmem.domain.memory import MemoryNode, MemoryType, RecordType, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.interfaces.integrations.home import AnyMemory, asynchronous
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.interfaces.python.call_scope import DEFAULT_AGENT, CallScope
from agentmem.interfaces.python.messages import Message, says_something
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.entrance import entrance
from agentmem.runtime.facade.speech import ConversationKey

try:
    from agents.items import TResponseInputItem
    from agents.memory import SessionSettings
    from agents.memory.session_settings import resolve_session_limit
except ImportError as error:
    raise ImportError('the OpenAI Agents session needs: pip install "agentmem-framework[openai-agents]"') from error

PAGE = 200


class MemorySession:
    """A `Session` over a memory that is open: one conversation of an agent with one person."""

    session_settings: SessionSettings | None = None

    def __init__(self, memory: AnyMemory, session_id: str, *, user_id: str, agent_id: str = DEFAULT_AGENT) -> None:
        CallScope.of(user_id, agent_id, session_id)
        self.session_id = session_id
        self._memory = asynchronous(memory)
        self._user, self._agent = user_id, agent_id

    @entrance
    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """All items, or the last `limit`, oldest first."""
        most = resolve_session_limit(limit, self.session_settings)
        held = await self._memory.run(lambda memory: self._held(memory, most))
        return [_read(node) for node in reversed(held)]

    @entrance
    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Keep the items; what the person and the agent say in them is remembered by and by."""
        check_json("items", items, MAX_DOCUMENT)
        if items:
            await self._memory.run(lambda memory: self._kept(memory, items))

    @entrance
    async def pop_item(self) -> TResponseInputItem | None:
        """Take the last item back; what was remembered of it alone is forgotten."""
        return await self._memory.run(self._popped)

    @entrance
    async def clear_session(self) -> None:
        """Drop all items of the session."""

        async def cleared(memory: AsyncMemory) -> None:
            await self._drop(memory, await self._held(memory, None))

        await self._memory.run(cleared)

    async def _kept(self, memory: AsyncMemory, items: Sequence[TResponseInputItem]) -> None:
        editing, clock = memory.app.editing, memory.app.clock
        talk, key = await self._talk(memory), f"session/{uuid4()}"
        said = [cast("Message", item) for item in items if says_something(cast("Mapping[str, object]", item))]
        turns = {id(message): f"{key}/{place}" for place, message in enumerate(said)}
        nodes = [
            session_item(
                talk.lane,
                (talk.persona.name, self._user),
                self.session_id,
                json.dumps(item, ensure_ascii=False),
                turn=turns.get(id(item)),
                timestamp=await editing.stamp(),
                now=clock.now(),
            )
            for item in items
        ]
        if said:
            await memory.add(
                said, user_id=self._user, agent_id=self._agent, run_id=self.session_id, key=key, wait=False
            )
        changes = [Change(act="add", after=node) for node in nodes]
        await editing.write([], lambda _: changes, cause="session")

    async def _popped(self, memory: AsyncMemory) -> TResponseInputItem | None:
        last = await self._held(memory, 1)
        if not last:
            return None
        await self._drop(memory, last)
        turn = last[0].meta_data.get(TURN)
        if isinstance(turn, str):
            talk = await self._talk(memory)
            await memory.app.editing.read(talk.lane)
            sources = [turn_id(talk.tenant, self._agent, each) for each in (keyed_event_id(self._user, turn), turn)]
            held = await memory.app.records.get(sources)
            source = next((each for each in sources if each in held), sources[0])
            await memory.app.forget(Meant(Scope(talk.tenant, self._agent), source=source))
        return _read(last[0])

    async def _drop(self, memory: AsyncMemory, nodes: Sequence[MemoryNode]) -> None:
        def planned(held: Mapping[str, MemoryNode]) -> list[Change]:
            return [
                Change(act="forget", before=node, after=node.forgotten())
                for node in held.values()
                if node.store_status is not StoreStatus.DELETED
            ]

        await memory.app.editing.write([node.memory_id for node in nodes], planned, cause="session")

    async def _held(self, memory: AsyncMemory, limit: int | None) -> list[MemoryNode]:
        """The items, newest first, at most `limit`."""
        lane = (await self._talk(memory)).lane
        scope = Scope(lane.tenant, lane.agent, lane.target, self.session_id)
        found: list[MemoryNode] = []
        after: tuple[int, str] | None = None
        while limit is None or len(found) < limit:
            chosen = Selection(scope, (MemoryType.LONGTERM,), (StoreStatus.EXPIRED,), after, PAGE)
            nodes = await memory.app.memories(chosen)
            found += (node for node in nodes if node.record is RecordType.SESSION_ITEM)
            if len(nodes) < PAGE:
                break
            after = (nodes[-1].timestamp, nodes[-1].memory_id)
        return found[:limit]

    async def _talk(self, memory: AsyncMemory) -> ConversationKey:
        persona = await memory.persona(self._agent)
        return ConversationKey(memory.app.settings.tenant, persona, Person(name=self._user), self.session_id)


def _read(node: MemoryNode) -> TResponseInputItem:
    item: Any = json.loads(node.content)
    return item
