"""What a turn of talk takes beside the model: `python -m bench.talk [MEMORIES]`, 10,000 unless given.

Half of the memories are turns, half are what was made of them, in scopes of 1,000. The model is pydantic-ai's function
model, which answers at once. Workers do not run, so every turn said is looked through as unread.
"""

import asyncio
import gc
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from time import perf_counter, process_time

from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.adapters.chat_model.pydantic_ai import PydanticAIChatModel
from agentmem.adapters.cognition.llm.options import LlmOptions
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import Evidence, MemoryNode, MemoryType
from agentmem.domain.persona import Persona
from agentmem.runtime.app import App, open_app
from agentmem.runtime.settings import Settings
from bench.dialogue import AGENT, TENANT, memories, person, sentence
from bench.machine import command, describe, load, percentile
from bench.recall import fill

SCOPE, TURNS = 1_000, 200


async def measure(count: int) -> None:
    """Turns of people taken at random."""
    model = PydanticAIChatModel(LlmOptions(model=FunctionModel(stream_function=_at_once)))
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(tenant=TENANT, data=Path(folder))
        async with open_app(settings) as app:
            await fill(app, _grounded(count // 2, count // SCOPE))
        async with open_app(settings, chat=model) as app:
            await app.know_agent(Persona(id=AGENT, name="小美"))
            await _talk(app, count)


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


async def _talk(app: App, count: int) -> None:
    dice = random.Random(11)
    clock: list[float] = []
    processor: list[float] = []
    gc.collect()
    gc.freeze()
    for _ in range(TURNS):
        said = sentence(dice)
        begun, busy = perf_counter(), process_time()
        async with app.talks.reply(AGENT, person(dice.randrange(count // SCOPE)), said) as reply:
            await reply.whole()
        clock.append((perf_counter() - begun) * 1e3)
        processor.append((process_time() - busy) * 1e3)
    print(
        f"a turn, {count:,} memories in scopes of {SCOPE:,}: p50 {percentile(clock, 0.5):.1f} ms"
        f"   p95 {percentile(clock, 0.95):.1f} ms   processor p50 {percentile(processor, 0.5):.1f} ms"
        f"   (load {load():.1f})"
    )


if __name__ == "__main__":
    print(command(), "·", describe())
    asyncio.run(measure(int(sys.argv[1]) if sys.argv[1:] else 10_000))
