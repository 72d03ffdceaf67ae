"""Reflections on a bare journal, without an index: for histories of many runs."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.change import Change
from agentmem.domain.ids import TimestampGenerator
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane
from agentmem.errors import BadAnswer, Conflict
from agentmem.memory.episodes import reflection_job
from agentmem.ports.cognition import Cognition
from agentmem.ports.ledger import Commit
from agentmem.reflection.reflect import Reflector
from tests.support.nodes import AGENT, NOON, TARGET, TENANT

LANE = Lane(TENANT, AGENT, TARGET)
PERSONA = Persona(id=AGENT, name="小美")
REFLECTION = {"reflection": 1}
TOMORROW = NOON + timedelta(days=1)


async def added(journal: SqlJournal, nodes: Sequence[MemoryNode], run: str = "added") -> None:
    """Put memories there as if workers had made them."""
    changes = tuple(Change(act="add", after=node) for node in nodes)
    await journal.ledger.commit(Commit(TENANT, run, "test", NOON, changes))


async def changed(journal: SqlJournal, before: MemoryNode, after: MemoryNode, run: str = "changed") -> None:
    """Write one change."""
    await journal.ledger.commit(Commit(TENANT, run, "test", NOON, (Change(act="end", before=before, after=after),)))


async def reflected(
    journal: SqlJournal, cognition: Cognition, name: str, *, now: datetime = TOMORROW, lane: Lane = LANE
) -> str:
    """Reflect once by hand, as a worker does: planned anew after a conflict, given up after a bad answer. The run."""
    job = reflection_job(lane, name, 0, "hand")
    await journal.queue.enqueue([job])
    reflector = Reflector(
        cognition, journal.queue, journal.ledger, TimestampGenerator(), now=lambda: now, neighbours=None
    )
    while (claim := await journal.queue.claim(REFLECTION)) is not None:
        try:
            await journal.queue.finish(claim, await reflector.reflect(claim, PERSONA))
        except Conflict as error:
            await journal.queue.fail(claim, claim.jobs[0].job_id, reason=str(error), retry_in=0)
        except BadAnswer as error:
            await journal.queue.fail(claim, claim.jobs[0].job_id, reason=str(error), retry_in=None)
    return job.job_id
