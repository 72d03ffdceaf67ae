"""Runs the workers: claims lanes, keeps leases alive, retries what failed, parks what keeps failing.

To stop, take no new work, wait a grace period for what is under way, then cancel it; a cancelled claim is given back.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from time import monotonic

import structlog
from tenacity import RetryCallState, Retrying, wait_exponential, wait_random

from agentmem.domain.entity import graph_lane
from agentmem.domain.scope import Lane, Scope
from agentmem.errors import (
    AgentMemError,
    BackendUnavailable,
    Conflict,
    LeaseLost,
    NeedsRepair,
    NoRoom,
    Unreachable,
    Unreadable,
    is_panic,
    lies_in_the_input,
    without_content,
)
from agentmem.graph import feed as graph
from agentmem.graph.communities import community_keeper as communities
from agentmem.ledger.projection import Projector
from agentmem.memory.episodes import silence_job
from agentmem.ports.work_queue import Claim
from agentmem.runtime.configuration.settings import WorkerSettings
from agentmem.runtime.host.gate import ClaimQueue, Gate
from agentmem.runtime.host.services import ProjectionWorker, Services, Worker
from agentmem.tracing import COMMITTED, span

log = structlog.get_logger()

POLL_SECONDS = 0.5
"""Between two looks for work: what this process queues or gives back is heard of at once, so this is for other
processes' work and for retries. While a model is waited for, each look costs a transaction."""
OTHERS_SECONDS = 0.1
"""Between two looks at whether another process is done with what a caller waits for."""
PATIENCE = 60.0
"""Seconds in which others that hold work of a scope may finish it."""
NEVER = 2**31
"""More attempts than there will be."""

OUTAGE_PATIENCE = 5.0
"""Seconds in which a service that cannot be reached may come back while somebody waits who said so: see `drain`."""

OUTAGE_LOOKS = 60
"""So often a failure is tried to be recorded; after that the lease has run out, and the job is another one's."""


class WorkerHost:
    """The workers of this process. `projector` is None where this process does not hold the index; `on_outage` is told
    of a service that cannot be reached, when that begins."""

    def __init__(
        self,
        services: Services,
        workers: Sequence[Worker],
        projector: Projector | None,
        options: WorkerSettings,
        on_outage: Callable[[str], None] | None = None,
    ) -> None:
        self._services = services
        self._queue = services.journal.queue
        everyone: list[Worker | ProjectionWorker] = [
            *workers,
            *([ProjectionWorker(projector)] if projector is not None else []),
        ]
        self._workers = {worker.name: worker for worker in everyone}
        self._batches = {worker.name: worker.batch for worker in everyone}
        self._projector = projector
        self._gate = Gate()
        self._options = options
        self._active: dict[tuple[Lane, int], Claim] = {}  # by lane and fence: a lost claim may end after the next began
        self._claiming = 0
        self._unreachable: dict[str, float] = {}  # workers whose service cannot be reached, and since when
        self._on_outage = on_outage
        self._wait = wait_exponential(multiplier=options.backoff_initial, max=options.backoff_max) + wait_random(
            0, options.backoff_initial
        )

    async def drain(self, *, patience: float = 0.0, outages: bool = True) -> None:
        """Work until nothing is ready; wait up to `patience` seconds for retries and for work others hold. Unless
        `outages` are to be sat out, `OUTAGE_PATIENCE` is the longest that a service is waited for that cannot be
        reached."""
        async with self._working():
            await self._drain(monotonic() + patience, outages=outages)

    async def _drain(self, deadline: float, *, outages: bool) -> None:
        while True:
            await self.sweep()
            depth = await self._queue.depth()
            some = depth.ready or depth.leased
            if some and await self._work_until_idle():
                continue
            if self._unreachable and not outages:
                deadline = min(deadline, min(self._unreachable.values()) + OUTAGE_PATIENCE)
            if monotonic() >= deadline or not (some or depth.delayed):
                return
            await self._queue.wait(OTHERS_SECONDS)

    async def drain_scope(self, scope: Scope) -> None:
        """Work on what is in scope, and on nothing else, until nothing of it is ready or held by others. These are
        waited for up to `PATIENCE` seconds, retries are not. Of the graph, which a scope of one target shares with
        others, one batch is taken in."""
        deadline = monotonic() + PATIENCE
        async with self._working():
            while True:
                await self._feed_graph()
                depth = await self._queue.depth(scope)
                if not (depth.ready or depth.leased):
                    break
                if not await self._work_until_idle(scope):
                    if monotonic() >= deadline:
                        break
                    await self._queue.wait(OTHERS_SECONDS)
            if scope.target is not None:
                for _ in (graph.WORKER, communities.WORKER):
                    await self._step(ClaimQueue(), graph_lane(scope.tenant, scope.agent).scope)

    @asynccontextmanager
    async def _working(self) -> AsyncGenerator[None]:
        """Keep leases alive while the body runs, then give the index what it wrote."""
        async with _plain_errors(), asyncio.TaskGroup() as tasks:
            heart = tasks.create_task(self._beat(), name="heartbeat")
            yield
            heart.cancel()
        if self._projector is not None:
            await caught_up(self._projector)

    async def serve(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set, then finish what is under way within the grace period."""
        async with _plain_errors(), asyncio.TaskGroup() as tasks:
            side = [
                tasks.create_task(self._beat(), name="heartbeat"),
                tasks.create_task(self._sweep_for_ever(), name="windows"),
                tasks.create_task(self._project_for_ever(), name="projection"),
            ]
            line = ClaimQueue(stop.is_set, POLL_SECONDS)
            lanes = [
                tasks.create_task(self._serve_lanes(line, stop), name=f"lane-{number}")
                for number in range(self._options.concurrency)
            ]
            await stop.wait()
            _, late = await asyncio.wait(lanes, timeout=self._options.grace)
            for task in (*late, *side):
                task.cancel()

    async def sweep(self) -> None:
        """Close the windows of lanes that have been silent for as long as their persona says, and hand on to the graph
        what changed."""
        now = self._services.clock.now()
        silent = await self._services.journal.events.silent_lanes(since=now)
        agents = {(lane.tenant, lane.agent): lane for lane, _, _ in silent}
        patience = {
            agent: timedelta(seconds=(await self._services.persona(lane)).memory.windows.idle_seconds)
            for agent, lane in agents.items()
        }
        jobs = [
            silence_job(lane, seq) for lane, last, seq in silent if abs(now - last) >= patience[lane.tenant, lane.agent]
        ]
        if jobs:
            await self._queue.enqueue(jobs)
        await self._feed_graph()

    async def _feed_graph(self) -> None:
        if graph.WORKER in self._workers:
            journal = self._services.journal
            await graph.Feed(journal.ledger, journal.queue, journal.marks)()

    async def _work_until_idle(self, scope: Scope | None = None) -> int:
        one_lane = scope is not None and len(scope.targets) == 1
        line = ClaimQueue(lambda: scope is not None or not (self._active or self._claiming), POLL_SECONDS)
        async with asyncio.TaskGroup() as tasks:
            number = 1 if one_lane else self._options.concurrency
            lanes = [tasks.create_task(self._drain_lanes(line, scope)) for _ in range(number)]
        return sum(task.result() for task in lanes)

    async def _drain_lanes(self, line: ClaimQueue, scope: Scope | None) -> int:
        worked = 0
        while not (line.idle and line.over()):
            worked += await self._step(line, scope) is True
        return worked

    async def _serve_lanes(self, line: ClaimQueue, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                await self._step(line, None)
            except BackendUnavailable as error:
                log.warning("queue_unavailable", reason=without_content(error))

    async def _step(self, line: ClaimQueue, scope: Scope | None) -> bool | None:
        """Do the oldest work in scope; whether it ended well, None where there is none."""
        async with AsyncExitStack() as inside:
            async with line.turn:
                if line.idle and line.over():
                    return None
                if line.idle:
                    await self._queue.wait(line.patience, since=line.bells)
                await inside.enter_async_context(self._gate.among_others())
                claim = await self._claim(line, scope)
            return None if claim is None else await self._handle(claim, line)

    async def _claim(self, line: ClaimQueue, scope: Scope | None) -> Claim | None:
        self._claiming += 1
        line.idle, line.bells = True, self._queue.bells
        try:
            claim = await self._queue.claim(self._batches, scope=scope)
        finally:
            self._claiming -= 1
        line.idle = claim is None or claim.alone
        return claim

    async def _handle(self, claim: Claim, line: ClaimQueue) -> bool:
        """Whether the claim ended well."""
        self._active[claim.lane, claim.fence] = claim
        try:
            return await (self._attempt_alone(claim) if claim.jobs[0].crashes else self._attempt(claim))
        except asyncio.CancelledError:
            with suppress(AgentMemError):
                await asyncio.shield(self._queue.release(claim))
            raise
        finally:
            del self._active[claim.lane, claim.fence]
            line.idle = False  # what was done may have left more to do

    async def _attempt_alone(self, claim: Claim) -> bool:
        """What a process ended at is done while nothing else is: ends this one at it too, nothing else is suspected."""
        job = claim.jobs[0]
        if job.crashes >= self._options.attempts:
            await self._fail(
                claim, Unreadable(f"{job.crashes} processes ended or fell silent while they did it"), 0, 0.0
            )
            return False
        async with self._gate.alone() as granted:
            if granted:
                return await self._attempt(claim)
            with suppress(LeaseLost):
                await self._queue.release(claim)
            return False

    async def _attempt(self, claim: Claim) -> bool:
        claim = _readable(claim)
        worker, job = self._workers[claim.jobs[0].worker], claim.jobs[0]
        try:
            await self._do(worker, claim)
        except LeaseLost:
            log.warning("lease_lost", worker=worker.name)
        except BaseException as error:  # the claim's life ends here: whatever went wrong in it is its reason
            if not (isinstance(error, Exception) or is_panic(error)):
                raise
            if lies_in_the_input(error) and len(claim.jobs) > 1:
                return await self._attempt(replace(claim, jobs=claim.jobs[:1]))
            self._note_outage(worker.name, error)
            await self._fail(claim, error, *self._patience_with(error, job.attempt))
        else:
            self._unreachable.pop(worker.name, None)
            return True
        return False

    def _note_outage(self, worker: str, error: BaseException) -> None:
        if isinstance(error, Unreachable) and worker not in self._unreachable:
            if self._on_outage is not None and not self._unreachable:
                self._on_outage(f"{error}; what waits for it is kept, and tried again")
            self._unreachable[worker] = monotonic()

    async def _do(self, worker: Worker | ProjectionWorker, claim: Claim) -> None:
        """Work, and write down what came of it. It is traced as part of what its events were taken in by."""
        job = claim.jobs[0]
        causes = [each.event.traceparent for one in claim.jobs for each in one.events]
        name, jobs = f"job {worker.name}", len(claim.jobs)
        with span(name, "CONSUMER", causes=causes, job=job.job_id, jobs=jobs, attempt=job.attempt, events=len(causes)):
            if job.unreadable is not None:
                raise Unreadable(job.unreadable)
            done = await worker.work(claim)
            changes = done.commit.changes if done.commit else ()
            with span("journal.commit", changes=len(changes), jobs=len(done.follow_up) + len(done.windows)):
                await self._queue.finish(claim, done)
            COMMITTED.leave(change.memory_id for change in changes)

    def _patience_with(self, error: BaseException, attempt: int) -> tuple[int, float]:
        """At which attempt a job that failed so is given up, and how long to wait before the next one."""
        match error:
            case Conflict():
                # Claimed again at once, so that it is planned anew from what was staged and nothing is thought twice.
                return self._options.outage_attempts, 0.0
            case NoRoom():
                # Nothing is wrong with the job, and the disk has room again when somebody makes room.
                return NEVER, error.retry_after or POLL_SECONDS
            case BackendUnavailable():
                return self._options.outage_attempts, max(error.retry_after or 0.0, self._backoff(attempt))
            case Unreadable():
                return 0, 0.0
            case _:
                return self._options.attempts, self._backoff(attempt)

    async def _fail(self, claim: Claim, error: BaseException, limit: int, wait: float) -> None:
        job = claim.jobs[0]
        given_up = job.attempt >= limit
        reason = f"{type(error).__name__}: {error}"
        log.warning(
            "job_failed",
            worker=job.worker,
            job=job.job_id,
            attempt=job.attempt,
            given_up=given_up,
            reason=without_content(error),
        )
        for _ in range(OUTAGE_LOOKS):
            try:
                await self._queue.fail(claim, job.job_id, reason=reason, retry_in=None if given_up else wait)
            except LeaseLost:
                return
            except BackendUnavailable as outage:
                log.warning("queue_unavailable", reason=without_content(outage))
                await self._queue.wait(POLL_SECONDS)
            else:
                return

    def _backoff(self, attempt: int) -> float:
        state = RetryCallState(Retrying(), None, (), {})
        state.attempt_number = attempt
        return self._wait(state)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._options.heartbeat)
            for claim in list(self._active.values()):
                with suppress(LeaseLost, BackendUnavailable):
                    await self._queue.keep(claim)

    async def _sweep_for_ever(self) -> None:
        while True:
            try:
                await self.sweep()
            except AgentMemError as error:
                log.warning("windows_not_swept", reason=without_content(error))
            await asyncio.sleep(1.0)

    async def _project_for_ever(self) -> None:
        """Until the index needs repair: that is said once, and the rest of the work goes on without it."""
        while self._projector is not None:
            try:
                if not await self._projector.catch_up():
                    await self._projector.flush()
            except BackendUnavailable as error:
                log.warning("not_projected", reason=without_content(error))
            except NeedsRepair as error:
                log.error("projection_stopped", reason=without_content(error))
                return
            await asyncio.sleep(0.5)


def _readable(claim: Claim) -> Claim:
    """The jobs up to the first that cannot be read, or that one alone; the others go back as they were."""
    bad = next((place for place, job in enumerate(claim.jobs) if job.unreadable is not None), len(claim.jobs))
    return replace(claim, jobs=claim.jobs[: max(bad, 1)])


async def caught_up(projector: Projector) -> None:
    """Give the index what the ledger has, as far as its disk has room; the rest follows when it has."""
    try:
        await projector.catch_up()
    except NoRoom as error:
        log.warning("not_projected", reason=without_content(error))


@asynccontextmanager
async def _plain_errors() -> AsyncGenerator[None]:
    """Let the first error of a task group out as itself, so that callers can tell what to do about it."""
    try:
        yield
    except* AgentMemError as group:
        raise _first(group) from group


def _first(group: ExceptionGroup[AgentMemError]) -> AgentMemError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, ExceptionGroup) else error
