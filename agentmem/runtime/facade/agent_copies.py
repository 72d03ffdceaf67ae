"""Agents made from others, as an open app offers it: `app.copies`."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from agentmem.agents.copying.clone import Cloner, cloned_persona
from agentmem.agents.copying.hire import Hired, HirePreview, HireRequest, hire, preview_hire, release
from agentmem.domain.lineage import Lineage
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.ports.work_queue import Depth
from agentmem.runtime.composition.opened import Opened
from agentmem.runtime.facade.access import Access, needs, operator_only, shows_its_own
from agentmem.runtime.facade.reading_turns import read_what_waits
from agentmem.runtime.host.services import Services


@dataclass(frozen=True, slots=True)
class Cloned:
    """`made`: just now; False where that clone was there already. `waiting`: what the source was told that could not be
    read before, and is therefore not in the clone."""

    lineage: Lineage
    made: bool
    waiting: Depth


@dataclass(frozen=True, slots=True)
class Copies:
    """Copies of this tenant's agents. `drain` works off what waits in a scope, `clean_up` leaves no byte of what was
    removed."""

    access: Access
    services: Services
    opened: Opened | None
    drain: Callable[[Scope], Awaitable[None]]
    clean_up: Callable[[], Awaitable[None]]

    @needs(Grant.HIRE, of="agent_id")
    async def clone(self, agent_id: str, new_id: str, *, name: str | None = None) -> Cloned:
        """A new agent that knows what this one knows, and goes its own way from then on; what the source was told and
        has not read is read first. Called again it finishes what was interrupted, and finds this very clone.

        Raises `NotFound`, `InvalidInput` for an id or name that none can have, and `AlreadyThere` where another
        agent has that id, or an earlier clone under another name, or one made before this agent learned more.
        """
        journal = self.services.journal
        source = await journal.registry.agent(self.tenant, agent_id)
        if source is None:
            raise NotFound(f"no agent {agent_id!r}")
        try:
            persona = cloned_persona(source, new_id, name)
        except InvalidInput as error:
            raise InvalidInput(f"a clone called {name or new_id!r}: {error}") from error
        scope = Scope(self.tenant, agent_id)
        origin = await journal.lineages.origin(self.tenant, new_id)
        if origin is None or origin.state != "making":
            await read_what_waits(self.services, scope, self.drain)
        projector = None if self.opened is None else self.opened.projector
        cloner = Cloner(journal, projector, self.services.clock.now)
        lineage, made = await cloner.clone(self.tenant, source, persona)
        return Cloned(lineage, made, await journal.queue.depth(scope))

    @operator_only
    async def hire(
        self, agent_id: str, new_id: str, *, tenant: str, from_tenant: str, name: str | None = None
    ) -> Hired:
        """Hire agent `agent_id` of `from_tenant` for `tenant`, as `new_id` there, with what the contract of its persona
        lets go (`HirePolicy`); what it was told and has not read is read first. It appears when it is complete; hired
        before, it stays as it is.

        Raises `NotFound`, `InvalidInput` where both tenants are one or for a name that names somebody it knows, and
        `AlreadyThere` for an id that is taken, or was once.
        """
        wish = await self._wish(agent_id, new_id, tenant, from_tenant, name)
        hired = await hire(self.services.journal, wish, now=self.services.clock.now())
        if self.opened is not None:
            await self.opened.projector.catch_up()
        return hired

    @operator_only
    async def preview_hire(
        self, agent_id: str, new_id: str, *, tenant: str, from_tenant: str, name: str | None = None
    ) -> HirePreview:
        """What that hire would come to, and what stays and why; nothing is made."""
        wish = await self._wish(agent_id, new_id, tenant, from_tenant, name)
        return await preview_hire(self.services.journal, wish, now=self.services.clock.now())

    @operator_only
    async def release(self, agent_id: str, *, tenant: str) -> tuple[Lineage, int]:
        """Give a hired agent back: it is removed with everything it has, and its id is not given again; both sides keep
        the lineage. With it, how many memories went. Raises `NotFound` for an agent that nobody hired."""
        lineage, gone = await release(self.services.journal, tenant, agent_id, now=self.services.clock.now())
        if gone:
            await self.clean_up()
        return lineage, len(gone)

    @needs(Grant.READ, of="agent_id")
    async def origin(self, agent_id: str) -> Lineage | None:
        """What the agent was made from; None where it was made from nobody."""
        return await self.services.journal.lineages.origin(self.tenant, agent_id)

    @needs(Grant.HIRE, of="agent_id")
    async def made_from(self, agent_id: str) -> Sequence[Lineage]:
        """What was made from the agent: copies, in other tenants as well, and files that left."""
        return await self.services.journal.lineages.made_from(self.tenant, agent_id)

    @shows_its_own(Grant.HIRE)
    async def lineages(self) -> Sequence[Lineage]:
        """Every lineage in which an agent has a part that the principal may copy."""
        there = await self.services.journal.lineages.of_tenant(self.tenant)
        return [item for item in there if any(self.access.may(Grant.HIRE, scope) for scope in _parts(item))]

    @needs(Grant.HIRE, of="agent_id")
    async def discard(self, agent_id: str) -> None:
        """Give up a copy that was begun and not finished. Raises `NotFound`."""
        await self.services.journal.copies.discard(self.tenant, agent_id, now=self.services.clock.now())
        await self.clean_up()

    @property
    def tenant(self) -> str:
        """The principal's."""
        return self.access.principal.tenant

    async def _wish(self, agent_id: str, new_id: str, tenant: str, from_tenant: str, name: str | None) -> HireRequest:
        Scope(tenant, new_id)  # what can be no name is refused before anything is read
        wish = HireRequest(Scope(from_tenant, agent_id), tenant, new_id, name)
        await read_what_waits(self.services, wish.source, self.drain)
        return wish


def _parts(lineage: Lineage) -> tuple[Scope, Scope]:
    source = Scope(lineage.source_tenant, lineage.source_agent)
    return source, Scope(lineage.tenant, lineage.agent_id)
