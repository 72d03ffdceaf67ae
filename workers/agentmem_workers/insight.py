"""Keeps the deeper statements that reading a window found, and asks for a reflection when enough has gathered."""

from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services
from agentmem_workers.observation import observer


class InsightWorker:
    """What reading a window found in; insights out."""

    name = "insight"
    batch = 1
    consumes: tuple[str, ...] = ()

    def __init__(self, services: Services) -> None:
        self._services = services
        self._observer = observer(services)

    async def work(self, claim: Claim) -> Done:
        """The claimed statements."""
        return await self._observer.deepen(claim, await self._services.persona(claim.lane))
