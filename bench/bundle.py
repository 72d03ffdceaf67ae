"""Packing an agent and unpacking it elsewhere: how fast, how large, in how much memory: `python -m bench.bundle`.

By the clock other programs count, so the processor's time of the process is told beside it. The index of the agent that
comes in is measured apart: it is filled as by any other change. `python -m bench.bundle COUNT` measures another size.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from agentmem.domain.persona import Persona
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from bench.dialogue import AGENT, TENANT, memories
from bench.machine import command, describe, peak_rss_mb
from bench.recall import fill

COUNT = 10_000


async def measure(count: int) -> None:
    """One agent of so many memories about ten people, out and in."""
    with tempfile.TemporaryDirectory() as folder:
        here, there, file = Path(folder, "here"), Path(folder, "there"), Path(folder, "agent.zip")
        async with open_app(Settings(tenant=TENANT, data=here)) as app:
            await app.know_agent(Persona(id=AGENT, name="bench"))
            await fill(app, memories(count, 10))
            before = peak_rss_mb()
            clock = perf_counter(), process_time()
            await app.bundles.export(AGENT, file)
            _tell("export", count, clock)
        print(f"  {_mib(file):.1f} MiB; {peak_rss_mb() - before:,.0f} MiB of memory more than before")
        async with open_app(Settings(tenant=TENANT, data=there), index=False) as app:
            before = peak_rss_mb()
            clock = perf_counter(), process_time()
            await app.bundles.import_(file)
            _tell("import into the ledger", count, clock)
        print(f"  {peak_rss_mb() - before:,.0f} MiB of memory more than before")
        clock = perf_counter(), process_time()
        async with open_app(Settings(tenant=TENANT, data=there)):
            _tell("filling the index", count, clock)


def _mib(file: Path) -> float:
    return file.stat().st_size / 2**20


def _tell(what: str, count: int, begun: tuple[float, float]) -> None:
    took, worked = perf_counter() - begun[0], process_time() - begun[1]
    print(f"{what}: {count / took:,.0f} memories/s ({took:.1f} s; {worked:.1f} s of the processor)")


if __name__ == "__main__":
    print(command(), "·", describe())
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT))
