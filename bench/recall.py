"""Recall against size, whole path, ranking and reading the hits included: `python -m bench.recall`.

The embedder's own time is taken out of each sample. Memory is what the process grew by beyond its libraries.
"""

import asyncio
import gc
import random
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Commit
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem_evals.retrieval.asking import TimedEmbedder
from bench.dialogue import AGENT, START, TENANT, memories, sentence, target
from bench.machine import command, describe, peak_rss_mb, percentile

QUESTIONS = 300


async def measure() -> None:
    """10,000 and 100,000 memories in scopes of 1,000; 100,000 in one scope; rebuilding 100,000."""
    libraries = peak_rss_mb()
    for count, people in ((10_000, 10), (100_000, 100), (100_000, 1)):
        with tempfile.TemporaryDirectory() as folder:
            settings = Settings(tenant=TENANT, data=Path(folder))
            async with open_app(settings) as app:
                await fill(app, memories(count, people))
            async with open_app(settings) as app:
                await _ask(app, count, people)
                print(f"  peak memory so far: {peak_rss_mb() - libraries:,.0f} MiB beyond the libraries")
                if (count, people) == (100_000, 100):
                    begun = perf_counter()
                    rebuilt = await app.index.rebuild(lambda done, of: None)
                    print(f"rebuild of {rebuilt:,}: {perf_counter() - begun:.1f} s")


async def fill(app: App, nodes: Iterable[MemoryNode]) -> None:
    """Commit the memories and project them."""
    batch: list[Change] = []
    for node in nodes:
        batch.append(Change(act="add", after=node))
        if len(batch) == 1_000:
            await app.journal.ledger.commit(Commit(TENANT, f"fill-{node.timestamp}", "bench", START, tuple(batch)))
            batch = []
    begun = perf_counter()
    written = await app.searchable.projector.catch_up()
    print(f"  projected {written:,} at {written / (perf_counter() - begun):,.0f}/s")


async def _ask(app: App, count: int, people: int) -> None:
    samples, busy = await waits(app, lambda dice: target(dice.randrange(people)), QUESTIONS)
    print(
        f"recall, {count:,} in scopes of {count // people:,}: p50 {percentile(samples, 0.5):.1f} ms"
        f"   p95 {percentile(samples, 0.95):.1f} ms   processor p50 {percentile(busy, 0.5):.1f} ms"
    )


async def waits(
    app: App, whom: Callable[[random.Random], str | None], questions: int
) -> tuple[list[float], list[float]]:
    """Milliseconds per question about the targets that `whom` picks, None being all of them: by the clock, and of the
    processor, to which other programs do not add. The embedder is not counted."""
    whole = app.searchable.recall
    embedder = TimedEmbedder(whole.gather.embedder)
    recall = replace(whole, gather=replace(whole.gather, embedder=embedder))
    dice = random.Random(11)
    gc.collect()
    gc.freeze()
    clock: list[float] = []
    processor: list[float] = []
    for _ in range(questions):
        query = RecallQuery(Scope(TENANT, AGENT, whom(dice)), sentence(dice))
        embedder.seconds = 0.0
        begun, busy = perf_counter(), process_time()
        await recall(query)
        clock.append((perf_counter() - begun - embedder.seconds) * 1e3)
        processor.append((process_time() - busy) * 1e3)
    return clock, processor


if __name__ == "__main__":
    print(command(), "·", describe())
    asyncio.run(measure())
