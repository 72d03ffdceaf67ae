"""Conversations read while the caller waits, and memories one by one: looked at, corrected by hand, written."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.memory import MemoryNode, microseconds
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane
from agentmem.domain.value import JsonValue
from agentmem.errors import Conflict, InvalidInput, NotFound
from agentmem.memory.edit import edited
from agentmem.ports.event_log import Sequenced
from agentmem.ports.ledger import Commit
from agentmem.runtime.reading import Read, Reader
from agentmem.runtime.speech import Talk, Utterance
from agentmem.runtime.worker import Services

Planned = Callable[[Mapping[str, MemoryNode]], Sequence[Change]]
"""From memories as they are to what is to become of them."""

TRIES = 5
"""So often a change is planned anew because somebody else changed the same memory first."""


@dataclass(frozen=True, slots=True)
class Records:
    """The memories of one tenant."""

    tenant: str
    services: Services
    reader: Reader
    projected: Callable[[], Awaitable[None]]
    """Brings the index up to date, where there is one."""

    async def agent(self, agent_id: str) -> Persona | None:
        """The persona of an agent that was introduced."""
        return await self.services.journal.registry.agent(self.tenant, agent_id)

    async def take_in(self, talk: Talk, said: Sequence[Utterance]) -> list[Sequenced]:
        """Have turns made durable; those that were not there before. They are read later. Raises `InvalidInput`."""
        return await self.reader.take_in(talk, said)

    async def read(self, talk: Talk, said: Sequence[Utterance]) -> Read:
        """Take turns in and read them now; see `Reader.read`. Raises `InvalidInput`."""
        return await self.reader.read(talk, said)

    async def close(self, lane: Lane) -> None:
        """Have what was said in a lane read at the next `drain`, without waiting for more."""
        await self.reader.close(lane)

    async def get(self, memory_ids: Collection[str]) -> dict[str, MemoryNode]:
        """The memories by id, whatever became of them; unknown ids are left out."""
        return await self.services.journal.ledger.get(self.tenant, memory_ids)

    async def history(self, memory_id: str) -> list[LedgerEntry]:
        """Every change of a memory, oldest first; none where there is none."""
        return await self.services.journal.ledger.history(self.tenant, memory_id)

    async def edit(self, memory_id: str, text: str, meta: Mapping[str, JsonValue] | None = None) -> MemoryNode:
        """Give a memory other words by hand, and more metadata where given. Raises `NotFound`, and `InvalidInput` for
        one that does not hold any more."""

        def plan(held: Mapping[str, MemoryNode]) -> list[Change]:
            node = held.get(memory_id)
            if node is None:
                raise NotFound(f"no memory {memory_id!r}")
            if not node.is_valid(self.services.clock.now()):
                raise InvalidInput(f"memory {memory_id} does not hold any more, so it cannot be changed")
            return [Change(act="refresh", before=node, after=edited(node, text, meta), reason="corrected by hand")]

        (change,) = await self.write([memory_id], plan, cause="edit")
        assert change.after is not None
        return change.after

    async def write(self, memory_ids: Collection[str], planned: Planned, *, cause: str) -> Sequence[Change]:
        """Change these memories, or make them, as one run that `undo` takes back; `planned` is asked again where
        somebody else wrote first. Raises `Conflict` where that goes on."""
        ledger = self.services.journal.ledger
        tried = 0
        while changes := tuple(planned(await self.get(memory_ids))):
            tried += 1
            try:
                await ledger.commit(
                    Commit(self.tenant, f"{cause}/{uuid4()}", cause, self.services.clock.now(), changes)
                )
            except Conflict:
                if tried == TRIES:
                    raise
            else:
                await self.projected()
                break
        return changes

    def stamp(self) -> int:
        """The timestamp of a new memory."""
        return self.services.timestamps.next(microseconds(self.services.clock.now()))
