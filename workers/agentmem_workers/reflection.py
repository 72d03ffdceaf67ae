"""Looks over what is known about one person: duplicates, contradictions, deeper insight."""

from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services


class ReflectionWorker:
    """A request to reflect in; one run in the ledger out, or nothing where there is no news."""

    name = "reflection"
    batch = 1
    consumes: tuple[str, ...] = ()

    def __init__(self, services: Services) -> None:
        self._services = services
        self._reflector = services.reflector

    async def work(self, claim: Claim) -> Done:
        """The claimed run."""
        return await self._reflector.reflect(claim, await self._services.persona(claim.lane))
