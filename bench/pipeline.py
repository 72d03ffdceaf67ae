"""From accepted to remembered, with the rules engine: `python -m bench.pipeline`."""

import asyncio
import tempfile
from pathlib import Path
from time import perf_counter

from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from bench.dialogue import AGENT, TENANT, conversations
from bench.machine import command, describe

PEOPLE, TURNS = 300, 10


async def measure() -> None:
    """300 conversations of 10 turns: journal, episodes, windows, observations, insights, reflection, index."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_app(Settings(tenant=TENANT, data=Path(folder))) as app:
            begun = perf_counter()
            for talk in conversations(PEOPLE, TURNS):
                await app.accept(talk)
            accepted = perf_counter()
            await app.drain(patience=60)
            drained = perf_counter()
            kinds = (MemoryType.OBSERVATION, MemoryType.INSIGHT)
            derived = await app.memories(Selection(Scope(TENANT, AGENT), types=kinds, limit=100_000))
    turns = PEOPLE * TURNS
    print(
        f"pipeline, rules: {turns / (drained - begun):8.0f} turns/s from accepting to indexed "
        f"({turns} turns, {PEOPLE} lanes, {len(derived)} derived memories; accepting {accepted - begun:.1f} s, "
        f"workers {drained - accepted:.1f} s)"
    )


if __name__ == "__main__":
    print(command(), "·", describe())
    asyncio.run(measure())
