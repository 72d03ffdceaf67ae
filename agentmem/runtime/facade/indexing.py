"""The index as a whole: filled anew from the ledger, put in order, compared with it."""

from dataclasses import dataclass

from agentmem.errors import BackendUnavailable
from agentmem.ledger.verify import VerifyReport, verify
from agentmem.ports.journal import Journal
from agentmem.ports.memory_index import Optimisable
from agentmem.runtime.composition.opened import Opened
from agentmem.runtime.composition.wiring import Progress
from agentmem.runtime.facade.access import Access, operator_only


@dataclass(frozen=True, slots=True)
class Indexing:
    """`opened` is None where this process does not hold the index: then everything raises `BackendUnavailable`."""

    access: Access
    journal: Journal
    opened: Opened | None

    @property
    def held(self) -> Opened:
        """The index."""
        if self.opened is None:
            raise BackendUnavailable("this process does not hold the index")
        return self.opened

    @operator_only
    async def rebuild(self, progress: Progress) -> int:
        """Empty the index, fill it from the ledger, put it in order; how many memories it holds. No model is called."""
        projector = self.held.projector
        await projector.start_over()
        head = await self.journal.ledger.head()
        while projector.position < head and await projector.step():
            progress(projector.position, head)
        await projector.flush()
        await self.optimise()
        return await self.held.index.count()

    @operator_only
    async def optimise(self) -> bool:
        """Put the index in order, which may take minutes in which it answers nothing; whether there was anything to do
        as it is configured."""
        index = self.held.index
        return isinstance(index, Optimisable) and await index.optimise()

    @operator_only
    async def verify(self) -> VerifyReport:
        """Compare index and ledger."""
        await self.held.projector.catch_up()
        return await verify(self.journal, self.held.index)
