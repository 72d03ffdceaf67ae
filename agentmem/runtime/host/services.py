"""What a worker is, and what it is given: the seam at which a user's own workers join.

A worker module names its workers in `WORKERS`, a tuple of classes; `worker_modules` in the configuration lists modules.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import ClassVar, Final, Protocol

from agentmem.domain.ids import TimestampGenerator
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane
from agentmem.errors import InvalidInput, input_faults
from agentmem.graph.identity.resolver import Candidates
from agentmem.ledger.projection import Projector
from agentmem.ports.cognition import Cognition
from agentmem.ports.embedder import Embedder
from agentmem.ports.journal import Journal
from agentmem.ports.models import Summariser
from agentmem.ports.work_queue import PROJECTION, Claim, Done
from agentmem.reflection.neighbours import Neighbours
from agentmem.reflection.reflect import Reflector
from agentmem.runtime.host.clocks import Clock

MAX_SENT_AT_ONCE: Final = 2


async def _no_model() -> Summariser | None:
    return None


@dataclass(frozen=True, slots=True)
class Services:
    """What workers work with."""

    clock: Clock
    timestamps: TimestampGenerator
    journal: Journal
    cognition: Cognition
    embedder: Embedder | None = None
    """None where no index is open."""
    neighbours: Neighbours | None = None
    """None in a process that does not hold the index."""
    candidates: Candidates | None = None
    """The same."""
    summariser: Callable[[], Awaitable[Summariser | None]] = _no_model
    """Opens the model that sums up, if there is one."""
    sent: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_SENT_AT_ONCE))
    """Taken for as long as a document that somebody sent is in memory to be read."""

    @property
    def reflector(self) -> Reflector:
        """The service that reflects."""
        journal = self.journal
        return Reflector(
            self.cognition, journal.queue, journal.ledger, self.timestamps, self.clock.now, self.neighbours
        )

    async def persona(self, lane: Lane) -> Persona:
        """The persona of the lane's agent; an agent nobody introduced has a plain one."""
        known = await self.journal.registry.agent(lane.tenant, lane.agent)
        return known or Persona(id=lane.agent, name=lane.agent)


class Worker(Protocol):
    """One job, done for one claim at a time. Running it twice on the same claim does the same."""

    name: ClassVar[str]
    """Names the worker in the queue; part of the ids of its memories."""

    batch: ClassVar[int]
    """So many consecutive jobs of one lane are claimed together."""

    consumes: ClassVar[tuple[str, ...]]
    """Kinds of events that queue a job for this worker."""

    def __init__(self, services: Services) -> None: ...

    async def work(self, claim: Claim) -> Done:
        """Do the claimed jobs, and say what is to be written. Writes nothing itself but staged outcomes."""
        ...


def load_workers(modules: Sequence[str]) -> list[type[Worker]]:
    """The worker classes of these modules, in order. Raises `InvalidInput` naming the module that is wrong."""
    found: dict[str, type[Worker]] = {}
    for name in modules:
        try:
            classes: Sequence[type[Worker]] = import_module(name).WORKERS
        except Exception as error:  # a module of somebody else's fails as it likes
            raise InvalidInput(f"worker_modules: {name!r} is no module with WORKERS: {error}") from error
        for worker in classes:
            if worker.name in found:
                raise InvalidInput(f"worker_modules: two workers are called {worker.name!r}")
            found[worker.name] = worker
    return list(found.values())


def routes(workers: Sequence[type[Worker]]) -> Mapping[str, tuple[str, ...]]:
    """Which workers get a job for each kind of event."""
    kinds = dict.fromkeys(kind for worker in workers for kind in worker.consumes)
    return {kind: tuple(worker.name for worker in workers if kind in worker.consumes) for kind in kinds}


class ProjectionWorker:
    """One row at a time; where it is as bad as it was, it goes back at once."""

    name: ClassVar[str] = PROJECTION
    batch: ClassVar[int] = 1
    consumes: ClassVar[tuple[str, ...]] = ()

    def __init__(self, projector: Projector) -> None:
        self._projector = projector

    async def work(self, claim: Claim) -> Done:
        """The claimed row."""
        with input_faults():
            await self._projector.again(claim.jobs[0].ordinal)
        return Done()
