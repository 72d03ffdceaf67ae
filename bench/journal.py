"""How fast the journal is: `python -m bench.journal [URL] [--folder DIR]`; without a URL, SQLite in a new folder."""

import argparse
import asyncio
import os
import platform
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.change import Change
from agentmem.domain.event import Person, TurnSpoken
from agentmem.domain.ids import entity_id, memory_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.ports.ledger import Commit, Selection
from agentmem.ports.work_queue import Claim, Done

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TEXT = "我想在社保管理系统中添加自动能力,还有AI人工智能能力。" * 4
ROUTES = {"turn_spoken": ["conversation"]}
WORKERS = {"conversation": 50}


def turn(number: int, *, lanes: int = 1_000) -> TurnSpoken:
    """A turn of ordinary length in one of `lanes` lanes."""
    return TurnSpoken(
        event_id=f"event-{number}",
        tenant="bench",
        agent_id="agent",
        agent_name="Agent",
        target_id=entity_id("bench", "agent", str(number % lanes)),
        at=NOW,
        person=Person(name="罗小东", title="软件工程师"),
        by_agent=False,
        text=TEXT,
        run_id=f"run-{number % lanes}",
        turn_index=number // lanes,
    )


def node(event: TurnSpoken, stamp: int) -> MemoryNode:
    """The conversation memory of a turn."""
    return MemoryNode(
        memory_id=memory_id(event.tenant, event.agent_id, event.event_id, "conversation", 0),
        tenant=event.tenant,
        agent_id=event.agent_id,
        user_name=event.agent_name,
        target_id=event.target_id,
        target_name=event.person.name,
        run_id=event.run_id,
        memory_type=MemoryType.CONVERSATION,
        content=event.text,
        timestamp=stamp,
        dt="2026-01-01",
        valid_at=event.at,
        created_at=event.at,
    )


def percentiles(seconds: list[float]) -> str:
    """p50, p95 and the largest, in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100)
    return f"p50 {cuts[49] * 1e3:.2f} ms, p95 {cuts[94] * 1e3:.2f} ms, max {max(seconds) * 1e3:.1f} ms"


async def timed(work: Callable[[], Awaitable[object]], times: int) -> list[float]:
    """Seconds that each of so many calls took."""
    taken: list[float] = []
    for _ in range(times):
        begun = time.perf_counter()
        await work()
        taken.append(time.perf_counter() - begun)
    return taken


async def appends(journal: SqlJournal, *, callers: int, events: int, first: int) -> None:
    """Each caller appends one turn after the other."""
    numbers = iter(range(first, first + events))
    taken: list[float] = []

    async def caller() -> None:
        for number in numbers:
            event = turn(number)
            begun = time.perf_counter()
            await journal.events.append([event], now=NOW)
            taken.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(callers)))
    rate = events / (time.perf_counter() - begun)
    print(f"append, {callers} callers: {rate:,.0f}/s, {percentiles(taken)}")


async def work(journal: SqlJournal, *, workers: int) -> None:
    """Work off all that waits: claim, stage, finish with one memory per turn."""
    done = stamp = 0

    async def worker() -> None:
        nonlocal done, stamp
        while (claim := await journal.queue.claim(WORKERS)) is not None:
            changes: list[Change] = []
            for job in claim.jobs:
                event = job.events[0].event
                assert isinstance(event, TurnSpoken)
                stamp += 1
                changes.append(Change(act="add", after=node(event, stamp)))
            await journal.queue.stage(claim, claim.jobs[0].job_id, "{}")
            commit = Commit("bench", claim.jobs[0].job_id, "conversation", NOW, tuple(changes))
            await journal.queue.finish(claim, Done(commit=commit))
            done += len(claim.jobs)

    begun = time.perf_counter()
    await asyncio.gather(*(worker() for _ in range(workers)))
    print(f"claim, stage, finish, {workers} workers: {done / (time.perf_counter() - begun):,.0f} turns/s ({done})")


async def backlog(open_journal: Callable[[], SqlJournal], *, lanes: int) -> None:
    """Claims with 100,000 jobs waiting in many lanes, then with every lane leased by somebody else."""
    async with open_journal() as journal:
        for start in range(0, 100_000, 2_000):
            events = [turn(1_000_000 + n, lanes=lanes) for n in range(start, start + 2_000)]
            await journal.events.append(events, now=NOW)
    begun = time.perf_counter()
    async with open_journal() as journal, open_journal() as other:
        claims = [await journal.queue.claim(WORKERS)]
        print(f"open to first claim, 100,000 jobs in {lanes:,} lanes: {time.perf_counter() - begun:.3f} s")

        async def claim() -> None:
            claims.append(await journal.queue.claim(WORKERS))

        print(f"claim of 10 jobs, same backlog: {percentiles(await timed(claim, 200))}")
        depth = await timed(journal.queue.depth, 20)
        print(f"depth, same backlog: {percentiles(depth)}")
        while claims[-1] is not None:
            await asyncio.gather(*(claim() for _ in range(50)))
        held = sum(isinstance(claim, Claim) for claim in claims)
        in_vain = await timed(lambda: other.queue.claim(WORKERS), 50)
        print(f"claim in vain, all {held:,} lanes leased by another: {percentiles(in_vain)}")


async def reads(journal: SqlJournal) -> None:
    """Reading memories back."""
    scope = Scope("bench", "agent")
    one = Scope("bench", "agent", entity_id("bench", "agent", "7"))
    print(f"select 1,000 of the agent: {percentiles(await timed(lambda: journal.ledger.select(Selection(scope)), 20))}")
    print(f"select one target: {percentiles(await timed(lambda: journal.ledger.select(Selection(one)), 100))}")
    seq = rows = 0
    begun = time.perf_counter()
    while versions := await journal.ledger.since(seq, limit=2_000):
        seq, rows = versions[-1].seq, rows + len(versions)
    print(f"since, {rows:,} memories: {rows / (time.perf_counter() - begun):,.0f}/s")


def size(folder: Path) -> int:
    """Bytes in the files of a folder."""
    return sum(path.stat().st_size for path in folder.iterdir())


async def main(url: str, folder: Path | None) -> None:
    """Everything, in order."""
    database = f"SQLite {sqlite3.sqlite_version}" if folder else "PostgreSQL"
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, {database}")
    print("command: python -m bench.journal", *sys.argv[1:])

    def open_journal() -> SqlJournal:
        return SqlJournal(url, routes=ROUTES, capacity=1_000_000)

    async with open_journal() as journal:
        await appends(journal, callers=1, events=2_000, first=0)
        await appends(journal, callers=64, events=30_000, first=10_000)
        if folder is not None:
            print(f"file: {size(folder) / 32_000:,.0f} bytes per event")
        await work(journal, workers=8)
        await reads(journal)
        if folder is not None:
            print(f"file: {size(folder) / 32_000:,.0f} bytes per event")
    await backlog(open_journal, lanes=10_000)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", nargs="?", help="a PostgreSQL database to fill")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="where SQLite writes")
    asked = parser.parse_args()
    if asked.url:
        asyncio.run(main(asked.url, None))
    else:
        folder: Path = asked.folder
        place = Path(tempfile.mkdtemp(dir=folder))
        try:
            asyncio.run(main(f"sqlite:///{place}/journal.db", place))
        finally:
            shutil.rmtree(place)
