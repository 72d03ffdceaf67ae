"""What an erasure leaves behind it is cleaned up at once, in every place there is, and else noted."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentmem.errors import BackendUnavailable
from agentmem.ledger.projection import points_of
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import number_in
from agentmem.runtime.composition.backups import FOLDER
from agentmem.runtime.facade import forget_requests
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.forget_requests import CleanUp
from tests.support.nodes import AGENT, LUO
from tests.support.planted import places_with
from tests.support.spine import SCOPE, memories, payloads, spine

WORDS = "zaunkoenig-555-0142"
ERASED = Meant(SCOPE, query=WORDS)


async def tell(app: App) -> None:
    """Two turns, one of them to be erased."""
    for text in (f"My phone number is {WORDS}.", "I like tea."):
        await app.say(AGENT, LUO, text, end=True)
    await app.drain()


def lay(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(WORDS)


def move_about(journal: Path) -> None:
    """Leave the words in pages of the file that no table has any more."""
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("PRAGMA secure_delete=OFF")
        connection.execute("CREATE TABLE moved (words TEXT)")
        connection.executemany("INSERT INTO moved VALUES (?)", [(f"{WORDS} {'x' * 3_000}",)] * 99)
        connection.execute("DROP TABLE moved")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def test_copies_that_are_kept_and_indexes_nobody_uses_and_what_was_moved_about_go(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await tell(app)
        data = app.settings.data
        lay(data / FOLDER / "before.zip")
        lay(data / "index" / "another" / "points")
        move_about(data / "journal.db")
        assert len(places_with(data, WORDS)) >= 3
        await app.forget(ERASED, erase=True)
        assert places_with(data, WORDS) == []


@pytest.mark.usefixtures("embedded_index")
async def test_the_index_is_whole_and_on_disk_when_an_erasure_is_done(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await tell(app)
        await app.copies.clone(AGENT, "twin")
        before = await payloads(app)
        twins = {key: told for key, told in before.items() if told["agentId"] == "twin"}
        await app.forget_agent("twin")
        assert twins
        assert await payloads(app) == {key: told for key, told in before.items() if key not in twins}
        watermark = f"index.watermark/{app.searchable.projector.fingerprint}"
        on_disk = number_in(await app.journal.marks.mark(watermark))
        assert on_disk == app.searchable.projector.position > 0


async def test_where_nothing_can_be_written_no_search_finds_what_was_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unreachable(*_: object) -> tuple[str, ...]:
        raise BackendUnavailable("not now")

    async with spine(tmp_path) as app:
        await tell(app)
        index, recall = app.searchable.index, app.searchable.recall
        gone = [node for node in await memories(app) if WORDS in node.content]
        monkeypatch.setattr(forget_requests, "discard_left", unreachable)
        with pytest.raises(BackendUnavailable):
            await app.forget(ERASED, erase=True)
        await index.upsert(await points_of(gone, recall.gather.embedder))
        kept = (await payloads(app)).keys() - {node.memory_id for node in gone}
        monkeypatch.setattr(type(app.journal), "read_only", True)
        left = await app.journal.eraser.unfinished()
        await CleanUp.of(app.settings, app.services, app.opened).after_all()
        assert (await payloads(app)).keys() == kept != set()
        assert await app.journal.eraser.unfinished() == left != []
        await CleanUp.of(app.settings, app.services, None).after_all()
