"""What work runs in: one write transaction with the numbers it gives out, and the threads that read, of which each
call sees one consistent state, at least as new as every answered commit.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Executable, select, update

from agentmem.adapters.journal.dialect import Record, Row, closed, translating
from agentmem.adapters.journal.schema import counters
from agentmem.errors import PUT_BACK, JournalDamaged

_READ = select(
    counters.c.event, counters.c.ledger, counters.c.job, counters.c.lane, counters.c.fence, counters.c.backlog
).where(counters.c.id == 1)
_LOCK = _READ.with_for_update()
_SAVE = update(counters).where(counters.c.id == 1)


@dataclass(slots=True)
class Numbers:
    """The last number given out of each kind, the floor of new fences, and how many jobs there are to do."""

    event: int
    ledger: int
    job: int
    lane: int
    fence: int
    backlog: int


class Unit:
    """What a caller's work gets to write with. `queued` is set by work that leaves something to claim."""

    def __init__(self, conn: Connection, *, numbered: bool) -> None:
        self.conn = conn
        self.queued = False
        self._numbers: Numbers | None = None
        self._saved: Numbers | None = None
        if numbered:
            self._load()

    @property
    def numbers(self) -> Numbers:
        """To be counted up in place. Holding them keeps every other numbering transaction out."""
        if self._numbers is None:
            raise RuntimeError("work that numbers something must be submitted as numbered")
        return self._numbers

    def remember(self) -> Numbers | None:
        """The numbers as they are now."""
        return None if self._numbers is None else replace(self._numbers)

    def restore(self, numbers: Numbers | None) -> None:
        """Take back what was counted since `remember`."""
        self._numbers = numbers

    def save(self) -> None:
        """Write the numbers down; the last step before the commit."""
        if self._numbers is not None and self._numbers != self._saved:
            values = {field.name: getattr(self._numbers, field.name) for field in fields(Numbers)}
            self.conn.execute(_SAVE, values)

    def _load(self) -> None:
        row = self.conn.execute(_LOCK).one_or_none()
        if row is None:
            raise JournalDamaged(f"the journal has lost its counters: {PUT_BACK}")
        self._numbers = Numbers(*row)
        self._saved = replace(self._numbers)


T = TypeVar("T")

MAX_TOGETHER = 64
"""Brief reads in one transaction: enough to share what beginning one costs, few enough to take milliseconds."""


@dataclass(eq=False, slots=True)
class _BriefRead:
    """A read that shares its transaction with others, and what came of it."""

    work: Callable[[Connection], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    alike: Hashable | None = None
    found: Any = None
    failure: BaseException | None = None

    def answer(self) -> None:
        """Tell whoever waits."""
        if self.future.cancelled():
            return
        if self.failure is None:
            self.future.set_result(self.found)
        else:
            self.future.set_exception(self.failure)


class ReadPool:
    """Runs functions over a connection beside the event loop, on `threads` of which at most `briefly` read what is
    brief: more than one only where a read waits for a server, and not for the processor."""

    def __init__(self, engine: Engine, store: str, *, threads: int, briefly: int) -> None:
        self._engine, self._store = engine, store
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="agentmem-journal-reader")
        self._closed = False
        self._waiting: deque[_BriefRead] = deque()
        self._lock = Lock()
        self._readers: set[object] = set()
        self._briefly = briefly

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What `work` finds."""
        if self._closed:
            raise closed(self._store)
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, work)

    async def brief(self, work: Callable[[Connection], T], *, alike: Hashable | None = None) -> T:
        """The same for what is read in well under a millisecond, and often: those that wait share a transaction.
        Beginning one, and changing the thread, takes longer than such a read. What many ask `alike`, and nobody
        changes, is read once for all of them."""
        if self._closed:
            raise closed(self._store)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        with self._lock:
            self._waiting.append(_BriefRead(work, loop, future, alike))
            idle = len(self._readers) < self._briefly
        if idle:
            loop.call_soon(self._begin)  # with all that is asked for in this turn of the loop
        return await future

    async def rows(self, statement: Executable, asked: Row | None = None) -> Sequence[Record]:
        """All rows of one statement, asked with these values."""
        return await self.read(lambda conn: conn.execute(statement, asked).all())

    async def close(self) -> None:
        """Let what runs come to its end."""
        self._closed = True
        await asyncio.sleep(0)  # what was asked for in this turn of the loop is begun
        await asyncio.to_thread(self._threads.shutdown)

    def _run(self, work: Callable[[Connection], T]) -> T:
        with translating(self._store), self._engine.connect() as conn, conn.begin():
            return work(conn)

    def _begin(self) -> None:
        """Have what waits read, unless others do already. Where no thread can be had, whoever waits is told."""
        reader = object()
        with self._lock:
            if not self._waiting or len(self._readers) >= self._briefly:
                return
            self._readers.add(reader)
        try:
            asyncio.get_running_loop().run_in_executor(self._threads, self._read_waiting, reader)
        except (RuntimeError, MemoryError) as error:
            with self._lock:
                self._readers.discard(reader)  # the pool may run it all the same, once it has a thread
                reads = [*self._waiting]
                self._waiting.clear()
            for read in reads:
                read.failure = error
            _tell(reads)

    def _read_waiting(self, reader: object) -> None:
        """Read until nothing brief waits. What waits was asked before the transaction begins, so it is new enough."""
        while reads := self._next(reader):
            self._read_together(reads)
            _tell(reads)

    def _next(self, reader: object) -> list[_BriefRead]:
        with self._lock:
            if reader not in self._readers:
                return []
            reads = [self._waiting.popleft() for _ in range(min(MAX_TOGETHER, len(self._waiting)))]
            if not reads:
                self._readers.remove(reader)
        return reads

    def _read_together(self, reads: Sequence[_BriefRead]) -> None:
        """All in one transaction; where that fails, each in its own, so that one's failure is nobody else's."""
        try:
            with self._engine.connect() as conn, conn.begin():
                found = _found_once(conn, reads)
        except BaseException:  # noqa: BLE001 - whose it is shows when each is read alone, and is raised there
            for read in reads:
                self._read_alone(read)
        else:
            for read, each in zip(reads, found, strict=True):
                read.found = each

    def _read_alone(self, read: _BriefRead) -> None:
        try:
            read.found = self._run(read.work)
        except BaseException as error:  # noqa: BLE001 - it is the caller's own, and is raised there
            read.failure = error


def _found_once(conn: Connection, reads: Sequence[_BriefRead]) -> list[Any]:
    """What each finds; in one transaction whoever asks alike finds the same."""
    asked: dict[object, Any] = {}
    for read in reads:
        name = read if read.alike is None else read.alike
        if name not in asked:
            asked[name] = read.work(conn)
    return [asked[read if read.alike is None else read.alike] for read in reads]


def _tell(reads: Sequence[_BriefRead]) -> None:
    """Answer them, each on the loop of its caller."""
    for loop in {read.loop for read in reads}:
        mine = [read for read in reads if read.loop is loop]
        with suppress(RuntimeError):  # the caller's loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_answer, mine)


def _answer(reads: Sequence[_BriefRead]) -> None:
    for read in reads:
        read.answer()


LONG = 64 << 20
"""Bytes from which on readers and writers are held up for a moment, so that it can begin anew."""

_LOOK_EVERY = 5.0


class WriteAheadLog:
    """SQLite's log of what is written and not folded into `file` yet, kept short.

    SQLite folds it in by itself and begins it anew where nobody reads at that moment; with readers that take turns it
    would grow for as long as they do.
    """

    def __init__(self, file: Path, *, long: int = LONG, now: Callable[[], float] = monotonic) -> None:
        self._file = file.with_name(f"{file.name}-wal")
        self._long, self._now = long, now
        self._looked = now()

    def trim(self, conn: Connection) -> None:
        """Fold a long log in and empty it, on the writer's own connection between two transactions. What keeps it from
        being done now is asked again later."""
        now = self._now()
        if now - self._looked < _LOOK_EVERY:
            return
        self._looked = now
        with suppress(OSError, sqlite3.Error):
            if self._file.stat().st_size > self._long:
                with closing(conn.connection.cursor()) as cursor:
                    cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
