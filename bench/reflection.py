"""What one reflection costs by how much is stored, with 100 new memories each time: `python -m bench.reflection`.

Model calls are those of a cognition that answers every pair and draws no insight, without a model's own time. A run
takes at most 50 new memories, so 100 are two runs. `--plot FILE` draws the milliseconds.
"""

import argparse
import asyncio
import gc
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import perf_counter

from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode, microseconds
from agentmem.domain.persona import MemoryPolicy, Persona, ReflectPolicy
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Pair, Reading, Usage, Verdict, Window
from agentmem.ports.cognition import Judged, Read, Reflected, ReflectionInput
from agentmem.ports.ledger import Commit
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from bench.dialogue import AGENT, START, TENANT, memories, target
from bench.machine import command, describe

SIZES = (1_000, 10_000, 100_000)
NEW, ROUNDS = 100, 3
A_SCOPE = 1_000


class Counting:
    """Answers at once, and counts how often it was asked."""

    name = "counting"

    async def read(self, window: Window) -> Read:
        """Nothing said is remembered."""
        return Read(Reading())

    async def judge(self, pairs: Sequence[Pair]) -> Judged:
        """All different."""
        return Judged(tuple(Verdict(number=pair.number, relation="unrelated") for pair in pairs), Usage(calls=1))

    async def reflect(self, request: ReflectionInput) -> Reflected:
        """Nothing deeper."""
        return Reflected((), Usage(calls=1))


@dataclass(frozen=True, slots=True)
class Figure:
    """One reflection over `NEW` memories, in milliseconds and calls; the best of `ROUNDS`."""

    stored: int
    people: int
    runs: int
    milliseconds: float
    calls: int


async def measure() -> list[Figure]:
    """Every size, once in scopes of 1,000 and once all about one person."""
    figures: list[Figure] = []
    for count in SIZES:
        for people in dict.fromkeys((count // A_SCOPE, 1)):
            with tempfile.TemporaryDirectory() as folder:
                figures.append(await _measured(Path(folder), count, people))
            _tell(figures[-1])
    return figures


async def _measured(folder: Path, count: int, people: int) -> Figure:
    settings, clock = Settings(tenant=TENANT, data=folder), ManualClock(START + timedelta(days=365))
    cognition = Counting()
    async with open_app(settings, clock=clock, cognition=cognition) as app:
        policy = MemoryPolicy(reflect=ReflectPolicy(observations=10_000, importance=100_000))
        await app.know_agent(Persona(id=AGENT, name="小美", memory=policy))
        await _write(app, [node.revised(obs_reflected=1) for node in memories(count, people)])
        gc.collect()
        gc.freeze()
        samples = [await _round(app, clock, count + number * NEW) for number in range(ROUNDS)]
    runs, seconds, calls = min(samples, key=lambda sample: sample[1])
    return Figure(count, people, runs, seconds * 1e3, calls)


async def _round(app: App, clock: ManualClock, first: int) -> tuple[int, float, int]:
    """Runs, seconds and calls of reflecting on `NEW` memories about one person."""
    clock.advance(timedelta(hours=1))
    now = clock.now()
    new = [
        node.revised(target_id=target(0), valid_at=now, created_at=now, timestamp=microseconds(now) + place)
        for place, node in enumerate(memories(NEW, 1, seed=first, first=first))
    ]
    await _write(app, new)
    asked = app.usage.calls
    begun = perf_counter()
    reports = await app.reflect(Scope(TENANT, AGENT))
    return len(reports), perf_counter() - begun, app.usage.calls - asked


async def _write(app: App, nodes: Sequence[MemoryNode]) -> None:
    for begin in range(0, len(nodes), 1_000):
        batch = nodes[begin : begin + 1_000]
        changes = tuple(Change(act="add", after=node) for node in batch)
        await app.journal.ledger.commit(Commit(TENANT, f"fill/{batch[0].memory_id}", "bench", START, changes))
    await app.searchable.projector.catch_up()
    await app.searchable.projector.flush()


def _tell(figure: Figure) -> None:
    print(
        f"reflection, {NEW} new, {figure.stored:7,} stored about {figure.people:3} people: "
        f"{figure.milliseconds / figure.runs:6.0f} ms and {figure.calls / figure.runs:.1f} model calls per run "
        f"({figure.runs} runs, {figure.milliseconds:.0f} ms)",
        flush=True,
    )


def plot(figures: Sequence[Figure], file: Path) -> None:
    """Milliseconds for `NEW` memories against how many are stored."""
    from matplotlib.figure import Figure as Canvas  # noqa: PLC0415 - needed for the plot alone, and not always there

    canvas = Canvas(figsize=(6, 4))
    axes = canvas.subplots()
    for label, chosen in (
        ("in scopes of 1,000", [item for item in figures if item.people * A_SCOPE == item.stored]),
        ("all about one person", [item for item in figures if item.people == 1]),
    ):
        axes.plot([item.stored for item in chosen], [item.milliseconds for item in chosen], marker="o", label=label)
    axes.set(xscale="log", xlabel="memories stored", ylabel=f"ms for {NEW} new ones", ylim=(0, None))
    axes.legend()
    canvas.savefig(file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the figures as well")
    wanted: Path | None = parser.parse_args().plot
    print(command(), "·", describe())
    measured = asyncio.run(measure())
    if wanted is not None:
        plot(measured, wanted)
