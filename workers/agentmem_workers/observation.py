"""Reads windows of turns, both speakers, and keeps what is stated in them."""

from agentmem.memory.intake import Drafter
from agentmem.memory.observe import Observer
from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services


def observer(services: Services) -> Observer:
    """The service that reads windows."""
    journal = services.journal
    return Observer(
        cognition=services.cognition,
        events=journal.events,
        queue=journal.queue,
        ledger=journal.ledger,
        drafter=Drafter(services.timestamps, services.clock.now),
        now=services.clock.now,
        embedder=services.embedder,
    )


class ObservationWorker:
    """Windows in; observations out, and the window's deeper statements for the insight worker."""

    name = "observation"
    batch = 1
    consumes: tuple[str, ...] = ()

    def __init__(self, services: Services) -> None:
        self._services = services
        self._observer = observer(services)

    async def work(self, claim: Claim) -> Done:
        """The claimed window."""
        return await self._observer.observe(claim, await self._services.persona(claim.lane))
