"""Gathers sensor readings into perceptual memories."""

from agentmem.memory.readings import Perceiver
from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services


class PerceptionWorker:
    """Readings in; one memory per sensor and ten minutes out."""

    name = "perception"
    batch = 100
    consumes = ("percept_sensed",)

    def __init__(self, services: Services) -> None:
        self._services = services
        self._perceiver = Perceiver(services.journal.ledger, services.timestamps, services.clock.now)

    async def work(self, claim: Claim) -> Done:
        """The claimed readings, in order."""
        return await self._perceiver.perceive(claim, await self._services.persona(claim.lane))
