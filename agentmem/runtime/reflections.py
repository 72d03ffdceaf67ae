"""Reflection asked for by hand: done now, or only foreseen."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from agentmem.domain.change import Change
from agentmem.domain.scope import Lane, Scope
from agentmem.memory.due import reflection_job
from agentmem.ports.journal import Journal
from agentmem.reflection.run import Run, anything_left, lanes_to_look_at
from agentmem.runtime.worker import Services

MOST_RUNS = 1_000
"""Runs of one reflection by hand, each of which takes a window of what is new."""


@dataclass(frozen=True, slots=True)
class ReflectionReport:
    """One run of `App.reflect`: how many memories it changed, by act."""

    run: str
    target: str
    acts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What one run of `App.reflect` would change about one target."""

    target: str
    changes: tuple[Change, ...]


async def reflect_now(
    journal: Journal, drain: Callable[[], Awaitable[None]], scope: Scope, key: str | None, *, now: datetime
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
    for turn in range(MOST_RUNS if key is None else 1):
        jobs = [reflection_job(lane, f"{cause}/{turn}" if turn else cause, 0, "hand") for lane in lanes]
        await journal.queue.enqueue(jobs)
        await drain()
        done = [await _report(journal, job.job_id, job.lane) for job in jobs]
        reports += (report for report in done if report.acts)
        acted = [job.lane for job, report in zip(jobs, done, strict=True) if report.acts]
        if not (lanes := [lane for lane in acted if await anything_left(ledger, lane.scope, now)]):
            break
    return reports


async def foresee(services: Services, scope: Scope) -> list[Foreseen]:
    """What reflecting now would change, one run for each lane where there is anything to do; nothing is written."""
    found: list[Foreseen] = []
    for lane in await lanes_to_look_at(services.journal.ledger, scope, services.clock.now()):
        run = Run(f"dry/{lane.target}", lane, await services.persona(lane), by_hand=True)
        commit = await services.reflector.foresee(run)
        if commit is not None:
            found.append(Foreseen(lane.target, await services.journal.ledger.preview(commit)))
    return found


async def _report(journal: Journal, run: str, lane: Lane) -> ReflectionReport:
    acts: dict[str, int] = {}
    for entry in await journal.ledger.of_run(lane.tenant, run):
        acts[entry.change.act] = acts.get(entry.change.act, 0) + 1
    return ReflectionReport(run, lane.target, acts)
