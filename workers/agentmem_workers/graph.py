"""Keeps the entities between memories up to date with what changed."""

from dataclasses import replace

from agentmem.graph.communities.community_keeper import taking_in
from agentmem.graph.identity.entity_keeper import EntityKeeper
from agentmem.graph.identity.resolver import EntityResolver
from agentmem.ports.cognition import Resolver
from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services


class GraphWorker:
    """Changed memories in; entities out, and then the communities they are in."""

    name = "graph"
    batch = 20
    consumes: tuple[str, ...] = ()

    def __init__(self, services: Services) -> None:
        journal, resolver = services.journal, None
        if services.candidates is not None:
            model = services.cognition if isinstance(services.cognition, Resolver) else None
            resolver = EntityResolver(journal.ledger, journal.queue, services.candidates, model)
        self._keeper = EntityKeeper(journal.ledger, services.timestamps, services.clock.now, resolver)

    async def work(self, claim: Claim) -> Done:
        """The claimed changes, in order."""
        done = await self._keeper.keep(claim)
        return replace(done, follow_up=(*done.follow_up, *map(taking_in, claim.jobs)))
