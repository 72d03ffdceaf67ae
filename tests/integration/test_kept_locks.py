"""What a process does beside its open journal leaves it its locks: nobody else throws away what it still writes to."""

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from agentmem.adapters.journal import SqlJournal
from agentmem.runtime.facade.receipts import search_for_remains
from tests.support.journals import Place, said
from tests.support.nodes import NOON

_COME_AND_GO = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM events'); c.close()"


async def searched(_: SqlJournal, place: Path) -> None:
    assert search_for_remains(place.parent, (), ["a 1"]).found


async def opened_again(_: SqlJournal, place: Path) -> None:
    async with Place(f"sqlite:///{place}").journal():
        pass


async def backed_up(journal: SqlJournal, place: Path) -> None:
    await journal.backups.write(place.with_name("kept.backup"), now=NOON)


@pytest.mark.parametrize("beside", [searched, opened_again, backed_up])
async def test_what_is_accepted_after_another_process_came_and_went_is_there(
    tmp_path: Path, beside: Callable[[SqlJournal, Path], Awaitable[None]]
) -> None:
    file = tmp_path / "journal.db"
    async with Place(f"sqlite:///{file}").journal() as journal:
        await journal.events.append([said("a", 1)], now=NOON)
        await beside(journal, file)
        await asyncio.to_thread(subprocess.run, [sys.executable, "-c", _COME_AND_GO, str(file)], check=True)
        await journal.events.append([said("a", 2)], now=NOON)
        with closing(sqlite3.connect(file)) as other:
            assert other.execute("SELECT count(*) FROM events").fetchone() == (2,)
