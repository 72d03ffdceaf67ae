"""The embedded index alone: writing, asking as recall does, memory, opening again: `python -m bench.index`.

One question is a search of all three channels, as of now, and the fetch of what ranking reads for 100 candidates.
Vectors are random and of length 256, two keys and about 15 words per memory. Each size has a process of its own;
`python -m bench.index COUNT PEOPLE` measures one.
"""

import asyncio
import gc
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from time import perf_counter

import numpy as np

from agentmem.adapters.memory_index.edge import EdgeIndex
from agentmem.domain.scope import Scope
from agentmem.ports.embedder import Matrix
from agentmem.ports.memory_index import AsOf, MemoryIndex, Point, Probe, Sparse, Where
from agentmem.retrieval.pool import FIELDS
from bench.dialogue import AGENT, START, TENANT, memories, target
from bench.machine import command, describe, peak_rss_mb, percentile

SIZES = ((10_000, 10), (100_000, 100), (100_000, 1))
LENGTH, KEYS, WORDS, VOCABULARY = 256, 2, 15, 20_000
BATCH, QUESTIONS, LIMIT, CANDIDATES = 256, 300, 50, 100

_random = np.random.default_rng(7)
_common = 1 / (np.arange(VOCABULARY) + 20.0)
_common /= _common.sum()


def _rows(count: int) -> Matrix:
    return _random.standard_normal((count, LENGTH), dtype=np.float32)


def _words() -> Sparse:
    tokens = np.unique(_random.choice(VOCABULARY, WORDS, p=_common))
    return Sparse(tuple(tokens.tolist()), tuple((0.5 + _random.random(len(tokens))).tolist()))


def _points(count: int, people: int) -> Iterator[list[Point]]:
    batch: list[Point] = []
    for memory in memories(count, people):
        batch.append(Point(memory, _rows(1), _rows(KEYS), _words()))
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch


async def _written(index: MemoryIndex, count: int, people: int) -> float:
    """Seconds in the index; making up memories and vectors is not counted."""
    seconds = 0.0
    for batch in _points(count, people):
        begun = perf_counter()
        await index.upsert(batch)
        seconds += perf_counter() - begun
    begun = perf_counter()
    await index.flush()
    return seconds + perf_counter() - begun


async def _asked(index: MemoryIndex, people: int) -> list[float]:
    """Milliseconds per question."""
    chosen = random.Random(1)
    waits: list[float] = []
    for _ in range(QUESTIONS):
        scope = Scope(TENANT, AGENT, target(chosen.randrange(people)))
        where, probe = Where(scope, AsOf(START + timedelta(days=3_000))), Probe(_rows(1), _words())
        begun = perf_counter()
        found = await index.search(where, probe, limit=LIMIT)
        ids = dict.fromkeys(key for channel in (found.content, found.keys, found.lexical) for key, _ in channel)
        payloads = await index.fetch(list(ids)[:CANDIDATES], FIELDS)
        waits.append((perf_counter() - begun) * 1e3)
        assert len(payloads) == CANDIDATES
    return waits


def _shown(name: str, waits: list[float]) -> None:
    print(f"  {name:28} p50 {percentile(waits, 0.5):6.2f} ms   p95 {percentile(waits, 0.95):6.2f} ms", flush=True)


async def measure(count: int, people: int) -> None:
    """One size, from empty to opened again."""
    libraries = peak_rss_mb()
    print(f"{count:,} memories in {people} scopes", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        index = EdgeIndex(Path(folder) / "index", size=LENGTH)
        async with index:
            print(f"  writing                      {count / await _written(index, count, people):,.0f} memories/s")
            gc.freeze()
            _shown("questions, after writing", await _asked(index, people))
            print(f"  peak memory                  {peak_rss_mb() - libraries:.0f} MiB beyond the libraries")
            begun = perf_counter()
        closed = perf_counter()
        async with index:
            print(f"  closing, opening again       {closed - begun:.2f} s, {perf_counter() - closed:.2f} s")
            _shown("questions, just opened", await _asked(index, people))
            _shown("questions, a while later", await _asked(index, people))


def _all_sizes() -> None:
    for size in SIZES:
        subprocess.run([sys.executable, "-m", "bench.index", *map(str, size)], check=True)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print(command(), "·", describe(), flush=True)
        _all_sizes()
    else:
        asyncio.run(measure(int(sys.argv[1]), int(sys.argv[2])))
