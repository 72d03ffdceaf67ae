"""HNSW beside exact search in one scope: what it finds of the same, how long it takes to build and to ask:
`python -m bench.graph [DATA] [COUNT]`.

DATA is a file as `agentmem eval retrieval` reads it. Its turns become passages of one, two, three … turns in a row
until there are COUNT of them, and its questions are asked. Without DATA text is made up, with keys.
"""

import asyncio
import gc
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from time import perf_counter, process_time

from agentmem.adapters.embedder.hashed import HashedEmbedder
from agentmem.adapters.memory_index.edge import EdgeIndex
from agentmem.adapters.memory_index.edge_terms import GRAPH_OVER
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Scope
from agentmem.language.tokens import query_sparse, sparse
from agentmem.ports.embedder import Embedder
from agentmem.ports.memory_index import AsOf, Found, Point, Probe, Sparse, Where
from agentmem.retrieval.pool import FIELDS
from agentmem_evals.retrieval.dataset import Conversation
from agentmem_evals.retrieval.datasets import read_dataset
from bench.dialogue import AGENT, START, TENANT, memories, sentence, target
from bench.machine import command, describe, percentile

COUNT, QUESTIONS, BATCH, LIMIT = 100_000, 200, 250, 50
WHERE = Where(Scope(TENANT, AGENT, target(0)), AsOf(START + timedelta(days=3_000)), upcoming=True)


def passages(conversations: Sequence[Conversation], count: int) -> Iterator[MemoryNode]:
    """`count` memories without keys, of one turn each, then of two in a row, and so on."""
    made = memories(count, 1)
    length = 1
    while True:
        for each in conversations:
            for first in range(len(each.turns) - length + 1):
                node = next(made, None)
                if node is None:
                    return
                text = "\n".join(turn.text for turn in each.turns[first : first + length])
                yield node.model_copy(update={"content": text, "key": ()})
        length += 1


async def measure(nodes: Sequence[MemoryNode], questions: Sequence[str]) -> None:
    """Fill, ask, build, ask along the graph, ask exactly."""
    embedder = HashedEmbedder()
    probes = [Probe(await embedder.embed([text], purpose="query"), Sparse(*query_sparse(text))) for text in questions]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "index"
        async with EdgeIndex(place, size=embedder.size, graph_over=GRAPH_OVER) as index:
            for first in range(0, len(nodes), BATCH):
                await index.upsert(await _points(nodes[first : first + BATCH], embedder))
            gc.collect()
            gc.freeze()
            await index.search(WHERE, probes[0], limit=LIMIT)
            exact = await _asked("flat", index, probes)
            begun = perf_counter()
            await index.optimise()
            print(f"  building                {perf_counter() - begun:6.1f} s", flush=True)
            found = await _asked("graph", index, probes)
        for channel in ("content", "keys"):
            if any(getattr(each, channel) for each in exact):
                shares = (f"recall@{k} {_overlap(channel, exact, found, k):.3f}" for k in (1, 10, LIMIT))
                print(f"  {channel:7} against flat   ", "   ".join(shares))
        async with EdgeIndex(place, size=embedder.size) as index:
            again = await _asked("graph built, not used", index, probes)
    assert _overlap("content", exact, again, 10) > 0.999


async def _points(nodes: Sequence[MemoryNode], embedder: Embedder) -> list[Point]:
    """Content, keys and words, as they are projected; without the times a text names, which no graph sees."""
    contents = await embedder.embed([node.content for node in nodes], purpose="document")
    keys = [await embedder.embed(node.key, purpose="document") for node in nodes]
    rows = zip(nodes, contents, keys, strict=True)
    return [Point(node, row[None, :], of_keys, Sparse(*sparse(node.content))) for node, row, of_keys in rows]


async def _asked(name: str, index: EdgeIndex, probes: Sequence[Probe]) -> list[Found]:
    found: list[Found] = []
    clock: dict[str, list[float]] = {"content": [], "all channels": [], "fetch": []}
    processor: dict[str, list[float]] = {kind: [] for kind in clock}
    for probe in probes:
        moments = [(perf_counter(), process_time())]
        await index.search(WHERE, Probe(probe.dense, by_keys=False), limit=LIMIT)
        moments.append((perf_counter(), process_time()))
        found.append(await index.search(WHERE, probe, limit=LIMIT))
        moments.append((perf_counter(), process_time()))
        ids = dict.fromkeys(key for hits in (found[-1].content, found[-1].keys, found[-1].lexical) for key, _ in hits)
        await index.fetch(list(ids), FIELDS)
        moments.append((perf_counter(), process_time()))
        for kind, (begun, busy), (ended, idle) in zip(clock, moments, moments[1:], strict=False):
            clock[kind].append((ended - begun) * 1e3)
            processor[kind].append((idle - busy) * 1e3)
    for kind, waits in clock.items():
        print(
            f"  {name:22} {kind:13} p50 {percentile(waits, 0.5):6.1f} ms   p95 {percentile(waits, 0.95):6.1f} ms"
            f"   processor p50 {percentile(processor[kind], 0.5):5.1f} ms",
            flush=True,
        )
    return found


def _overlap(channel: str, exact: Sequence[Found], found: Sequence[Found], k: int) -> float:
    """Of the scores of the `k` best, how many the graph found too: equal texts have equal scores, and any will do."""
    shares: list[float] = []
    for one, other in zip(exact, found, strict=True):
        wanted = getattr(one, channel)[:k]
        if wanted:
            floor = wanted[-1][1] - 1e-6
            shares.append(min(1.0, sum(score >= floor for _, score in getattr(other, channel)[:k]) / len(wanted)))
    return sum(shares) / len(shares)


def _asking(arguments: Sequence[str]) -> tuple[list[MemoryNode], list[str]]:
    count = next((int(text) for text in arguments if text.isdigit()), COUNT)
    files = [Path(text) for text in arguments if not text.isdigit()]
    dice = random.Random(3)
    if not files:
        return list(memories(count, 1)), [sentence(dice) for _ in range(QUESTIONS)]
    conversations = read_dataset(files[0])
    asked = [question.text for each in conversations for question in each.questions]
    return list(passages(conversations, count)), dice.sample(asked, min(QUESTIONS, len(asked)))


if __name__ == "__main__":
    print(command(), "·", describe(), flush=True)
    chosen, wanted = _asking(sys.argv[1:])
    print(f"{len(chosen):,} memories in one scope, {len(wanted)} questions", flush=True)
    asyncio.run(measure(chosen, wanted))
