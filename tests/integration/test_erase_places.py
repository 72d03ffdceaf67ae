"""An erasure reaches every collection that ever held the words, or says that it is not finished."""

from pathlib import Path

import pytest

from agentmem.errors import BackendUnavailable
from agentmem.memory.forget_plan import Meant
from agentmem.runtime.composition import opened
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.composition.places import IndexPlace
from agentmem.runtime.configuration.settings import QdrantIndexSettings, Settings
from tests.support.nodes import AGENT, LUO, TENANT
from tests.support.planted import places_with
from tests.support.spine import SCOPE, quick_settings, quiet_persona

WORDS = "zaunkoenig-555-0142"

# The client that is its own store leaves the database of a collection it deletes to the collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")


def with_embedder(folder: Path, name: str) -> Settings:
    return quick_settings(folder, embedder=name, index=QdrantIndexSettings(path=folder / "qdrant"))


async def told(settings: Settings) -> None:
    async with open_app(settings) as app:
        await app.know_agent(quiet_persona())
        await app.say(AGENT, LUO, f"My phone number is {WORDS}.", end=True)
        await app.drain()


async def test_a_collection_that_a_migration_left_behind_is_erased_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def left(*_: object) -> tuple[str, ...]:
        raise BackendUnavailable("not now")

    await told(with_embedder(tmp_path, "hash"))
    monkeypatch.setattr(opened, "discard_left", left)
    await opened.migrate_embedder(with_embedder(tmp_path, "hash-128"), lambda done, total: None)
    assert len(places_with(tmp_path / "qdrant", WORDS)) > 1
    async with open_app(with_embedder(tmp_path, "hash-128")) as app:
        done = await app.forget(Meant(SCOPE, query=WORDS), erase=True)
    assert done.receipt
    assert "agentmem-hash" in done.receipt.read_text()
    assert places_with(tmp_path, WORDS) == []


async def test_a_migration_throws_the_old_collection_away(tmp_path: Path) -> None:
    await told(with_embedder(tmp_path, "hash"))
    await opened.migrate_embedder(with_embedder(tmp_path, "hash-128"), lambda done, total: None)
    assert len(places_with(tmp_path / "qdrant", WORDS)) == 1


async def test_where_a_collection_cannot_be_reached_no_receipt_is_written_before_it_is(tmp_path: Path) -> None:
    settings = quick_settings(tmp_path)
    await told(settings)
    away = IndexPlace(server="http://127.0.0.1:9", collection="agentmem-gone")
    async with open_app(settings) as app:
        await app.journal.marks.set_mark("index.places", f"[{away.model_dump_json(by_alias=True)}]")
        with pytest.raises(BackendUnavailable, match="not cleaned up yet"):
            await app.forget(Meant(SCOPE, query=WORDS), erase=True)
        assert not list((tmp_path / "data").glob("receipts/*.json"))
        assert [each.tenant for each in await app.journal.eraser.unfinished()] == [TENANT]
