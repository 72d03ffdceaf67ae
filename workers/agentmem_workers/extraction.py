"""Lets a model read new pieces of documents."""

from agentmem.assets.document_extraction import Extraction
from agentmem.ports.cognition import Extractor
from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.host.services import Services


class ExtractionWorker:
    """New pieces of a document in; the facts that a model finds in them out. Rules have found theirs before."""

    name = "extraction"
    batch = 1
    consumes: tuple[str, ...] = ()

    def __init__(self, services: Services) -> None:
        self._services = services

    async def work(self, claim: Claim) -> Done:
        """The claimed pieces."""
        services, cognition = self._services, self._services.cognition
        if not isinstance(cognition, Extractor):
            return Done()
        journal, neighbours = services.journal, services.neighbours
        similar = None if neighbours is None else neighbours.pieces
        now = services.clock.now
        extraction = Extraction(
            cognition, journal.ledger, journal.queue, journal.lineages, services.timestamps, now, similar
        )
        return await extraction.extract(claim)
