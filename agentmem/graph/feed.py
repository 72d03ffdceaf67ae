"""From the ledger to the graph: which memories changed since the graph was brought up to date last, as jobs."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agentmem.domain.change import LedgerEntry
from agentmem.domain.entity import graph_lane
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType
from agentmem.domain.payload import LinkMemories
from agentmem.errors import Conflict
from agentmem.ports.ledger import GRAPH_THROUGH, Ledger, Marks, Version, number_in
from agentmem.ports.work_queue import Job, NewJob, WorkQueue

WORKER: Final = "graph"
BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Feed:
    """Hands changed memories on to the graph worker, one job for each agent and batch. Several processes may do so at
    a time: what is handed on twice is written once."""

    ledger: Ledger
    queue: WorkQueue
    marks: Marks

    async def __call__(self) -> None:
        """Queue what changed since last time. What an agent knows who is being made is in the ledger before there may
        be work for him: his is handed on once he is there, and until then the mark stays before it; nobody waits for
        him, and what is handed on twice is one job."""
        through = number_in(await self.marks.mark(GRAPH_THROUGH))
        waits, full = False, True
        while full and (versions := await self.ledger.since(through, limit=BATCH)):
            for job in _jobs(versions):
                waits = not await self._queued(job) or waits
            through, full = versions[-1].seq, len(versions) == BATCH
            if not waits:
                await self.marks.set_mark(GRAPH_THROUGH, str(through))

    async def _queued(self, job: NewJob) -> bool:
        """False where there may be no work for that agent yet."""
        try:
            await self.queue.enqueue([job])
        except Conflict:
            return False
        return True


def _jobs(versions: Sequence[Version]) -> list[NewJob]:
    changed: dict[tuple[str, str], list[Version]] = defaultdict(list)
    for version in versions:
        if version.node is not None and _matters(version.node):
            changed[version.node.tenant, version.node.agent_id].append(version)
    return [_job(*agent, some) for agent, some in changed.items()]


def _matters(node: MemoryNode) -> bool:
    """Turns name nobody by themselves: what they say is in the memories made of them."""
    return node.memory_type not in (*GRAPH, MemoryType.CONVERSATION, MemoryType.PERCEPTUAL)


def _job(tenant: str, agent: str, versions: Sequence[Version]) -> NewJob:
    cause = f"{versions[0].seq}/{versions[-1].seq}"
    return _handing_on(tenant, agent, cause, [version.memory_id for version in versions], versions[-1].seq)


def refresh_job(tenant: str, agent: str, memory_ids: Sequence[str], head: int) -> NewJob:
    """The job that looks at these memories once more, asked for when the ledger had `head` rows."""
    return _handing_on(tenant, agent, f"again/{head}", memory_ids, head)


def taken_out_jobs(entries: Sequence[LedgerEntry], head: int) -> list[NewJob]:
    """The jobs that look once more at memories which these changes made, after an undo took them out: no row of the
    ledger says any more whose they were."""
    made: dict[tuple[str, str], list[str]] = defaultdict(list)
    for node in (entry.change.after for entry in entries if entry.change.before is None):
        if node is not None and _matters(node):
            made[node.tenant, node.agent_id].append(node.memory_id)
    return [refresh_job(*agent, ids, head) for agent, ids in made.items()]


def _handing_on(tenant: str, agent: str, cause: str, memory_ids: Sequence[str], ordinal: int) -> NewJob:
    return NewJob(
        job_id=derived_id(WORKER, tenant, agent, cause),
        lane=graph_lane(tenant, agent),
        worker=WORKER,
        ordinal=ordinal,
        payload=LinkMemories(memory_ids=tuple(memory_ids)),
    )


def changed_in(jobs: Sequence[Job]) -> list[str]:
    """The ids of the memories these jobs are about. Raises `Unreadable`."""
    return list(dict.fromkeys(memory_id for job in jobs for memory_id in job.carried(LinkMemories).memory_ids))
