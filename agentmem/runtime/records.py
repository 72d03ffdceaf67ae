"""Agents and single memories by id, as far as the principal may see them; the rest is not there."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.access import Grant
from agentmem.domain.change import LedgerEntry
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.errors import NotFound
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Selection
from agentmem.runtime.access import Access, needs, shows_its_own

PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Records:
    """Look-ups in the journal of the principal's tenant."""

    access: Access
    journal: Journal

    @shows_its_own()
    async def agents(self) -> list[Persona]:
        """The agents of which the principal may do anything, by id."""
        there = await self.journal.registry.agents(self.access.principal.tenant)
        return [persona for persona in there if self.access.knows(persona.id)]

    @shows_its_own()
    async def agent(self, agent_id: str) -> Persona:
        """One of them. Raises `NotFound`."""
        found = await self.journal.registry.agent(self.access.principal.tenant, agent_id)
        if found is None or not self.access.knows(agent_id):
            raise NotFound(f"no agent {agent_id!r}")
        return found

    @shows_its_own(Grant.READ)
    async def get(self, memory_ids: Collection[str], *, known_at: datetime | None = None) -> dict[str, MemoryNode]:
        """Memories by id, as `Ledger.get` answers them; those that are not there or not to be seen are left out."""
        found = await self.journal.ledger.get(self.access.principal.tenant, memory_ids, known_at=known_at)
        return {node.memory_id: node for node in self.access.visible(Grant.READ, found.values())}

    @shows_its_own(Grant.READ)
    async def beginning(self, start: str, *, known_at: datetime | None = None) -> list[MemoryNode]:
        """The memories whose ids begin so."""
        found: list[MemoryNode] = []
        for persona in await self.agents():
            own = self.access.own_target(persona.id)
            scope = Scope(self.access.principal.tenant, persona.id, own)
            if self.access.may(Grant.READ, scope):
                nodes = await self.all_in(scope, known_at=known_at)
                found += (node for node in nodes if node.memory_id.startswith(start))
        return self.access.visible(Grant.READ, found)

    @needs(Grant.READ, of="scope")
    async def all_in(self, scope: Scope, *, known_at: datetime | None = None) -> list[MemoryNode]:
        """All memories in scope, newest first."""
        found: list[MemoryNode] = []
        after: tuple[int, str] | None = None
        while page := await self.journal.ledger.select(Selection(scope, after=after, limit=PAGE, known_at=known_at)):
            found += page
            after = (page[-1].timestamp, page[-1].memory_id)
        return found

    @shows_its_own(Grant.READ)
    async def history(self, memory_id: str) -> list[LedgerEntry]:
        """The changes of one memory, oldest first; empty where it is not there or not to be seen."""
        entries = await self.journal.ledger.history(self.access.principal.tenant, memory_id)
        return entries if self.access.sees(Grant.READ, entries) else []
