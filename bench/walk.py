"""Two steps over the graph of one agent, and the shortest way between two entities: `python -m bench.walk [COUNT]`.

COUNT memories link 20,000 entities, two or three each; a few entities are in many memories, most are in a few.
"""

import asyncio
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from agentmem.adapters.memory_index.edge import EdgeIndex
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Scope
from agentmem.graph.walk import shortest, walk
from agentmem.ports.memory_index import MemoryIndex, Point, Sparse, Where
from bench.dialogue import AGENT, TENANT, memories
from bench.machine import command, describe, percentile

COUNT, ENTITIES, QUESTIONS, BATCH, LIMIT = 100_000, 20_000, 200, 500, 200
WHERE = Where(Scope(TENANT, AGENT))
VECTOR = np.ones((1, 4), dtype=np.float32) / 2


def entity(number: int) -> str:
    """The id of an entity."""
    return derived_id("bench", "entity", number)


def linked(count: int, dice: random.Random) -> Iterator[MemoryNode]:
    """Memories about one entity that name one or two others; the lower its number the oftener an entity is named."""
    for node in memories(count, 1):
        numbers = [int(ENTITIES * dice.random() ** 2) for _ in range(dice.choice((2, 2, 3)))]
        yield node.model_copy(update={"entity_ids": tuple(dict.fromkeys(map(entity, numbers))), "key": ()})


async def measure(index: MemoryIndex, dice: random.Random) -> None:
    """Walk and find ways from entities drawn alike."""
    seeds = [entity(dice.randrange(ENTITIES)) for _ in range(2 * QUESTIONS)]
    walks: list[float] = []
    ways: list[float] = []
    met = links = 0
    for one, other in zip(seeds[::2], seeds[1::2], strict=True):
        began = perf_counter()
        found = await walk(index, WHERE, {one: 1.0}, hops=2, limit=LIMIT)
        walked = perf_counter()
        met += await shortest(index, WHERE, one, other) is not None
        walks.append(walked - began)
        ways.append(perf_counter() - walked)
        links += len(found.links)
    for name, times in (("two steps", walks), ("shortest way", ways)):
        print(f"{name}: p50 {percentile(times, 0.5) * 1e3:.1f} ms, p95 {percentile(times, 0.95) * 1e3:.1f} ms")
    print(f"{links / QUESTIONS:.0f} links on the way, {met} of {QUESTIONS} ways found")


async def run(count: int) -> None:
    """Fill an index, then measure."""
    dice = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        async with EdgeIndex(Path(folder) / "index", size=VECTOR.shape[1]) as index:
            points: list[Point] = []
            for node in linked(count, dice):
                points.append(Point(node, VECTOR, VECTOR[:0], Sparse((), ())))
                if len(points) == BATCH:
                    await index.upsert(points)
                    points.clear()
            await index.upsert(points)
            await index.flush()
            print(f"{count:,} memories, {ENTITIES:,} entities")
            await measure(index, dice)


if __name__ == "__main__":
    print(describe(), command())
    asyncio.run(run(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT))
