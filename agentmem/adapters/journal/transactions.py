"""What work runs in: one write transaction with the numbers it gives out, and the threads that read, of which each
call sees one consistent state, at least as new as every answered commit.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from time import monotonic
from typing import TypeVar

from sqlalchemy import Connection, Engine, Executable, select, update

from agentmem.adapters.journal.connections import READERS
from agentmem.adapters.journal.dialect import Record, Row, translating
from agentmem.adapters.journal.schema import counters
from agentmem.errors import PUT_BACK, BackendUnavailable, JournalDamaged

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


class ReadPool:
    """Runs functions over a connection beside the event loop."""

    def __init__(self, engine: Engine, store: str) -> None:
        self._engine, self._store = engine, store
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="agentmem-journal-reader")
        self._closed = False

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What `work` finds."""
        if self._closed:
            raise BackendUnavailable(f"{self._store} is closed")
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, work)

    async def rows(self, statement: Executable, asked: Row | None = None) -> Sequence[Record]:
        """All rows of one statement, asked with these values."""
        return await self.read(lambda conn: conn.execute(statement, asked).all())

    async def close(self) -> None:
        """Let what runs come to its end."""
        self._closed = True
        await asyncio.to_thread(self._threads.shutdown)

    def _run(self, work: Callable[[Connection], T]) -> T:
        with translating(self._store), self._engine.connect() as conn, conn.begin():
            return work(conn)


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
