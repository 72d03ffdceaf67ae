"""Keeps the communities between memories up to date with what changed."""

from agentmem.graph.communities.community_keeper import WORKER, CommunityKeeper
from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services


class CommunityWorker:
    """Changed memories whose entities are known in; communities with summaries out."""

    name = WORKER
    batch = 20
    consumes: tuple[str, ...] = ()

    def __init__(self, services: Services) -> None:
        journal = services.journal
        self._keeper = CommunityKeeper(
            journal.ledger, journal.queue, services.timestamps, services.clock.now, services.summariser
        )

    async def work(self, claim: Claim) -> Done:
        """The claimed changes, in order."""
        return await self._keeper.keep(claim)
