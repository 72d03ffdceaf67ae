"""`app.copies`: agents made of other agents, and given back."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from agentmem.agents.copying.hire import Hired, Prospect, Wish, foresee, hire, release
from agentmem.domain.lineage import Lineage
from agentmem.domain.scope import Scope
from agentmem.ledger.projection import Projector
from agentmem.ports.clock import Clock
from agentmem.ports.journal import Journal
from agentmem.ports.memory_index import MemoryIndex


class Searchable(Protocol):
    """An index with what keeps it up to date."""

    @property
    def index(self) -> MemoryIndex: ...

    @property
    def projector(self) -> Projector: ...


@dataclass(frozen=True, slots=True)
class Copies:
    """Makes agents of others. `drain` reads what waits; without an index, whoever holds it brings it up to date."""

    journal: Journal
    clock: Clock
    drain: Callable[[], Awaitable[None]]
    opened: Searchable | None

    async def hire(
        self, agent_id: str, new_id: str, *, tenant: str, from_tenant: str, name: str | None = None
    ) -> Hired:
        """Hire agent `agent_id` of `from_tenant` for `tenant`, as `new_id` there: with what the contract of its persona
        lets go, see `HirePolicy`. It appears when it is complete; hired before, it stays as it is. Raises `NotFound`,
        `InvalidInput` where both tenants are one, and `Conflict` for an id that is taken, or was released."""
        wish = await self._wish(agent_id, new_id, tenant, from_tenant, name)
        hired = await hire(self.journal, wish, now=self.clock.now())
        if self.opened is not None:
            await self.opened.projector.catch_up()
        return hired

    async def foresee_hire(
        self, agent_id: str, new_id: str, *, tenant: str, from_tenant: str, name: str | None = None
    ) -> Prospect:
        """What that hire would come to, and what stays and why; nothing is made."""
        wish = await self._wish(agent_id, new_id, tenant, from_tenant, name)
        return await foresee(self.journal, wish, now=self.clock.now())

    async def release(self, agent_id: str, *, tenant: str) -> tuple[Lineage, list[str]]:
        """Give a hired agent back: it is removed with everything it has, and its id is not given again; both sides keep
        the lineage. With it, the ids of its memories. Raises `NotFound` for an agent that nobody hired."""
        lineage, gone = await release(self.journal, tenant, agent_id, now=self.clock.now())
        if self.opened is not None:
            await self.opened.index.remove(gone)
        return lineage, gone

    async def _wish(self, agent_id: str, new_id: str, tenant: str, from_tenant: str, name: str | None) -> Wish:
        wish = Wish(Scope(from_tenant, agent_id), tenant, new_id, name)
        if (await self.journal.queue.depth(wish.source)).ready:
            await self.drain()
        return wish
