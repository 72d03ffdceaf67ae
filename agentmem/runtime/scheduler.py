"""The clock of reflection: APScheduler says when, the journal decides that each tick happens once.

A tick queues a job per lane with news under an id made of lane and tick, so ten schedulers cause one run.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger

from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.errors import BackendUnavailable, InvalidInput
from agentmem.memory.due import reflection_job
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Selection
from agentmem.runtime.worker import Services

log = structlog.get_logger()

REFRESH_SECONDS = 10


def cron_trigger(line: str) -> CronTrigger:
    """Five fields as in crontab, or six with the seconds first. Raises `InvalidInput`."""
    fields = line.split()
    try:
        if len(fields) == 6:
            second, minute, hour, day, month, weekday = fields
            return CronTrigger(second=second, minute=minute, hour=hour, day=day, month=month, day_of_week=weekday)
        return CronTrigger.from_crontab(line)  # pyright: ignore[reportUnknownMemberType] - APScheduler 3 has no types
    except ValueError as error:
        raise InvalidInput(
            f"memory.reflect.cron: {line!r}: {error}; allowed: five fields, or six with seconds"
        ) from error


async def tick(services: Services, tenant: str, agent_id: str, at: datetime) -> int:
    """Queue a reflection for each lane of the agent that has unreflected observations; how many were new."""
    journal = services.journal
    lanes = await journal.events.lanes(Scope(tenant, agent_id))
    jobs = [
        reflection_job(lane, f"cron/{at.replace(microsecond=0).isoformat()}", 0, "cron")
        for lane in lanes
        if await has_news(journal, lane.scope)
    ]
    return await journal.queue.enqueue(jobs) if jobs else 0


async def has_news(journal: Journal, scope: Scope) -> bool:
    """Whether there are valid observations that no reflection has looked at."""
    selection = Selection(scope, types=(MemoryType.OBSERVATION,), statuses=(StoreStatus.VALID,))
    return any(not node.obs_reflected for node in await journal.ledger.select(selection))


class ReflectionClock:
    """Keeps one timer per agent that has a cron line, and follows agents as they come and change."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._scheduler = AsyncIOScheduler(
            job_defaults={"coalesce": True, "misfire_grace_time": None, "max_instances": 1}
        )
        self._lines: dict[tuple[str, str], str] = {}

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Tick while the body runs."""
        await self.refresh()
        self._scheduler.add_job(  # pyright: ignore[reportUnknownMemberType] - APScheduler 3 has no types
            self.refresh, "interval", seconds=REFRESH_SECONDS, id="agents"
        )
        self._scheduler.start()
        try:
            yield
        finally:
            self._scheduler.shutdown(wait=False)

    async def refresh(self) -> None:
        """Take up agents that are new or have another cron line."""
        try:
            for tenant, persona in await self._services.journal.registry.everyone():
                self._follow(tenant, persona)
        except BackendUnavailable as error:
            log.warning("agents_not_refreshed", reason=str(error))

    def _follow(self, tenant: str, persona: Persona) -> None:
        line, key = persona.memory.reflect.cron, (tenant, persona.id)
        if line is None or self._lines.get(key) == line:
            return
        try:
            trigger = cron_trigger(line)
        except InvalidInput as error:
            log.warning("cron_line_ignored", agent=persona.id, reason=str(error))
            return
        self._lines[key] = line
        self._scheduler.add_job(  # pyright: ignore[reportUnknownMemberType] - APScheduler 3 has no types
            self._tick, trigger, args=key, id="/".join(key), replace_existing=True
        )

    async def _tick(self, tenant: str, agent_id: str) -> None:
        try:
            queued = await tick(self._services, tenant, agent_id, self._services.clock.now())
        except BackendUnavailable as error:
            log.warning("tick_failed", agent=agent_id, reason=str(error))
        else:
            log.info("tick", agent=agent_id, queued=queued)
