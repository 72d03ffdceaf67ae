"""The clock of reflection: APScheduler says when, the journal decides that each tick happens once.

A tick queues a job per lane with news, under an id made of lane and tick, so ten schedulers cause one run. The time of
an agent's last tick is kept as a mark: a process that starts later makes up for the ticks that were missed, once.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, tzinfo
from typing import cast

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger

from agentmem.domain.bounds import MAX_TIME
from agentmem.domain.memory import local_day
from agentmem.domain.scope import Scope
from agentmem.errors import BackendUnavailable, InvalidInput, Unreadable, input_faults, without_content
from agentmem.graph.communities.community_keeper import grouping_anew
from agentmem.memory.episodes import reflection_job
from agentmem.reflection.reflect import lanes_to_look_at
from agentmem.runtime.host.services import Services

log = structlog.get_logger()

REFRESH_SECONDS = 10

LOOK_BACK = (timedelta(minutes=2), timedelta(hours=2), timedelta(days=2), timedelta(days=70), timedelta(days=1_500))
"""How far back the last tick is looked for, step by step: a line is due every second, or once in a leap year."""


def cron_trigger(line: str, zone: tzinfo | None = None) -> CronTrigger:
    """Five fields as in crontab, or six with the seconds first, told in `zone`. Raises `InvalidInput`."""
    fields = line.split()
    try:
        if len(fields) == 6:
            names = ("second", "minute", "hour", "day", "month", "day_of_week")
            return CronTrigger(**dict(zip(names, fields, strict=True)), timezone=zone)
        return CronTrigger.from_crontab(line, zone)  # pyright: ignore[reportUnknownMemberType] - untyped library
    except ValueError as error:
        raise InvalidInput(
            f"memory.reflect.cron: {line!r}: {error}; allowed: five fields, or six with the seconds first"
        ) from error


def last_due(line: str, now: datetime) -> datetime:
    """The last time at or before `now` at which the line was due; `now` itself where there is none in `LOOK_BACK`."""
    trigger = cron_trigger(line, now.tzinfo)
    for back in LOOK_BACK:
        due, last = _next(trigger, now - back), None
        while due is not None and due <= now:
            last, due = due, _next(trigger, due + timedelta(microseconds=1))
        if last is not None:
            return last
    return now


def next_due(line: str, now: datetime) -> datetime | None:
    """The first time after `now` at which the line is due; None where there is none."""
    return _next(cron_trigger(line, now.tzinfo), now + timedelta(microseconds=1))


def _next(trigger: CronTrigger, since: datetime) -> datetime | None:
    due = trigger.get_next_fire_time(None, since)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - untyped library
    return cast(datetime | None, due)


class ReflectionClock:
    """Ticks for every agent whose persona has a cron line."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._journal = services.journal

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Tick while the body runs; agents that come or change are followed."""
        scheduler = AsyncIOScheduler(job_defaults={"coalesce": True, "misfire_grace_time": None, "max_instances": 1})
        followed: dict[str, str] = {}

        async def follow() -> None:
            lines = await self._lines()
            for key in followed.keys() - {f"{tenant}/{agent_id}" for tenant, agent_id, _ in lines}:
                del followed[key]
                scheduler.remove_job(key)  # pyright: ignore[reportUnknownMemberType] - untyped library
            for tenant, agent_id, line in lines:
                key = f"{tenant}/{agent_id}"
                if followed.get(key) != line:
                    followed[key] = line
                    trigger = cron_trigger(line, self._services.clock.now().tzinfo)
                    scheduler.add_job(  # pyright: ignore[reportUnknownMemberType] - untyped library
                        self._tick_now, trigger, args=(tenant, agent_id, line), id=key, replace_existing=True
                    )

        await self.make_up()
        await follow()
        scheduler.add_job(  # pyright: ignore[reportUnknownMemberType] - untyped library
            follow, "interval", seconds=REFRESH_SECONDS, id="agents"
        )
        scheduler.start()
        try:
            yield
        finally:
            scheduler.shutdown(wait=False)

    async def make_up(self) -> None:
        """Tick once for each agent whose cron line was due since its last tick."""
        now = self._services.clock.now()
        for tenant, agent_id, line in await self._lines():
            try:
                with input_faults():
                    await self._make_up(tenant, agent_id, line, now)
            except Unreadable as error:
                log.warning("tick_skipped", tenant=tenant, agent=agent_id, reason=without_content(error))

    async def _make_up(self, tenant: str, agent_id: str, line: str, now: datetime) -> None:
        last = await self._journal.marks.mark(_mark(tenant, agent_id))
        # A tick later than now was dated by a clock that ran ahead: waiting until then would leave out all in between.
        if last is None or (since := _moment(last)) is None or since > now:
            await self._journal.marks.set_mark(_mark(tenant, agent_id), now.isoformat())
            return
        due = next_due(line, since.astimezone(now.tzinfo))
        if due is not None and due <= now:
            await self.tick(tenant, agent_id, due, now)

    async def tick(self, tenant: str, agent_id: str, due: datetime, now: datetime) -> int:
        """Queue a reflection for each lane of the agent with news, or with memories to which time does something; how
        many were new. `due` names the tick. Communities are grouped anew at the first tick of a day that has any."""
        cause = f"cron/{due.replace(microsecond=0).isoformat()}"
        lanes = await lanes_to_look_at(self._journal.ledger, Scope(tenant, agent_id), now)
        jobs = [reflection_job(lane, cause, 0, "cron") for lane in lanes]
        queued = await self._journal.queue.enqueue(jobs) if jobs else 0
        if jobs:
            # Once a day: it reads all that the agent knows. What changes in between is taken in as it comes.
            day = grouping_anew(tenant, agent_id, f"day/{local_day(due)}")
            await self._journal.queue.enqueue([day])
        await self._journal.marks.set_mark(_mark(tenant, agent_id), now.isoformat())
        return queued

    async def _tick_now(self, tenant: str, agent_id: str, line: str) -> None:
        """A tick is named by the time it was due: however late each of several clocks strikes, they mean the same."""
        now = self._services.clock.now()
        try:
            queued = await self.tick(tenant, agent_id, last_due(line, now), now)
        except BackendUnavailable as error:
            log.warning("tick_failed", agent=agent_id, reason=without_content(error))
        else:
            log.info("ticked", agent=agent_id, queued=queued)

    async def _lines(self) -> list[tuple[str, str, str]]:
        """Tenant, agent and cron line of all who have one; a line that means nothing concerns nobody but its agent."""
        found: list[tuple[str, str, str]] = []
        for tenant, persona in await self._journal.registry.everyone():
            line = persona.memory.reflect.cron
            try:
                if line is not None and cron_trigger(line):
                    found.append((tenant, persona.id, line))
            except InvalidInput as error:
                log.warning("cron_line_ignored", tenant=tenant, agent=persona.id, reason=without_content(error))
        return found


def _moment(written: str) -> datetime | None:
    """The time of a tick; None where it is none."""
    try:
        found = datetime.fromisoformat(written)
    except ValueError:
        return None
    return found if found.tzinfo is not None and found < MAX_TIME else None


def _mark(tenant: str, agent_id: str) -> str:
    return f"reflection.ticked/{tenant}/{agent_id}"
