"""Rows from a file become an agent: page by page, resumed where an earlier attempt stopped, and there when complete."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice

from agentmem.domain.lineage import Lineage
from agentmem.domain.persona import Persona
from agentmem.errors import Conflict, InvalidInput
from agentmem.ports.copies import Draft, Row
from agentmem.ports.journal import Journal

PAGE = 1_000

Rows = Callable[[Lineage, Persona], Iterator[Row]]
"""What to write into a copy; asked again, it answers the same rows in the same order."""


async def refuse_known(journal: Journal, tenant: str, agent_id: str) -> None:
    """Raise `InvalidInput` where the tenant has an agent of that id."""
    if await journal.registry.agent(tenant, agent_id) is not None:
        raise InvalidInput(f"agent {agent_id!r} is here already: give the new one another id with --as")


async def make(journal: Journal, draft: Draft, rows: Rows, *, now: datetime) -> int:
    """Write the rows and make the agent known; how many rows. A making of the same file that was cut short goes on
    where it stopped; one whose rows are refused leaves nothing. Raises `InvalidInput` where such an agent is there."""
    try:
        copy = await journal.copies.begin(draft, now=now)
    except Conflict as error:
        raise InvalidInput(f"{error}, with --as") from error
    if copy.state != "making":
        raise InvalidInput(f"agent {draft.persona.id!r} is here already: give the new one another id with --as")
    try:
        return await _written(journal, copy, rows(copy, draft.persona), now)
    except InvalidInput:
        await journal.copies.discard(draft.tenant, draft.persona.id, now=now)
        raise


async def _written(journal: Journal, copy: Lineage, rows: Iterator[Row], now: datetime) -> int:
    written = 0
    while page := await asyncio.to_thread(lambda: list(islice(rows, PAGE))):
        written += len(page)
        fresh = [row for row in page if row.seq > copy.reached]
        if fresh:
            copy = await journal.copies.write(copy, fresh, reached=fresh[-1].seq)
    await journal.copies.complete(copy, now=now)
    return written
