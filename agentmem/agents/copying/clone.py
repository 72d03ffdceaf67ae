"""Cloning: the whole memory of an agent, its past included, in another agent of the same tenant.

Written page by page under ids that follow from the originals', so a clone that was interrupted is taken up where it was
left; it is seen by nobody before it is complete. Nothing is embedded: see `ledger.projection`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog

from agentmem.agents.copying.renaming import Renaming, decided_in_copy, decisions_of, rows_of
from agentmem.domain.bounds import MAX_INT
from agentmem.domain.lineage import Lineage
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.errors import AlreadyThere, Conflict
from agentmem.ledger.projection import Projector
from agentmem.ports.agent_records import CopiedRow, CopyDraft
from agentmem.ports.journal import Journal

log = structlog.get_logger()

PAGE = 1_000
"""Rows of the ledger that are copied in one transaction."""

MAX_ATTEMPTS = 5
"""So often in a row a page is tried again because somebody else made the same copy, or the source was erased from."""


@dataclass(frozen=True, slots=True)
class Cloner:
    """Makes clones. Without a `projector` the index is filled by the process that holds it."""

    journal: Journal
    projector: Projector | None
    now: Callable[[], datetime]

    async def clone(self, tenant: str, source: Persona, clone: Persona) -> tuple[Lineage, bool]:
        """The clone's lineage, and whether it was made now; it is not where this very clone was there already.

        Raises `NotFound` for a source that is not there, and `AlreadyThere` where another agent has the clone's id, or
        an earlier clone that is not as this one would be.
        """
        draft = CopyDraft("clone", tenant, source.id, tenant, clone)
        copy, failed = await self.journal.copies.begin(draft, now=self.now()), 0
        if copy.state != "making":
            await refuse_another(self.journal, copy, clone.name)
            return copy, False
        while copy.state == "making":
            try:
                copy = await self._further(copy, source, clone)
                failed = 0
            except Conflict:
                failed += 1
                if failed == MAX_ATTEMPTS:
                    raise
                copy = await self.journal.copies.begin(draft, now=self.now())
        log.info("agent_cloned", tenant=tenant, agent=copy.agent_id, source=source.id, head=copy.head)
        await self._project()
        return copy, True

    async def _further(self, copy: Lineage, source: Persona, clone: Persona) -> Lineage:
        """One page more, or the end."""
        rows = await self._rows(copy)
        if not rows and copy.reached > copy.head:
            return await self.journal.copies.complete(copy, now=self.now())
        about = await self.journal.copies.names(Scope(copy.source_tenant, copy.source_agent))
        renaming = Renaming.of(copy, clone.name, source_name=source.name, about=about)
        while rows:
            renamed = [renaming.row(row) for row in rows]
            copy = await self.journal.copies.write(copy, renamed, reached=rows[-1].seq)
            await self._project()
            rows = await self._rows(copy)
        return await self._decided(copy, renaming)

    async def _decided(self, copy: Lineage, renaming: Renaming) -> Lineage:
        """What was decided about who is who, behind all rows: `reached` tells that it is written."""
        source = Scope(copy.source_tenant, copy.source_agent)
        known = await decisions_of(self.journal.ledger, source)
        decisions = decided_in_copy(known, renaming, renaming.memory_id)
        rows = rows_of(decisions, behind=copy.head, run=renaming.run("decisions"), cause="clone", at=copy.began_at)
        return await self.journal.copies.write(copy, rows, reached=copy.head + 1)

    async def _rows(self, copy: Lineage) -> list[CopiedRow]:
        source = Scope(copy.source_tenant, copy.source_agent)
        return await self.journal.copies.rows(source, after=copy.reached, through=copy.head, limit=PAGE)

    async def _project(self) -> None:
        if self.projector is not None:
            await self.projector.catch_up()


async def refuse_another(journal: Journal, copy: Lineage, name: str) -> None:
    """Raise `AlreadyThere` where a copy that is asked for again would not be the one that is there: it is to have
    another name, or its source has learned since."""
    there = await journal.registry.agent(copy.tenant, copy.agent_id)
    source = Scope(copy.source_tenant, copy.source_agent)
    if there is None or there.name != name:
        raise AlreadyThere(f"agent {copy.agent_id!r} exists already, and is not called {name!r}: name another id")
    if await journal.copies.rows(source, after=copy.head, through=MAX_INT, limit=1):
        since = f"since it was copied from {source.agent!r}, that one has learned more"
        raise AlreadyThere(f"agent {copy.agent_id!r} exists already; {since}: name another id")


def cloned_persona(source: Persona, new_id: str, name: str | None) -> Persona:
    """The source's persona under another id, and another name where one is given."""
    return source.revised(id=new_id, name=name or source.name)
