"""Workers of which one, the reader of windows, gives up everything it is given."""

from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services
from agentmem_workers.conversation import ConversationWorker


class RefusingWorker:
    """Fails at every window, with words that mean harm to a terminal."""

    name = "observation"
    batch = 1
    consumes: tuple[str, ...] = ()

    def __init__(self, services: Services) -> None:
        del services

    async def work(self, claim: Claim) -> Done:
        """Refuse."""
        raise ValueError(f"refused \x1b[31m{claim.jobs[0].worker}")


WORKERS = (ConversationWorker, RefusingWorker)
