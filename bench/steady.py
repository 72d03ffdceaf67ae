"""A worker under steady load: what it takes of memory and of the disk, `python -m bench.steady [MINUTES] [TURNS/s]`.

One process talks and works. Memory is told by what it is: the program's own, and pages of index files that the system
takes back when it needs room. Bytes of the journal are told per turn, table by table, where SQLite can count them.
"""

import asyncio
import gc
import random
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic

from agentmem import patterns as re
from agentmem.domain.persona import Persona
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from bench.dialogue import AGENT, TENANT, person, sentence
from bench.machine import command, describe, load

MINUTES, RATE, PEOPLE = 15.0, 15.0, 300
LOOK_EVERY = 60.0
_MAPPING = re.compile(r"^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)$")


async def measure(minutes: float, rate: float) -> None:
    """Say `rate` turns a second to one of 300 people at a time while the workers run; a line a minute."""
    with tempfile.TemporaryDirectory() as folder:
        async with open_app(Settings(tenant=TENANT, data=Path(folder))) as app:
            await app.know_agent(Persona(id=AGENT, name="小美"))
            stop = asyncio.Event()
            working = asyncio.create_task(app.serve(stop))
            turns = await _talk(app, minutes * 60, rate)
            stop.set()
            await working
            await app.drain(patience=60)
        print("\n".join(_bytes_by_table(Path(folder, "journal.db"), turns)))


async def _talk(app: App, seconds: float, rate: float) -> int:
    dice, began, turns, next_look = random.Random(1), monotonic(), 0, 0.0
    while (passed := monotonic() - began) < seconds:
        await app.say(AGENT, person(dice.randrange(PEOPLE)), sentence(dice))
        turns += 1
        if passed >= next_look:
            next_look += LOOK_EVERY
            print(await _line(app, passed, turns), flush=True)
        await asyncio.sleep(max(0.0, began + turns / rate - monotonic()))
    return turns


async def _line(app: App, passed: float, turns: int) -> str:
    gc.collect()
    memory, state, journal = resident(), await app.upkeep.index(), await app.journal.storage.size()
    told = (
        f"{passed / 60:5.1f} min {turns:>7,} turns {state.memories:>8,} memories",
        f"own {memory['own']:4} MB",
        f"index files {memory['index']:4} MB",
        f"programs {memory['programs']:3} MB",
        f"journal {journal / 2**20:6.1f} MB",
        f"load {load():.1f}",
    )
    return "   ".join(told)


def resident() -> Counter[str]:
    """Resident memory of this process in MB, by what it is."""
    kilobytes: Counter[str] = Counter()
    kind = "own"
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        if mapping := _MAPPING.match(line):
            name = mapping[1]
            kind = "index" if "/index/" in name else "programs" if name.startswith("/") else "own"
        elif line.startswith("Rss:"):
            kilobytes[kind] += int(line.split()[1])
    return Counter({kind: size // 1_024 for kind, size in kilobytes.items()})


def _bytes_by_table(journal: Path, turns: int) -> Iterator[str]:
    with closing(sqlite3.connect(journal)) as connection:
        found = connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC").fetchall()
    yield f"journal: {sum(size for _, size in found) / turns:,.0f} bytes per turn"
    yield from (f"  {name:28} {size / turns:8,.0f}" for name, size in found[:12])


if __name__ == "__main__":
    print(command(), "·", describe(), flush=True)
    given = [float(text) for text in sys.argv[1:3]]
    asyncio.run(measure(*given, *(MINUTES, RATE)[len(given) :]))
