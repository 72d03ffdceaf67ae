"""Reflection by the clock: what it finds it puts right once, what it did can be taken back, and nothing else is done.

The tests wait for what is to happen, not for a time to pass.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agentmem.domain.change import Change
from agentmem.domain.event import Person
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.domain.statement import Insight, Pair, Usage, Window
from agentmem.ports.cognition import Judged, Read, Reflected, ReflectionInput
from agentmem.ports.ledger import Commit
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock, WallClock
from agentmem.runtime.host.scheduler import ReflectionClock
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, NOON, TENANT, a_memory, a_turn
from tests.support.spine import LATER, SCOPE, memories, payloads, quiet_persona, spine, states, valid

OBSERVATION, INSIGHT = MemoryType.OBSERVATION, MemoryType.INSIGHT
EVERY_SECOND = quiet_persona(cron="* * * * * *")
COFFEE = "罗小东喜欢喝咖啡"
TIMEOUT = 20.0


class Thoughtful(ScriptedCognition):
    """Draws one insight from whatever it is shown, and counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        self.asked.append("judge")
        return Judged((), Usage(calls=1))

    async def reflect(self, request: ReflectionInput) -> Reflected:
        self.asked.append("reflect")
        sources = tuple(node.memory_id for node in request.observations)
        insight = Insight(attribute="口味", value="偏苦", content="罗小东口味偏苦", source_ids=sources)
        return Reflected((insight,), Usage(calls=1))


def phone(number: str, at: datetime) -> MemoryNode:
    return a_memory(f"罗小东的电话是{number}", attribute="phone", value=number, valid_at=at)


def planted() -> list[MemoryNode]:
    """One thing twice, and two numbers where there is one."""
    return [
        a_memory(COFFEE, valid_at=NOON - timedelta(hours=3)),
        a_memory(COFFEE, valid_at=NOON - timedelta(hours=2)),
        phone("13900139000", NOON - timedelta(hours=1)),
        phone("13800138000", NOON - timedelta(hours=3)),
    ]


async def plant(app: App, nodes: Sequence[MemoryNode]) -> None:
    """Put memories there as if workers had made them, in a lane that has heard something."""
    await app.accept([a_turn("你好", extract=False)])
    await app.host.drain()
    await write(app, "planted", [Change(act="add", after=node) for node in nodes])


async def write(app: App, run: str, changes: Sequence[Change]) -> None:
    await app.journal.ledger.commit(Commit(TENANT, run, "test", LATER, tuple(changes)))


@asynccontextmanager
async def serving(app: App) -> AsyncGenerator[None]:
    """Workers and clock at work while the body runs."""
    stop = asyncio.Event()
    async with asyncio.timeout(TIMEOUT), asyncio.TaskGroup() as tasks:
        tasks.create_task(app.serve(stop))
        try:
            yield
        finally:
            stop.set()


async def until(app: App, happened: Callable[[], Awaitable[bool]]) -> None:
    """Look again whenever the journal was written, until it has happened; the time limit is `serving`'s."""
    while not await happened():
        await app.journal.queue.wait(0.1)


async def ticked(app: App) -> str | None:
    return await app.journal.marks.mark(f"reflection.ticked/{TENANT}/{AGENT}")


async def two_more_ticks(app: App) -> None:
    for _ in range(2):
        before = await ticked(app)

        async def again(before: str | None = before) -> bool:
            return await ticked(app) != before

        await until(app, again)


async def reflected(app: App) -> bool:
    return any(node.obs_reflected for node in await memories(app, OBSERVATION))


async def reflection_runs(app: App) -> set[str]:
    histories = [await app.journal.ledger.history(TENANT, node.memory_id) for node in await memories(app)]
    return {entry.run for history in histories for entry in history if entry.cause == "reflection"}


async def test_a_tick_retires_a_duplicate_and_ends_the_older_of_two_numbers(tmp_path: Path) -> None:
    first, again, newer, older = planted()
    async with spine(tmp_path, Thoughtful(), clock=WallClock(UTC), persona=EVERY_SECOND) as app:
        await plant(app, [first, again, newer, older])
        async with serving(app):
            await until(app, lambda: reflected(app))
        held = {node.memory_id: node for node in await memories(app, OBSERVATION)}
        gone = held[again.memory_id]
        assert (gone.store_status, gone.invalid_at) == (StoreStatus.EXPIRED, gone.valid_at)
        assert gone.superseded_by == first.memory_id
        ended = held[older.memory_id]
        assert (ended.store_status, ended.invalid_at) == (StoreStatus.EXPIRED, newer.valid_at)
        assert ended.superseded_by == newer.memory_id
        assert sorted(await valid(app, OBSERVATION)) == sorted([COFFEE, newer.content])
        assert await valid(app, INSIGHT) == ["罗小东口味偏苦"]
        assert (await app.index.verify()).ok


@pytest.mark.thorough
async def test_a_tick_without_news_writes_nothing_and_asks_no_model(tmp_path: Path) -> None:
    cognition = Thoughtful()
    async with spine(tmp_path, cognition, clock=WallClock(UTC), persona=EVERY_SECOND) as app:
        await plant(app, planted())
        async with serving(app):
            await until(app, lambda: reflected(app))
            held, asked = await as_bytes(app), list(cognition.asked)
            await two_more_ticks(app)
        assert await as_bytes(app) == held
        assert cognition.asked == asked
        assert asked.count("reflect") == 1
        assert await app.reflect(SCOPE) == []
        assert await as_bytes(app) == held


@pytest.mark.thorough
async def test_ten_schedulers_cause_one_run(tmp_path: Path) -> None:
    cognition = Thoughtful()
    async with spine(tmp_path, cognition, clock=WallClock(UTC), persona=EVERY_SECOND) as app:
        await plant(app, planted())
        async with AsyncExitStack() as stack:
            for _ in range(9):
                await stack.enter_async_context(ReflectionClock(app.services).running())
            async with serving(app):
                await until(app, lambda: reflected(app))
                await two_more_ticks(app)
        assert len(await reflection_runs(app)) == 1
        assert cognition.asked.count("reflect") == 1


async def test_one_tick_of_ten_clocks_is_queued_once(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant(app, planted())
        clocks = [ReflectionClock(app.services) for _ in range(10)]
        queued = await asyncio.gather(*(clock.tick(TENANT, AGENT, LATER, LATER) for clock in clocks))
        assert sorted(queued) == [0] * 9 + [1]


async def test_undo_restores_every_memory_byte_for_byte(tmp_path: Path) -> None:
    async with spine(tmp_path, Thoughtful(), clock=WallClock(UTC), persona=EVERY_SECOND) as app:
        await plant(app, planted())
        before, indexed = await as_bytes(app), await payloads_now(app)
        async with serving(app):
            await until(app, lambda: reflected(app))
        assert await as_bytes(app) != before
        [run] = await reflection_runs(app)
        report = await app.undo(run)
        assert report.blocked == ()
        assert await as_bytes(app) == before
        assert await payloads_now(app) == indexed
        assert (await app.index.verify()).ok


async def test_undo_names_what_was_changed_since_and_cascade_goes_on(tmp_path: Path) -> None:
    first, again, newer, older = planted()
    async with spine(tmp_path, Thoughtful()) as app:
        await plant(app, [first, again, newer, older])
        before = await as_bytes(app)
        [report] = await app.reflect(SCOPE)
        [held] = [node for node in await memories(app, OBSERVATION) if node.memory_id == newer.memory_id]
        since = held.revised(importance=9, revision=held.revision + 1)
        await write(app, "since", [Change(act="refresh", before=held, after=since)])
        after = await as_bytes(app)
        refused = await app.undo(report.run)
        assert (refused.run, refused.restored, refused.blocked) == (None, (), (newer.memory_id,))
        assert await as_bytes(app) == after
        cascaded = await app.undo(report.run, cascade=True)
        assert cascaded.blocked == (newer.memory_id,)
        assert newer.memory_id in cascaded.restored
        assert await as_bytes(app) == before


async def test_reflections_missed_while_nothing_ran_are_made_up_for_once(tmp_path: Path) -> None:
    clock, cognition = ManualClock(LATER), Thoughtful()
    async with spine(tmp_path, cognition, clock=clock, persona=quiet_persona(cron="0 3 * * *")) as app:
        await plant(app, planted())
        await app.drain()
        assert cognition.asked == []
        clock.advance(timedelta(days=5))
        await app.drain()
        assert cognition.asked.count("reflect") == 1
        await app.drain()
        assert len(await reflection_runs(app)) == 1


async def test_a_day_of_ticks_does_not_feed_reflection_with_its_own_insights(tmp_path: Path) -> None:
    clock, cognition = ManualClock(LATER), Thoughtful()
    async with spine(tmp_path, cognition, clock=clock, persona=quiet_persona(cron="0 * * * *")) as app:
        await plant(app, planted())
        await app.drain()
        for _ in range(24):
            clock.advance(timedelta(hours=1))
            await app.drain()
        assert cognition.asked.count("reflect") == 1
        assert len(await memories(app, INSIGHT)) == 1


async def test_what_two_customers_say_at_once_about_a_third_person_is_held_once(tmp_path: Path) -> None:
    words, both = "王芳的电话是13800138000", asyncio.Barrier(2)
    about = states(words, words, about="王芳", attribute="phone", value="13800138000")

    class Abreast(ScriptedCognition):
        first = 2

        async def read(self, window: Window) -> Read:
            if self.first:
                self.first -= 1
                await both.wait()  # neither sees what the other writes
            return await super().read(window)

    async with spine(tmp_path, Abreast(about), persona=quiet_persona(turns=1)) as app:
        for name in ("甲", "乙"):
            target = entity_id(TENANT, AGENT, name)
            await app.accept([a_turn(f"我朋友{words}", run=name, person=Person(name=name), target_id=target)])
        await app.drain(patience=TIMEOUT)
        assert await valid(app, OBSERVATION) == [words]


async def test_a_memory_changed_while_the_model_thinks_keeps_that_change(tmp_path: Path) -> None:
    thinking, go = asyncio.Event(), asyncio.Event()

    class Slow(Thoughtful):
        async def reflect(self, request: ReflectionInput) -> Reflected:
            thinking.set()
            await go.wait()
            return await super().reflect(request)

    first, again, newer, older = planted()
    cognition = Slow()
    async with spine(tmp_path, cognition) as app, asyncio.timeout(TIMEOUT), asyncio.TaskGroup() as tasks:
        await plant(app, [first, again, newer, older])
        reflection = tasks.create_task(app.reflect(SCOPE))
        await thinking.wait()
        changed = newer.revised(importance=9, revision=2)
        await write(app, "meanwhile", [Change(act="refresh", before=newer, after=changed)])
        go.set()
        [report] = await reflection
        assert report.acts
        [held] = [node for node in await memories(app, OBSERVATION) if node.memory_id == newer.memory_id]
        assert (held.importance, held.obs_reflected, held.store_status) == (9, 1, StoreStatus.VALID)
        assert cognition.asked.count("reflect") == 1, "what was staged is planned anew, not thought anew"
        assert await app.journal.dead.dead(tenant=TENANT, limit=10) == []


async def as_bytes(app: App) -> dict[str, str]:
    return {node.memory_id: node.model_dump_json() for node in await memories(app)}


async def payloads_now(app: App) -> object:
    await app.searchable.projector.catch_up()
    return await payloads(app)
