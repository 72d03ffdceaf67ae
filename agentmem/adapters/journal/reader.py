"""The threads that read: each call sees one consistent state, at least as new as every answered commit."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine, Executable

from agentmem.adapters.journal.dialect import Record, Row
from agentmem.adapters.journal.engine import READERS
from agentmem.adapters.journal.failure import translating
from agentmem.errors import BackendUnavailable

T = TypeVar("T")


class Reader:
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
