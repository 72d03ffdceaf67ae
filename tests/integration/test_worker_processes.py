"""Worker processes side by side: on PostgreSQL they share the conversations, and one that is killed leaves no gap."""

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agentmem.domain.event import Person, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.facade.app import App
from tests.support.beside import Task, line, signed
from tests.support.nodes import AGENT, TENANT, a_turn
from tests.support.postgres import POSTGRES, schema
from tests.support.spine import SCOPE, quiet_persona

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
FEW, MANY, WINDOW = 80, 1_000, 2
"""Conversations here and in soak, and the turns of a window."""

PATIENCE = 100.0


def conversation(number: int) -> list[TurnSpoken]:
    """One window long, every tenth one three."""
    name = f"客户{number}"
    target = entity_id(TENANT, AGENT, name)
    return [
        a_turn(f"{name}第{place}句", place, run=name, target_id=target, person=Person(name=name))
        for place in range(WINDOW if number % 10 else 3 * WINDOW)
    ]


@asynccontextmanager
async def worker(task: Task) -> AsyncGenerator[asyncio.subprocess.Process]:
    """A worker process that is at work while the body runs, and ends in order afterwards unless it was killed."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.beside", stdin=pipe, stdout=pipe, cwd=ROOT
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(line(task))
        assert await process.stdout.readline() == b"ready\n"
        yield process
        process.stdin.close()
        await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def until(app: App, happened: Callable[[], Awaitable[bool]]) -> None:
    """Look again and again; the time limit is the test's."""
    while not await happened():
        await app.journal.queue.wait(0.2)


async def idle(app: App) -> bool:
    depth = await app.journal.queue.depth()
    return not (depth.ready or depth.delayed or depth.leased)


async def of_layer(app: App, layer: MemoryType) -> list[MemoryNode]:
    return list(await app.memories(Selection(SCOPE, types=(layer,), limit=100_000)))[::-1]


@pytest.mark.longer
@pytest.mark.external
async def test_two_processes_share_many_conversations_though_one_is_killed(tmp_path: Path, longer: int) -> None:
    conversations = FEW if longer == 1 else MANY
    with schema() as name:
        tasks = [Task(f"worker-{number}", str(tmp_path), TENANT, POSTGRES, name) for number in range(2)]
        async with (
            asyncio.timeout(PATIENCE),
            open_app(tasks[0].settings, cognition=signed("nobody"), index=False) as app,
        ):
            await app.know_agent(quiet_persona(turns=WINDOW))
            talks = [conversation(number) for number in range(conversations)]
            async with worker(tasks[0]) as doomed, worker(tasks[1]) as survivor:
                await app.accept([turn for talk in talks for turn in talk])
                await until(app, lambda: several_were_read(app))
                doomed.kill()
                await doomed.wait()
                await until(app, lambda: idle(app))
                assert survivor.returncode is None
            await nothing_is_missing_doubled_or_out_of_order(app, talks)
            readers = Counter(node.content.split(" ")[0] for node in await of_layer(app, MemoryType.OBSERVATION))
            assert set(readers) == {"worker-0", "worker-1"}
            assert await app.journal.dead.dead(tenant=TENANT, limit=1) == []


async def several_were_read(app: App) -> bool:
    """The older work goes first, so reading begins when nearly all has been written down."""
    readings = list(await app.memories(Selection(SCOPE, types=(MemoryType.OBSERVATION,), limit=20)))
    return len(readings) == 20


async def nothing_is_missing_doubled_or_out_of_order(app: App, talks: list[list[TurnSpoken]]) -> None:
    spoken: dict[str, list[str]] = {}
    for node in await of_layer(app, MemoryType.CONVERSATION):
        spoken.setdefault(node.target_id, []).append(node.content)
    assert spoken == {talk[0].target_id: [turn.text for turn in talk] for talk in talks}
    read: dict[str, list[str]] = {}
    for node in await of_layer(app, MemoryType.OBSERVATION):
        read.setdefault(node.target_id, []).extend(node.content.split(" ")[1:])
    assert read == spoken
