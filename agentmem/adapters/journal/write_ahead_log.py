"""SQLite's log of what is written and not folded into the file yet, kept short.

SQLite folds it in by itself and begins it anew where nobody reads at that moment; with readers that take turns it would
grow for as long as they do.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic

from sqlalchemy import Connection

LONG = 64 << 20
"""Bytes from which on readers and writers are held up for a moment, so that it can begin anew."""

_LOOK_EVERY = 5.0


class WriteAheadLog:
    """The log beside the database in `file`."""

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
