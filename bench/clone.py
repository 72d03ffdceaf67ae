"""Cloning an agent: how fast, at what cost in embeddings, and whether the clone answers alike: `python -m bench.clone`.

By the clock other programs count, so the processor's time of the process is told beside it. The ledger and the index
are measured together, as `agentmem clone` does it. `python -m bench.clone COUNT` measures another size.
"""

import asyncio
import gc
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time

from agentmem.agents.copying.renaming import Renaming
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.ledger.projection import Projector
from agentmem.ports.embedder import Embedder, Matrix, Purpose
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from bench.dialogue import AGENT, TENANT, memories, person, sentence, target
from bench.machine import command, describe, load, peak_rss_mb
from bench.recall import fill

COUNT, EACH, QUESTIONS, VOCABULARY = 100_000, 1_000, 200, 5_000


class Counted:
    """An embedder that counts the documents it is given."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.documents = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """Those of the embedder inside."""
        self.documents += len(texts) if purpose == "document" else 0
        return await self._inner.embed(texts, purpose=purpose)


async def measure(count: int) -> None:
    """Clone an agent of so many memories, and ask both the same."""
    people = max(1, count // EACH)
    with tempfile.TemporaryDirectory() as folder:
        async with open_app(Settings(tenant=TENANT, data=Path(folder))) as app:
            await app.know_agent(Persona(id=AGENT, name="小美"))
            await fill(app, _distinct(count, people))
            projector = app.searchable.projector
            embedder = projector._embedder = Counted(projector._embedder)
            spent = _timed(projector)
            gc.collect()
            gc.freeze()
            begun, busy = perf_counter(), process_time()
            cloned = await app.copies.clone(AGENT, "twin")
            await projector.flush()
            wall, busy = perf_counter() - begun, process_time() - busy
            print(f"clone of {count:,}: {count / wall:,.0f}/s by the clock, {count / busy:,.0f}/s of the processor")
            journal = busy - spent[0]
            print(f"  of the processor: journal {count / journal:,.0f}/s, index {count / spent[0]:,.0f}/s")
            print(f"  documents embedded: {embedder.documents}")
            about = [person(number).name for number in range(people)]
            to = Renaming.of(cloned.lineage, "小美", source_name="小美", about=about)
            same, alike = await _asked(app, to, people)
            print(f"  {QUESTIONS} questions: {same} found the same in the same order, {alike} with equal scores")
            print(f"  peak memory: {peak_rss_mb():,.0f} MiB")


def _timed(projector: Projector) -> list[float]:
    """Where the processor's time of the projector's steps is added up; nothing else runs meanwhile."""
    step, spent = projector.step, [0.0]

    async def timed() -> int:
        begun = process_time()
        written = await step()
        spent[0] += process_time() - begun
        return written

    projector.step = timed
    return spent


def _distinct(count: int, people: int) -> Iterator[MemoryNode]:
    """Memories no two of which say the same, of different lengths: of many that score alike an index returns any."""
    dice = random.Random(5)
    for number, node in enumerate(memories(count, people)):
        words = f"{node.content},{sentence(dice)},{_rare(dice, dice.randint(2, 12))}"
        yield node.model_copy(update={"content": words, "key": (f"{node.key[0]}{number}",)})


def _rare(dice: random.Random, count: int) -> str:
    """Words that few memories share."""
    return " ".join(f"w{dice.randrange(VOCABULARY)}" for _ in range(count))


async def _asked(app: App, to: Renaming, people: int) -> tuple[int, int]:
    dice = random.Random(3)
    same = alike = 0
    for number in range(QUESTIONS):
        text = f"{sentence(dice)} {_rare(dice, 3)}"
        whom = target(dice.randrange(people)) if number % 2 else None
        ours = await app.recall(RecallQuery(Scope(TENANT, AGENT, whom), text))
        theirs = await app.recall(RecallQuery(Scope(TENANT, "twin", whom and to.entity_id(whom)), text))
        same += [hit.memory.content for hit in ours.hits] == [hit.memory.content for hit in theirs.hits]
        alike += [hit.score for hit in ours.hits] == [hit.score for hit in theirs.hits]
    return same, alike


if __name__ == "__main__":
    print(command(), f"; load {load():.1f} on", describe())
    asyncio.run(measure(int(sys.argv[1]) if sys.argv[1:] else COUNT))
