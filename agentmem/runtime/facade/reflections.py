"""Reflection asked for by hand: done now, or only foreseen."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.scope import Grant, Lane, Scope
from agentmem.errors import Conflict, NotFound
from agentmem.graph.feed import taken_out_jobs
from agentmem.ledger.listing import every
from agentmem.ledger.undo import UndoReport, undo
from agentmem.memory.episodes import reflection_job
from agentmem.memory.reconcile import settled
from agentmem.memory.relation import Relations
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Selection
from agentmem.reflection.reflect import Run, anything_left, lanes_to_look_at
from agentmem.runtime.facade.access import Access
from agentmem.runtime.host.clocks import Clock
from agentmem.runtime.host.services import Services

PAGE = 1_000
"""Memories that are read at once."""

MAX_RUNS = 1_000
"""Runs of one reflection by hand, each of which takes a window of what is new."""


@dataclass(frozen=True, slots=True)
class ReflectionReport:
    """One run of `App.reflect`: how many memories it changed, by act."""

    run: str
    target: str
    acts: dict[str, int]


@dataclass(frozen=True, slots=True)
class ReflectionPreview:
    """What one run of `App.reflect` would change about one target."""

    target: str
    changes: tuple[Change, ...]


async def reflect_now(
    journal: Journal, drain: Callable[[Scope], Awaitable[None]], scope: Scope, key: str | None, *, now: datetime
) -> list[ReflectionReport]:
    """Reflect on every lane in scope where there is anything to do, until there is not; with a `key`, once for ever
    under that key."""
    ledger = journal.ledger
    cause = key or f"hand/{await ledger.head()}/{now.isoformat()}"
    reports: list[ReflectionReport] = []
    lanes = await lanes_to_look_at(ledger, scope, now)
    if key is not None:
        # Also where there is no news: what comes later is not for this key, nor is a second run.
        lanes = sorted({*lanes, *await journal.events.lanes(scope)})
    for turn in range(MAX_RUNS if key is None else 1):
        jobs = [reflection_job(lane, f"{cause}/{turn}" if turn else cause, 0, "hand") for lane in lanes]
        await journal.queue.enqueue(jobs)
        await drain(scope)
        done = [await _report(journal, job.job_id, job.lane) for job in jobs]
        reports += (report for report in done if report.acts)
        acted = [job.lane for job, report in zip(jobs, done, strict=True) if report.acts]
        if not (lanes := [lane for lane in acted if await anything_left(ledger, lane.scope, now)]):
            break
    return reports


async def preview_reflection(services: Services, scope: Scope) -> list[ReflectionPreview]:
    """What reflecting now would change, one run for each lane where there is anything to do; nothing is written."""
    found: list[ReflectionPreview] = []
    for lane in await lanes_to_look_at(services.journal.ledger, scope, services.clock.now()):
        run = Run(f"dry/{lane.target}", lane, await services.persona(lane), "hand")
        commit = await services.reflector.preview(run)
        if commit is not None:
            found.append(ReflectionPreview(lane.target, await services.journal.ledger.preview(commit)))
    return found


async def _report(journal: Journal, run: str, lane: Lane) -> ReflectionReport:
    acts: dict[str, int] = {}
    for entry in await journal.ledger.of_run(lane.tenant, run):
        acts[entry.change.act] = acts.get(entry.change.act, 0) + 1
    return ReflectionReport(run, lane.target, acts)


MAX_ATTEMPTS = 5
"""So often it is planned anew because somebody, such as a worker at a graph, wrote in between."""


async def take_back(journal: Journal, access: Access, clock: Clock, run: str, *, cascade: bool) -> UndoReport:
    """Take a run back. Raises `NotFound`, also where the principal may not touch all that the run touched, and
    `Conflict` where somebody else writes all the time."""
    tenant = access.principal.tenant
    entries = await journal.ledger.of_run(tenant, run)
    if not access.sees(Grant.WRITE, entries):
        raise NotFound(f"no run {run!r}")
    report = await _taken_back(journal, clock, tenant, run, cascade=cascade)
    if report.run is not None:
        await journal.queue.enqueue(taken_out_jobs(entries, await journal.ledger.head()))
    if access.principal.operator:
        return report
    touched = {entry.change.memory_id for entry in entries}  # what was put in doubt by it may be about others
    return replace(report, restored=tuple(key for key in report.restored if key in touched))


async def _taken_back(journal: Journal, clock: Clock, tenant: str, run: str, *, cascade: bool) -> UndoReport:
    async def settle(returning: Mapping[str, MemoryNode]) -> list[Change]:
        return await _settled(journal, returning, clock.now())

    for _ in range(MAX_ATTEMPTS - 1):
        with suppress(Conflict):
            return await undo(journal.ledger, tenant, run, now=clock.now(), settle=settle, cascade=cascade)
    return await undo(journal.ledger, tenant, run, now=clock.now(), settle=settle, cascade=cascade)


async def _settled(journal: Journal, returning: Mapping[str, MemoryNode], now: datetime) -> list[Change]:
    """What returning memories come to beside those that their persons have by now."""
    found: list[Change] = []
    scopes = {
        Scope(node.tenant, node.agent_id, node.target_id)
        for node in returning.values()
        if node.memory_type is MemoryType.OBSERVATION and node.attribute is not None
    }
    for scope in sorted(scopes, key=lambda one: (one.agent, one.target or "")):
        persona = await journal.registry.agent(scope.tenant, scope.agent)
        told = Selection(scope, (MemoryType.OBSERVATION,), (StoreStatus.VALID, StoreStatus.EXPIRED), limit=PAGE)
        held = {node.memory_id: node async for node in every(journal.ledger, told)}
        held |= {key: node for key, node in returning.items() if node.target_id == scope.target}
        relations = Relations(persona.memory.attributes if persona else {})
        found += settled(held.values(), returning.keys(), relations, now)
    return found
