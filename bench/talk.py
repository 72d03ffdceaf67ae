"""What a turn of talk takes beside the model: `python -m bench.talk [MEMORIES [FOLDER]]`, 10,000 unless given.

Half of the memories are turns, half are what was made of them, of people of whom each has 1,000. First somebody else
talks at every turn, then one person all the time. The model is pydantic-ai's function model, which answers at once.
Workers do not run, so every turn said stays unread. FOLDER keeps what was filled for the next run, which talks to a
copy of it: filling 100,000 takes minutes, and is not measured.
"""

import asyncio
import gc
import random
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from time import perf_counter, process_time

from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.adapters.cognition.llm.model_connection import LlmOptions
from agentmem.adapters.models.provider_chat import PydanticAIChatModel
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType
from agentmem.domain.persona import Persona
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from bench.dialogue import AGENT, TENANT, memories, person, sentence
from bench.machine import command, describe, load, percentile
from bench.recall import fill

SCOPE, TURNS, LAST = 1_000, 200, 20


async def measure(count: int, kept: Path | None) -> None:
    """Turns of people taken at random, then of one."""
    model = PydanticAIChatModel(LlmOptions(model=FunctionModel(stream_function=_at_once)))
    with tempfile.TemporaryDirectory() as folder:
        filled = (kept or Path(folder)) / f"filled-{count}"
        if not filled.exists():
            await _fill(filled, count)
        shutil.copytree(filled, Path(folder, "talk"))
        async with open_app(Settings(tenant=TENANT, data=Path(folder, "talk")), chat=model) as app:
            await app.know_agent(Persona(id=AGENT, name="小美"))
            dice = random.Random(11)
            await _talk(app, f"{count:,} memories, people at random", lambda: dice.randrange(count // SCOPE))
            await _talk(app, f"{count:,} memories, one person", lambda: 0)


async def _fill(folder: Path, count: int) -> None:
    begun = folder.with_name(f"{folder.name}-begun")
    async with open_app(Settings(tenant=TENANT, data=begun)) as app:
        await fill(app, _grounded(count // 2, count // SCOPE))
    begun.rename(folder)


async def _at_once(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
    yield "好的,"
    yield "我记下了。"


def _grounded(count: int, people: int) -> Iterator[MemoryNode]:
    """Memories with the turns they rest on."""
    for node in memories(count, people):
        said = node.content.split(":", 1)[1]
        turn = node.revised(
            memory_id=derived_id("bench", "turn", node.memory_id),
            memory_type=MemoryType.CONVERSATION,
            content=said,
            speaker=node.target_name,
            key=(),
        )
        evidence = Evidence(memory_id=turn.memory_id, start=0, end=len(said))
        yield turn
        yield node.revised(evidence=(evidence,), source_ids=(turn.memory_id,), speaker=node.target_name)


async def _talk(app: App, what: str, whom: Callable[[], int]) -> None:
    dice = random.Random(11)
    clock: list[float] = []
    processor: list[float] = []
    gc.collect()
    gc.freeze()
    for _ in range(TURNS):
        said = sentence(dice)
        begun, busy = perf_counter(), process_time()
        async with app.talks.reply(AGENT, person(whom()), said) as reply:
            await reply.whole()
        clock.append((perf_counter() - begun) * 1e3)
        processor.append((process_time() - busy) * 1e3)
    last = percentile(processor[-LAST:], 0.5)
    print(
        f"a turn, {what}: p50 {percentile(clock, 0.5):.1f} ms   p95 {percentile(clock, 0.95):.1f} ms"
        f"   processor p50 {percentile(processor, 0.5):.1f} ms, of the last {LAST} {last:.1f} ms   (load {load():.1f})"
    )


if __name__ == "__main__":
    print(command(), "·", describe())
    asyncio.run(measure(int(sys.argv[1]) if sys.argv[1:] else 10_000, Path(sys.argv[2]) if sys.argv[2:] else None))
