"""Taking back a run, and having what was made of it looked at once more."""

from dataclasses import replace

from agentmem.domain.access import Grant
from agentmem.errors import NotFound
from agentmem.graph.feed import taken_out_jobs
from agentmem.ledger.undo import UndoReport, undo
from agentmem.ports.clock import Clock
from agentmem.ports.journal import Journal
from agentmem.runtime.access import Access


async def take_back(journal: Journal, access: Access, clock: Clock, run: str, *, cascade: bool) -> UndoReport:
    """Take a run back. Raises `NotFound`, also where the principal may not touch all that the run touched."""
    tenant = access.principal.tenant
    entries = await journal.ledger.of_run(tenant, run)
    if not access.sees(Grant.WRITE, entries):
        raise NotFound(f"no run {run!r}")
    report = await undo(journal.ledger, tenant, run, now=clock.now(), cascade=cascade)
    if report.run is not None:
        await journal.queue.enqueue(taken_out_jobs(entries, await journal.ledger.head()))
    if access.principal.operator:
        return report
    touched = {entry.change.memory_id for entry in entries}  # what was put in doubt by it may be about others
    return replace(report, restored=tuple(key for key in report.restored if key in touched))
