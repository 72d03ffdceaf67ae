"""The same facts told by many at once, in several wordings: each is held once.

Wordings that a rule can match come out as one memory. Those at the end, which only understanding can match, do not
with the rules engine; they are written down here so that nobody is surprised.
"""

import asyncio
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.event import Person, TurnSpoken
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.facade.app import App
from tests.support.beside import Task, line
from tests.support.nodes import LUO, TENANT, a_turn, an_ending
from tests.support.spine import SCOPE, quick_settings, quiet_persona, spine

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
WRITERS, PROCESSES = 8, 2
PATIENCE = 60.0
HE = Person(name=LUO.name)  # without a title, which would be a sixth fact
FACTS = {
    "phone": ("我的电话是13800138000", "我的手机号是13800138000。", "打我电话13800138000就行"),
    "email": ("我的邮箱是luo@example.com", "我邮箱:luo@example.com", "我的电子邮箱是 luo@example.com。"),
    "wechat": ("我的微信是luo_xd88", "我的微信号是luo_xd88", "我微信luo_xd88"),
    "employer": ("我在腾讯工作", "我在腾讯上班", "我就职于腾讯"),
    "city": ("我住在上海", "我家住上海", "我家在上海"),
}
NEED_MEANING = (
    ("我喜欢喝咖啡", "我爱喝咖啡"),
    ("我想买一辆电动车", "我打算买一辆电动车"),
    ("我的职业是软件工程师", "我是做软件工程师的"),
    ("我住在上海", "我在上海住"),
)
WORDINGS = [wording for wordings in FACTS.values() for wording in wordings]


def told_by(writer: int) -> list[TurnSpoken]:
    """Everything, in this writer's own order and conversation."""
    shuffled = Random(writer).sample(WORDINGS, len(WORDINGS))
    return [a_turn(text, number, run=f"writer-{writer}", person=HE) for number, text in enumerate(shuffled)]


async def tell(app: App, writer: int) -> None:
    for turn in told_by(writer):
        await app.accept([turn])
        await asyncio.sleep(0)


async def held(app: App) -> list[MemoryNode]:
    layers = (MemoryType.OBSERVATION, MemoryType.INSIGHT)
    return list(await app.memories(Selection(SCOPE, types=layers, statuses=(StoreStatus.VALID,), limit=1_000)))


async def each_fact_is_held_once(app: App) -> None:
    nodes = await held(app)
    assert sorted(node.attribute or "" for node in nodes) == sorted(FACTS), [node.content for node in nodes]
    for node in nodes:
        assert {len(node.evidence), len(set(node.evidence))} == {WRITERS * 3}, "every telling is evidence, once"
    turns = list(await app.memories(Selection(SCOPE, types=(MemoryType.CONVERSATION,), limit=1_000)))
    assert Counter(node.content for node in turns) == dict.fromkeys(WORDINGS, WRITERS)
    assert await app.journal.dead.dead(tenant=TENANT, limit=1) == []


async def test_eight_tasks_telling_five_facts_in_three_wordings_leave_five_memories(tmp_path: Path) -> None:
    async with asyncio.timeout(PATIENCE), spine(tmp_path, RulesCognition()) as app:
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(app.serve(stop))  # they are read while they are being told
            async with asyncio.TaskGroup() as writers:
                for writer in range(WRITERS):
                    writers.create_task(tell(app, writer))
            stop.set()
        await close_open_windows(app)
        await each_fact_is_held_once(app)
        assert (await app.index.verify()).ok


def input_of(number: int, writers: int, data: str) -> bytes:
    """What one process is to tell: its writers' turns, taking turns."""
    talks = [told_by(writer) for writer in range(number * writers, (number + 1) * writers)]
    turns = [turn.model_dump_json() for abreast in zip(*talks, strict=True) for turn in abreast]
    return line(Task(f"teller-{number}", data, TENANT)) + "\n".join(turns).encode()


async def test_two_processes_telling_five_facts_in_three_wordings_leave_five_memories(tmp_path: Path) -> None:
    settings = quick_settings(tmp_path)
    async with asyncio.timeout(PATIENCE), open_app(settings, cognition=RulesCognition(), index=False) as app:
        await app.know_agent(quiet_persona())
        pipe = asyncio.subprocess.PIPE
        per_process = WRITERS // PROCESSES
        processes = [
            await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.support.telling", stdin=pipe, cwd=ROOT)
            for _ in range(PROCESSES)
        ]
        async with asyncio.TaskGroup() as group:
            for number, process in enumerate(processes):
                group.create_task(process.communicate(input_of(number, per_process, str(settings.data))))
        assert [process.returncode for process in processes] == [0] * PROCESSES
        await close_open_windows(app)
        await each_fact_is_held_once(app)


async def close_open_windows(app: App) -> None:
    """Say good-bye, so that the last window is read too."""
    await app.accept([an_ending()])
    await app.drain(patience=PATIENCE)


@pytest.mark.parametrize(("one", "other"), NEED_MEANING)
async def test_wordings_that_need_understanding_stand_side_by_side(tmp_path: Path, one: str, other: str) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        await app.accept([a_turn(one, 0, person=HE), a_turn(other, 1, person=HE), an_ending()])
        await app.drain()
        nodes = [node.content for node in await held(app) if node.memory_type is MemoryType.OBSERVATION]
        assert 1 <= len(nodes) <= 2, nodes
