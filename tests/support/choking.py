"""A user's own workers, loaded by dotted path: one that takes turns in batches and chokes on some of them."""

from agentmem.domain.event import TurnSpoken
from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services

swallowed: list[str] = []
"""What it got down, in order."""


class ChokingWorker:
    """Turns in; nothing out. A turn with 毒 in it makes the whole batch fail."""

    name = "choking"
    batch = 10
    consumes = ("turn_spoken",)

    def __init__(self, services: Services) -> None:
        self._services = services

    async def work(self, claim: Claim) -> Done:
        """The claimed turns, in order."""
        texts = [item.event.text for job in claim.jobs for item in job.events if isinstance(item.event, TurnSpoken)]
        for text in texts:
            if "毒" in text:
                raise ValueError(f"choked on {text}")
        swallowed.extend(texts)
        return Done()


WORKERS = (ChokingWorker,)
