"""Keeps the entities between memories up to date with what changed."""

from dataclasses import replace

from agentmem.graph.communities.jobs import taking_in
from agentmem.graph.entities import EntityKeeper
from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.worker import Services


class GraphWorker:
    """Changed memories in; entities out, and then the communities they are in."""

    name = "graph"
    batch = 20
    consumes: tuple[str, ...] = ()

    def __init__(self, services: Services) -> None:
        self._keeper = EntityKeeper(services.journal.ledger, services.timestamps, services.clock.now)

    async def work(self, claim: Claim) -> Done:
        """The claimed changes, in order."""
        done = await self._keeper.keep(claim)
        return replace(done, follow_up=(*done.follow_up, *map(taking_in, claim.jobs)))
