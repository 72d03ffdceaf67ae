"""A session for the OpenAI Agents SDK: it gives back every item as it was, and what is said in it is remembered.

    async with AsyncMemory() as memory:
        await Runner.run(agent, "Hello!", session=MemorySession(memory, "thread-1", user_id="Tom"))

The items last as long as the session; what was remembered stays when it is cleared.
"""

from typing import Any

from agentmem.interfaces.integrations.home import AnyMemory, checked, kept
from agentmem.interfaces.python.call_scope import DEFAULT_AGENT, CallScope
from agentmem.runtime.facade.entrance import entrance

try:
    from agents.items import TResponseInputItem
    from agents.memory import SessionSettings
    from agents.memory.session_settings import resolve_session_limit
except ImportError:
    raise ImportError('the OpenAI Agents session needs: pip install "agentmem-framework[openai-agents]"') from None


class MemorySession:
    """A `Session` over a memory, of this process or, as a `Client` or an `AsyncClient`, of a server: one conversation
    of an agent with one person."""

    session_settings: SessionSettings | None = None

    def __init__(self, memory: AnyMemory, session_id: str, *, user_id: str, agent_id: str = DEFAULT_AGENT) -> None:
        CallScope.of(user_id, agent_id, session_id)
        self.session_id = session_id
        self._memory = checked(memory)
        self._whose = {"session_id": session_id, "user_id": user_id, "agent_id": agent_id}

    @entrance
    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """All items, or the last `limit`, oldest first."""
        most = resolve_session_limit(limit, self.session_settings)
        return await self._asked("session_items", limit=most)

    @entrance
    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Keep the items; what the person and the agent say in them is remembered by and by."""
        if items:
            await self._asked("add_session_items", items=items)

    @entrance
    async def pop_item(self) -> TResponseInputItem | None:
        """Take the last item back; what was remembered of it alone is forgotten."""
        return await self._asked("pop_session_item")

    @entrance
    async def clear_session(self) -> None:
        """Drop all items of the session."""
        await self._asked("clear_session")

    async def _asked(self, operation: str, **given: object) -> Any:
        return await kept(self._memory, operation, **self._whose, **given)
