"""The journal on SQLite or PostgreSQL, opened and closed as one thing."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, closing, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from agentmem.adapters.journal import connections as engines
from agentmem.adapters.journal.appending import Intake
from agentmem.adapters.journal.backups.restore import SqlBackups
from agentmem.adapters.journal.committer import Committer
from agentmem.adapters.journal.copy_store import SqlCopyStore
from agentmem.adapters.journal.dead_letters import SqlDeadLetters, SqlSetAsides
from agentmem.adapters.journal.dialect import translating
from agentmem.adapters.journal.erasing import SqlEraser
from agentmem.adapters.journal.event_log import SqlEventLog, glance
from agentmem.adapters.journal.inspection import SqlInspection
from agentmem.adapters.journal.keeping import SqlAccessTokens, SqlAgentRegistry, SqlMarks, SqlVectorCache
from agentmem.adapters.journal.leases import Holder, Reaper, release_all
from agentmem.adapters.journal.ledger import SqlLedger
from agentmem.adapters.journal.lineages import SqlLineages
from agentmem.adapters.journal.maintenance import SqlDiagnostics, SqlStorage
from agentmem.adapters.journal.migrations import open_store
from agentmem.adapters.journal.removal import wipe
from agentmem.adapters.journal.transactions import ReadPool, WriteAheadLog
from agentmem.adapters.journal.work_queue import SqlWorkQueue
from agentmem.domain.scope import Scope
from agentmem.errors import AgentMemError
from agentmem.ports.journal import Glance

_VERBATIM: Final = "conversation"
"""The worker that makes turns into conversation memories."""


class SqlJournal:
    """The `Journal` port over SQL. Any number of processes may open the same database side by side.

    `url` is `sqlite:///FILE` or `postgresql://USER@HOST/DATABASE?schema=NAME`; `routes` maps an event's kind to the
    workers that get a job for it. At `capacity` unfinished jobs no event is taken any more. A lease is
    lost after `lease_seconds` without a sign of life. No lock and no answer of the database is waited for longer than
    `patience` seconds.
    `backups` is the folder for copies made before the store is changed; beside the file where it is None.
    `on_commit` hears `before:STEP` and `after:STEP` around every commit, STEP being append, claim, stage, finish, …
    """

    def __init__(
        self,
        url: str,
        *,
        routes: Mapping[str, Sequence[str]],
        schema: str | None = None,
        capacity: int = 100_000,
        lease_seconds: float = 30,
        longest_delay: float = 3_600,
        callers: int = 10_000,
        patience: float = 30,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        on_commit: Callable[[str], None] | None = None,
        backups: Path | None = None,
    ) -> None:
        self._store = store = engines.parse(url, schema)
        self._writing = engines.writing_engine(store, patience)
        self._reading = engines.reading_engine(store, patience)
        self._holder = Holder.of_this_process()
        log = WriteAheadLog(store.file.path) if store.file else None
        self._committer = committer = Committer(
            self._writing, store.name, limit=callers, on_commit=on_commit, on_queued=self._ring, log=log
        )
        self._reader = reader = ReadPool(self._reading, store.name, threads=store.readers, briefly=store.readers - 1)
        reaper = Reaper(self._holder, lease_seconds=lease_seconds, local=store.local, monotonic=monotonic)
        self.events = SqlEventLog(committer, reader, Intake(routes, capacity))
        self.queue = SqlWorkQueue(
            committer, reader, reaper, holder=str(self._holder), longest_delay=longest_delay, clock=clock
        )
        self.dead = SqlDeadLetters(committer, reader)
        self.diagnostics = SqlDiagnostics(reader, self._holder, local=store.local)
        self.set_asides = SqlSetAsides(committer, reader, clock)
        self.ledger = SqlLedger(committer, reader)
        self.inspection = SqlInspection(reader)
        self.marks = SqlMarks(committer, reader, store)
        self.vectors = SqlVectorCache(committer, reader, store)
        self.eraser = SqlEraser(store, committer, reader, self._reading)
        self.registry = SqlAgentRegistry(committer, reader)
        self.copies = SqlCopyStore(committer, reader)
        self.lineages = SqlLineages(committer, reader)
        self._aside = backups or (store.file.path.parent / "backups" if store.file else None)
        self.tokens = SqlAccessTokens(committer, reader)
        self.backups = SqlBackups(store, committer, reader, self._aside)
        self.storage = SqlStorage(store, committer, reader)
        self._opened = AsyncExitStack()

    @property
    def read_only(self) -> bool:
        """See `Journal`."""
        return self._store.read_only

    async def glance(self, scope: Scope, *, turns: int) -> Glance:
        """See `Journal`."""
        return await self._reader.read(lambda conn: glance(conn, scope, _VERBATIM, turns))

    async def purge(self, scope: Scope) -> list[str]:
        """See `Journal`."""
        removed = await self._committer.submit("purge", lambda unit: wipe(unit, scope))
        await asyncio.to_thread(self._overwrite_log)
        return removed

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            if self._store.file is not None:
                stack.callback(self._store.file.close)
            stack.callback(self._reading.dispose)
            stack.callback(self._writing.dispose)
            stack.push_async_callback(self._reader.close)
            await asyncio.to_thread(self._prepare)
            stack.push_async_callback(self._committer.close)
            self._committer.start()
            stack.push_async_callback(self._give_back)
            self._opened = stack.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._opened.aclose()

    def _prepare(self) -> None:
        with translating(self._store.name):
            open_store(self._store, self._writing, self._reading, backups=self._aside)

    def _overwrite_log(self) -> None:
        """SQLite keeps what was deleted in its write-ahead log until that is folded into the file."""
        if not self._store.local:
            return
        with translating(self._store.name), closing(self._reading.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    async def _give_back(self) -> None:
        """Leases would run out by themselves; given back, nobody has to wait for that. Who took none has nothing to
        write, and waits for no writer."""
        if not self.queue.claimed:
            return
        holder = str(self._holder)
        with suppress(AgentMemError):
            await self._committer.submit("close", lambda unit: release_all(unit.conn, holder), numbered=False)

    def _ring(self) -> None:
        self.queue.ring()
