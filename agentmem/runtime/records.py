"""Agents and single memories by id, as far as the principal may see them; the rest is not there."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from agentmem.domain.access import Grant
from agentmem.domain.change import LedgerEntry
from agentmem.domain.memory import MemoryNode, StoreStatus
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
    async def get(
        self, memory_ids: Collection[str], *, known_at: datetime | None = None, forgotten: bool = False
    ) -> dict[str, MemoryNode]:
        """Memories by id, as `Ledger.get` answers them; those that are not there or not to be seen are left out. Only
        the owner sees `forgotten` ones."""
        shown = forgotten and self.access.principal.operator
        tenant = self.access.principal.tenant
        found = await self.journal.ledger.get(tenant, memory_ids, known_at=known_at, forgotten=shown)
        return {node.memory_id: node for node in self.access.visible(Grant.READ, found.values())}

    @shows_its_own(Grant.READ)
    async def beginning(
        self, start: str, *, known_at: datetime | None = None, forgotten: bool = False
    ) -> list[MemoryNode]:
        """The memories whose ids begin so. Only the owner sees `forgotten` ones."""
        statuses = tuple(StoreStatus) if forgotten and self.access.principal.operator and known_at is None else ()
        found: list[MemoryNode] = []
        for persona in await self.agents():
            own = self.access.own_target(persona.id)
            scope = Scope(self.access.principal.tenant, persona.id, own)
            if self.access.may(Grant.READ, scope):
                nodes = await self._all(Selection(scope, statuses=statuses, limit=PAGE, known_at=known_at))
                found += (node for node in nodes if node.memory_id.startswith(start))
        return self.access.visible(Grant.READ, found)

    @needs(Grant.READ, of="scope")
    async def all_in(self, scope: Scope, *, known_at: datetime | None = None) -> list[MemoryNode]:
        """All memories in scope, newest first."""
        return await self._all(Selection(scope, limit=PAGE, known_at=known_at))

    @shows_its_own(Grant.READ)
    async def history(self, memory_id: str) -> list[LedgerEntry]:
        """The changes of one memory, oldest first; empty where it is not there or not to be seen. What is forgotten is
        told to the owner alone."""
        tenant = self.access.principal.tenant
        entries = await self.journal.ledger.history(tenant, memory_id)
        if not self.access.sees(Grant.READ, entries):
            return []
        return entries if self.access.principal.operator else _told(entries)

    async def _all(self, selection: Selection) -> list[MemoryNode]:
        found: list[MemoryNode] = []
        while page := await self.journal.ledger.select(selection):
            found += page
            selection = replace(selection, after=(page[-1].timestamp, page[-1].memory_id))
        return found


def _told(entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """A history without what is forgotten: nothing of a memory that is, and of one that something was taken out of
    only what came after that."""
    last = entries[-1].change.after if entries else None
    if last is None or last.is_forgotten:
        return []
    told: list[LedgerEntry] = []
    for entry in entries:
        if entry.change.act == "forget":
            told = [entry.revised(change=entry.change.revised(before=None))]
        else:
            told.append(entry)
    return told
