"""A journal's place on SQLite or PostgreSQL, and processes that use it beside the test's own."""

import asyncio
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.change import Change
from agentmem.domain.event import TurnSpoken
from agentmem.domain.ids import entity_id, memory_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.ports.ledger import Commit
from agentmem.ports.work_queue import Claim, Done
from tests.support.nodes import AGENT, NOON, TENANT, a_memory, a_turn

ROUTES: Mapping[str, Sequence[str]] = {"turn_spoken": ("conversation",), "conversation_ended": ("windows",)}
CONVERSATION = {"conversation": 10}
PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a journal is kept; every journal of one place sees the same data."""

    url: str
    file: Path | None = None

    def journal(self, *, routes: Mapping[str, Sequence[str]] = ROUTES, **options: Any) -> SqlJournal:
        """A journal of this place, not opened yet."""
        return SqlJournal(self.url, routes=routes, **options)


def said(lane: str, number: int, **fields: Any) -> TurnSpoken:
    """Turn `number` of the lane of customer `lane`."""
    agent = str(fields.get("agent_id", AGENT))
    tenant = str(fields.get("tenant", TENANT))
    return a_turn(f"{lane} {number}", number, run=lane, target_id=entity_id(tenant, agent, lane), **fields)


def verbatim(turn: TurnSpoken) -> MemoryNode:
    """The conversation memory of a turn, the same in every process and every attempt."""
    return a_memory(
        turn.text,
        memory_id=memory_id(turn.tenant, turn.agent_id, turn.event_id, "conversation", 0),
        tenant=turn.tenant,
        agent_id=turn.agent_id,
        target_id=turn.target_id,
        run_id=turn.run_id,
        memory_type=MemoryType.CONVERSATION,
        timestamp=turn.turn_index,
    )


def outcome(claim: Claim) -> Done:
    """One conversation memory per turn of the claim."""
    turns = [item.event for job in claim.jobs for item in job.events if isinstance(item.event, TurnSpoken)]
    changes = tuple(Change(act="add", after=verbatim(turn)) for turn in turns)
    return Done(commit=Commit(claim.lane.tenant, claim.jobs[0].job_id, "conversation", NOON, changes))


async def work_off(journal: SqlJournal, *, seen: list[str] | None = None) -> int:
    """Claim, stage and finish until nothing is ready; how many jobs."""
    jobs = 0
    while (claim := await journal.queue.claim(CONVERSATION)) is not None:
        for job in claim.jobs:
            await journal.queue.stage(claim, job.job_id, "{}")
            if seen is not None:
                seen.extend(item.event.event_id for item in job.events)
        await journal.queue.finish(claim, outcome(claim))
        jobs += len(claim.jobs)
    return jobs


async def until(true: Callable[[], bool]) -> None:
    """Wait, within bounds, for something that another thread or process brings about."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        await asyncio.sleep(0.002)


_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload([__name__])


def begin(task: Callable[..., Any], *args: object) -> BaseProcess:
    """Run a coroutine function of this module in a process of its own."""
    process = _processes.Process(target=_run, args=(task, args), daemon=True)
    process.start()
    return process


async def ended(process: BaseProcess) -> int:
    """The exit code of a process that is bound to end."""
    await asyncio.to_thread(process.join, PATIENCE)
    assert process.exitcode is not None, "the process did not end"
    return process.exitcode


def _run(task: Callable[..., Any], args: tuple[object, ...]) -> None:
    asyncio.run(task(*args))


def _dying_at(step: str) -> Callable[[str], None]:
    def hear(heard: str) -> None:
        if heard == step:
            os.kill(os.getpid(), signal.SIGKILL)

    return hear


async def append_all(place: Place, events: Sequence[TurnSpoken]) -> None:
    """Append the events, all at the same time."""
    async with place.journal() as journal:
        await asyncio.gather(*(journal.events.append([event], now=NOON) for event in events))


async def append_until(place: Place, step: str, events: Sequence[TurnSpoken], acknowledged: str) -> None:
    """Append the events one by one, writing down each answer, and die at the step named."""
    async with place.journal(on_commit=_dying_at(step)) as journal:
        for event in events:
            await journal.events.append([event], now=NOON)
            with Path(acknowledged).open("a") as answers:  # noqa: ASYNC230 - it must be on file before we are killed
                answers.write(event.event_id + "\n")


async def work_until(place: Place, step: str) -> None:
    """Work off what waits, and die at the step named."""
    async with place.journal(on_commit=_dying_at(step)) as journal:
        await work_off(journal)


async def claim_and_hang(place: Place, ready: Any) -> None:
    """Claim a lane, say so, and never come back."""
    async with place.journal() as journal:
        claim = await journal.queue.claim(CONVERSATION)
        ready.put(None if claim is None else claim.fence)
        await asyncio.Event().wait()


async def open_until(place: Place, statements: int) -> None:
    """Open an empty place, and die before so many statements were sent to the database."""

    @event.listens_for(Engine, "before_cursor_execute")
    def _count(*_: object) -> None:  # pyright: ignore[reportUnusedFunction]
        nonlocal statements
        statements -= 1
        if not statements:
            os.kill(os.getpid(), signal.SIGKILL)

    async with place.journal():
        pass


async def work_with_others(place: Place, total: int) -> None:
    """Work beside other processes until `total` memories are there."""
    async with place.journal() as journal:
        while await journal.ledger.head() < total:
            if not await work_off(journal):
                await journal.queue.wait(0.01)


async def commit_many(place: Place, name: str, count: int) -> None:
    """Write `count` memories, one commit each, a few at a time."""
    async with place.journal() as journal:
        turns = [said(name, number) for number in range(count)]

        async def write(turn: TurnSpoken) -> None:
            change = Change(act="add", after=verbatim(turn))
            await journal.ledger.commit(Commit(TENANT, turn.event_id, "test", NOON, (change,)))

        for start in range(0, count, 4):
            await asyncio.gather(*(write(turn) for turn in turns[start : start + 4]))


def message_queue() -> Any:
    """A queue between processes."""
    return _processes.Queue()
