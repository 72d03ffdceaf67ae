"""Reading what an agent was told before it is copied or packed, so that nothing stays behind unread."""

from collections.abc import Awaitable, Callable

from agentmem.domain.scope import Scope
from agentmem.memory.episodes import silence_job
from agentmem.runtime.worker import Services


async def read_what_waits(services: Services, scope: Scope, read: Callable[[], Awaitable[None]]) -> None:
    """Close the agent's open windows as a silence would, and have all there is to read read; where the journal may only
    be read, what was not read stays so."""
    journal = services.journal
    if journal.read_only:
        return
    silent = await journal.events.silent_lanes(since=services.clock.now())
    jobs = [
        silence_job(lane, seq) for lane, _, seq in silent if (lane.tenant, lane.agent) == (scope.tenant, scope.agent)
    ]
    if jobs:
        await journal.queue.enqueue(jobs)
    if (await journal.queue.depth(scope)).ready:
        await read()
