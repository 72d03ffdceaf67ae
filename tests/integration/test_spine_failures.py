"""What fails is tried again, what keeps failing is put aside with its reason, and nobody else has to wait for it."""

import asyncio
import time
from asyncio import all_tasks
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Scope
from agentmem.domain.statement import MAX_STATEMENTS, Quote, Reading, Statement, Window
from agentmem.errors import BackendUnavailable, Busy, IndexBroken, LeaseLost, Unreachable
from agentmem.ledger.projection import Projector
from agentmem.ports.cognition import Read
from agentmem.ports.work_queue import Claim, Done
from agentmem.runtime.configuration.settings import QueueSettings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host import worker_host
from agentmem.runtime.host.services import load_workers
from agentmem.runtime.host.worker_host import WorkerHost
from tests.support import choking
from tests.support.cognition import ScriptedCognition, remembers_every_customer_turn
from tests.support.nodes import AGENT, TENANT, a_turn, an_ending
from tests.support.spine import PATIENCE, Failing, found, memories, quiet_persona, quoted, spine, valid

OBSERVATION, CONVERSATION = MemoryType.OBSERVATION, MemoryType.CONVERSATION
TALK = [a_turn("我想买车"), an_ending()]
READ = ["软件工程师罗小东说过:我想买车"]


async def test_a_cognition_that_fails_twice_and_then_works_loses_nothing(tmp_path: Path) -> None:
    cognition = Failing([RuntimeError("broken"), RuntimeError("broken again")])
    async with spine(tmp_path, cognition) as app:
        await app.accept(TALK)
        await app.drain(patience=PATIENCE)
        assert await valid(app, OBSERVATION) == READ
        assert cognition.calls == 3
        assert await app.journal.dead.dead(tenant=TENANT, limit=10) == []


async def test_a_cognition_that_always_fails_leaves_a_dead_letter_with_its_reason(tmp_path: Path) -> None:
    cognition = Failing([RuntimeError("no such model")] * 99)
    async with spine(tmp_path, cognition) as app:
        await app.accept(TALK)
        await app.drain(patience=PATIENCE)
        [letter] = await app.journal.dead.dead(tenant=TENANT, limit=10)
        assert (letter.worker, letter.attempts, letter.event_ids) == ("observation", 3, ("talk/0",))
        assert letter.reason == "RuntimeError: no such model"
        assert cognition.calls == 3
        assert await valid(app, CONVERSATION) == ["我想买车"]
        assert (await found(app, "买车")).hits


async def test_a_dead_letter_that_is_retried_is_read_as_if_nothing_had_been(tmp_path: Path) -> None:
    async with spine(tmp_path, Failing([RuntimeError("no such model")] * 3)) as app:
        await app.accept(TALK)
        await app.drain(patience=PATIENCE)
    async with spine(tmp_path) as app:
        [letter] = await app.journal.dead.dead(tenant=TENANT, limit=10)
        assert await app.journal.dead.retry_dead([letter.job_id], tenant=TENANT) == 1
        await app.drain(patience=PATIENCE)
        assert await valid(app, OBSERVATION) == READ
        assert await app.journal.dead.dead(tenant=TENANT, limit=10) == []
        assert (await app.index.verify()).ok


async def test_an_outage_costs_no_dead_letter_and_its_wish_to_wait_is_granted(tmp_path: Path) -> None:
    moments: list[float] = []

    class Timed(Failing):
        async def read(self, window: Window) -> Read:
            moments.append(time.time())
            return await super().read(window)

    outage = [BackendUnavailable("429", retry_after=0.15)] * 4  # more often than three attempts
    async with spine(tmp_path, Timed(outage)) as app:
        await app.accept(TALK)
        await app.drain(patience=PATIENCE)
        assert await valid(app, OBSERVATION) == READ
    gaps = [later - earlier for earlier, later in pairwise(moments)]
    assert len(gaps) == 4
    assert min(gaps) >= 0.15


async def test_a_service_that_cannot_be_reached_is_told_of_once_and_waited_for_only_where_that_is_wished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_host, "OUTAGE_PATIENCE", 0.3)
    cognition, told = Failing([Unreachable("no model there")] * 1_000), list[str]()
    async with spine(tmp_path, cognition, on_outage=told.append) as app:
        await app.accept(TALK)
        begun = time.monotonic()
        await app.drain(patience=PATIENCE, outages=False)
        assert time.monotonic() - begun < PATIENCE / 2
        assert told == ["no model there; what waits for it is kept, and tried again"]
        assert await app.upkeep.setback() == "Unreachable: no model there"
        assert await app.journal.dead.dead(tenant=TENANT, limit=10) == []
        cognition.errors.clear()
        await app.drain(patience=PATIENCE)
        assert await valid(app, OBSERVATION) == READ
        assert await app.upkeep.setback() is None
        cognition.errors.append(Unreachable("gone again"))
        await app.accept([a_turn("我想买房", 5, run="more"), an_ending("more")])
        await app.drain(patience=PATIENCE)
        assert len(told) == 2


async def test_what_needs_repair_is_tried_no_more_often_than_any_other_failure(tmp_path: Path) -> None:
    cognition = Failing([IndexBroken("run `agentmem index rebuild`")] * 99)
    async with spine(tmp_path, cognition) as app:
        await app.accept(TALK)
        await app.drain(patience=PATIENCE)
        [letter] = await app.journal.dead.dead(tenant=TENANT, limit=10)
        assert letter.reason == "IndexBroken: run `agentmem index rebuild`"
        assert cognition.calls == 3


async def test_an_index_that_needs_repair_is_told_once_and_the_other_work_goes_on(tmp_path: Path) -> None:
    stop, asked = asyncio.Event(), list[str]()

    class Broken:
        async def catch_up(self) -> int:
            asked.append("catch_up")
            raise IndexBroken("run `agentmem index rebuild`")

    async def over(app: App) -> bool:
        return bool(await valid(app, OBSERVATION)) and "projection" not in {task.get_name() for task in all_tasks()}

    async with spine(tmp_path) as app:
        workers = [worker(app.services) for worker in load_workers(("agentmem_workers",))]
        host = WorkerHost(app.services, workers, cast(Projector, Broken()), app.settings.workers)
        await app.accept(TALK)
        async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
            tasks.create_task(host.serve(stop))
            while not await over(app):
                await app.journal.queue.wait(0.01)
            stop.set()
    assert asked == ["catch_up"]


async def test_a_poisoned_conversation_holds_up_no_other(tmp_path: Path) -> None:
    def script(window: Window) -> Reading:
        if any("毒" in turn.text for turn in window.turns):
            raise ValueError("poison")
        return remembers_every_customer_turn(window)

    names = [f"客户{number}" for number in range(6)]
    async with spine(tmp_path, ScriptedCognition(script), persona=quiet_persona(turns=1)) as app:
        for number, name in enumerate(names):
            target = entity_id(TENANT, AGENT, name)
            text = "毒" if number == 0 else f"我是{name}"
            await app.accept([a_turn(text, run=name, target_id=target, person={"name": name})])
        await app.drain()  # without patience: the poison is still between two attempts
        read = [node.target_name for node in await memories(app, OBSERVATION)]
        assert sorted(read) == names[1:]
        await app.drain(patience=PATIENCE)
        [letter] = await app.journal.dead.dead(tenant=TENANT, limit=10)
        assert letter.lane.target == entity_id(TENANT, AGENT, names[0])


async def test_one_bad_event_in_a_batch_goes_alone(tmp_path: Path) -> None:
    choking.swallowed.clear()
    texts = ["一", "二", "毒", "四", "五"]
    modules = ("agentmem_workers", "tests.support.choking")
    async with spine(tmp_path, worker_modules=modules) as app:
        await app.accept([a_turn(text, number) for number, text in enumerate(texts)])
        await app.drain(patience=PATIENCE)
        assert choking.swallowed == ["一", "二", "四", "五"]
        [letter] = await app.journal.dead.dead(tenant=TENANT, limit=10)
        assert (letter.worker, letter.event_ids, letter.reason) == ("choking", ("talk/2",), "ValueError: choked on 毒")
        assert await valid(app, CONVERSATION) == texts


def beyond_the_text(window: Window) -> Reading:
    return _reading(Quote(turn_id=window.turns[0].turn_id, start=0, end=10_000))


def from_nowhere(_: Window) -> Reading:
    return _reading(Quote(turn_id="00000000-0000-5000-8000-000000000009", start=0, end=1))


def backwards(window: Window) -> Reading:
    return _reading(Quote(turn_id=window.turns[0].turn_id, start=3, end=1))


def of_earlier_turns_only(window: Window) -> Reading:
    return _reading(quoted(window, "早先说的")) if window.context else Reading()


def too_many(window: Window) -> Reading:
    quote = Quote(turn_id=window.turns[0].turn_id, start=0, end=1)
    return Reading(
        statements=tuple(Statement(content=f"第{n}句话", quotes=(quote,)) for n in range(MAX_STATEMENTS + 1))
    )


def _reading(quote: Quote) -> Reading:
    sound = Statement(content="罗小东想买车", quotes=(quote,))
    return Reading(statements=(sound,))


@pytest.mark.parametrize("script", [beyond_the_text, from_nowhere, backwards, of_earlier_turns_only, too_many])
async def test_a_bad_reading_changes_nothing(tmp_path: Path, script: Callable[[Window], Reading]) -> None:
    async with spine(tmp_path, ScriptedCognition(script), persona=quiet_persona(turns=1)) as app:
        await app.accept([a_turn("早先说的", 0)])
        await app.drain(patience=PATIENCE)
        await app.accept([a_turn("后来说的", 1)])
        await app.drain(patience=PATIENCE)
        letters = await app.journal.dead.dead(tenant=TENANT, limit=10)
        assert letters
        assert all(letter.reason.startswith("BadAnswer: ") for letter in letters)
        assert [node.content for node in await memories(app)] == ["早先说的", "后来说的"]


async def test_work_under_way_when_asked_to_stop_is_given_back_and_done_by_the_next(tmp_path: Path) -> None:
    thinking = asyncio.Event()

    class Absent(ScriptedCognition):
        async def read(self, window: Window) -> Read:
            thinking.set()
            await asyncio.Event().wait()
            raise AssertionError

    async with spine(tmp_path, Absent(), workers={"grace": 0.05}) as app:
        stop = asyncio.Event()
        await app.accept(TALK)
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
            tasks.create_task(app.serve(stop))
            await thinking.wait()
            stop.set()
        assert (await app.journal.queue.depth()).leased == 0
    async with spine(tmp_path) as app:
        await app.drain()  # without patience: nothing has to run out first
        assert await valid(app, OBSERVATION) == READ
        assert await app.journal.dead.dead(tenant=TENANT, limit=10) == []


class Gone:
    """The app's own queue, except that the store is gone when an outcome and when its failure are to be written."""

    def __init__(self, app: App) -> None:
        self._queue = app.journal.queue
        self.refused: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)

    async def finish(self, claim: Claim, done: Done) -> None:
        self._refuse_once("finish")
        await self._queue.finish(claim, done)

    async def fail(self, claim: Claim, job_id: str, *, reason: str, retry_in: float | None) -> None:
        self._refuse_once("fail")
        await self._queue.fail(claim, job_id, reason=reason, retry_in=retry_in)

    def _refuse_once(self, step: str) -> None:
        if step not in self.refused:
            self.refused.append(step)
            raise BackendUnavailable("the server was restarted")


def host_on(app: App, queue: object) -> WorkerHost:
    """The app's workers, on another queue."""
    journal = SimpleNamespace(
        queue=queue,
        events=app.journal.events,
        registry=app.journal.registry,
        ledger=app.journal.ledger,
        marks=app.journal.marks,
    )
    services = replace(app.services, journal=cast(Any, journal))
    workers = [worker(app.services) for worker in load_workers(app.settings.worker_modules)]
    return WorkerHost(services, workers, None, app.settings.workers)


class TakenOver:
    """The app's own queue, except that the first lease is lost to another task of the same process."""

    def __init__(self, app: App) -> None:
        self._queue = app.journal.queue
        self._claimed_again = asyncio.Event()
        self._ended = asyncio.Event()
        self.fences: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)

    async def finish(self, claim: Claim, done: Done) -> None:
        self.fences.append(claim.fence)
        match len(self.fences):
            case 1:
                await self._queue.release(claim)
                await self._claimed_again.wait()
                self._ended.set()
                raise LeaseLost("the lease was taken over")
            case 2:
                self._claimed_again.set()
                await self._ended.wait()
            case _:
                pass
        await self._queue.finish(claim, done)


async def test_a_lease_lost_to_the_same_process_ends_nothing_but_the_old_claim(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        queue, stop = TakenOver(app), asyncio.Event()
        host = host_on(app, queue)
        await app.accept(TALK)
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
            tasks.create_task(host.serve(stop))
            while await valid(app, OBSERVATION) != READ:
                await app.journal.queue.wait(0.1)
            stop.set()
        assert queue.fences[0] < queue.fences[1]


async def test_workers_outlive_a_restart_of_the_store(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        gone, stop = Gone(app), asyncio.Event()
        host = host_on(app, gone)
        await app.accept(TALK)
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
            tasks.create_task(host.serve(stop))
            while await valid(app, OBSERVATION) != READ:
                await app.journal.queue.wait(0.1)
            stop.set()
        assert gone.refused == ["finish", "fail"]
        assert await app.journal.dead.dead(tenant=TENANT, limit=10) == []


class Counted:
    """The app's own queue, which counts how often it is asked for work."""

    def __init__(self, app: App) -> None:
        self._queue = app.journal.queue
        self.claims = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)

    async def claim(self, workers: Mapping[str, int], *, scope: Scope | None = None) -> Claim | None:
        self.claims += 1
        return await self._queue.claim(workers, scope=scope)


@dataclass
class Thinking(ScriptedCognition):
    """Reads for a while; `looks`: how often somebody looked for work meanwhile."""

    queue: Counted | None = None
    looks: int = 0

    async def read(self, window: Window) -> Read:
        assert self.queue is not None
        before = self.queue.claims
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 0.4)
        self.looks = self.queue.claims - before
        return await super().read(window)


async def test_whoever_waits_for_a_model_hardly_asks_the_queue(tmp_path: Path) -> None:
    cognition = Thinking()
    async with spine(tmp_path, cognition) as app:
        cognition.queue = Counted(app)
        await app.accept(TALK)
        await host_on(app, cognition.queue).drain(patience=PATIENCE)
        assert await valid(app, OBSERVATION) == READ
        assert cognition.looks <= 4


async def test_a_full_queue_refuses_and_takes_the_same_again_later(tmp_path: Path) -> None:
    spoken = [a_turn(f"第{number}句", number) for number in range(6)]
    async with spine(tmp_path, queue=QueueSettings(capacity=3)) as app:
        for turn in spoken[:3]:
            await app.accept([turn])
        with pytest.raises(Busy, match="3 jobs wait already") as refusal:
            await app.accept([spoken[3]])
        assert refusal.value.retry_after
        await app.drain()
        await app.accept(spoken[3:])
        await app.drain()
        assert await valid(app, CONVERSATION) == [turn.text for turn in spoken]


async def test_what_one_tenant_gave_up_is_not_shown_to_another(tmp_path: Path) -> None:
    async with spine(tmp_path, Failing([RuntimeError("broken")] * 99)) as app:
        await app.accept(TALK)
        await app.drain(patience=PATIENCE)
        [letter] = await app.journal.dead.dead(tenant=TENANT, limit=10)
        assert await app.journal.dead.dead(tenant="other", limit=10) == []
        assert await app.journal.dead.retry_dead([letter.job_id], tenant="other") == 0
