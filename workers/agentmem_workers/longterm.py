"""Takes documents into long-term memory."""

from agentmem.assets.document_writer import DocumentWriter
from agentmem.ports.cognition import Extractor
from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services


class LongTermWorker:
    """A version of a document in; its pieces as memories out."""

    name = "longterm"
    batch = 1
    consumes = ("asset_received",)

    def __init__(self, services: Services) -> None:
        self._cognition = services.cognition
        self._librarian = DocumentWriter(
            services.journal.ledger,
            services.journal.lineages,
            services.timestamps,
            services.clock.now,
            self._extracts,
        )

    def _extracts(self) -> bool:
        return isinstance(self._cognition, Extractor) and self._cognition.extracts

    async def work(self, claim: Claim) -> Done:
        """The claimed version."""
        return await self._librarian.shelve(claim)
