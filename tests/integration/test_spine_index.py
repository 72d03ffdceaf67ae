"""The index is a projection: damaged, it is made anew and says so; made by another embedder, it is refused or moved."""

import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from agentmem.domain.value import JsonValue
from agentmem.errors import EmbedderChanged, HeldElsewhere
from agentmem.ledger import projection
from agentmem.runtime.composition.opened import migrate_embedder
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.facade.app import App
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import a_turn, an_ending
from tests.support.spine import found, payloads, quick_settings, spine

pytestmark = pytest.mark.usefixtures("embedded_index_throughout")

TALK = [a_turn(f"第{number}件事:我想买{number}号车", number) for number in range(9)]
MEMORIES = 18


@pytest.fixture
def small_batches() -> Generator[None]:
    """So that a handful of memories takes several steps, each with its own watermark."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projection, "BATCH", 4)
        patch.setattr(projection, "FLUSH_POINTS", 4)
        yield


async def filled(folder: Path) -> dict[str, dict[str, JsonValue]]:
    """Let the talk be had and read; what the index then holds."""
    async with spine(folder) as app:
        await app.accept([*TALK, an_ending()])
        await app.drain()
        held = await payloads(app)
        assert len(held) == MEMORIES
        return held


def folder_of(place: Path) -> Path:
    """Where the index is."""
    [folder] = [path for path in (place / "data" / "index").iterdir() if path.is_dir()]
    return folder


async def is_whole(app: App, held: dict[str, dict[str, JsonValue]]) -> None:
    assert (await app.index.verify()).ok
    assert {key: {**payload, "lastAccess": None} for key, payload in (await payloads(app)).items()} == {
        key: {**payload, "lastAccess": None} for key, payload in held.items()
    }, "but for when they were recalled, which only an index knows"
    assert (await found(app, "7号车")).hits[0].memory.content.endswith("第7件事:我想买7号车")


def delete(folder: Path) -> None:
    shutil.rmtree(folder)


def delete_with_everything_beside_it(folder: Path) -> None:
    shutil.rmtree(folder.parent)


def empty_every_file(folder: Path) -> None:
    for file in _files(folder):
        file.write_bytes(b"")


def halve_every_file(folder: Path) -> None:
    for file in _files(folder):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def garbage_in_every_file(folder: Path) -> None:
    for file in _files(folder):
        file.write_bytes(b"\xde\xad\xbe\xef" * 64)


def garbage_in_place_of_the_folder(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_bytes(b"\xde\xad\xbe\xef" * 64)


def garbage_that_nothing_vouches_for(folder: Path) -> None:
    garbage_in_every_file(folder)
    folder.with_name(folder.name + ".seal").unlink()


def a_folder_of_something_else(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "holiday.jpg").write_bytes(b"\xff\xd8")


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "damage",
    [
        delete,
        delete_with_everything_beside_it,
        empty_every_file,
        halve_every_file,
        garbage_in_every_file,
        garbage_in_place_of_the_folder,
        garbage_that_nothing_vouches_for,
        a_folder_of_something_else,
    ],
)
async def test_a_damaged_index_is_made_anew_by_itself_and_says_so(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    held = await filled(tmp_path)
    damage(folder_of(tmp_path))
    cognition = ScriptedCognition()
    async with spine(tmp_path, cognition) as app:
        assert app.searchable.rebuilt
        await is_whole(app, held)
    assert cognition.windows == []
    async with spine(tmp_path) as app:
        assert app.searchable.rebuilt is None
        await is_whole(app, held)


async def test_an_index_in_order_is_not_made_anew(tmp_path: Path) -> None:
    held = await filled(tmp_path)
    async with spine(tmp_path) as app:
        assert app.searchable.rebuilt is None
        await is_whole(app, held)


async def test_a_second_holder_is_told_who_holds_the_index_and_may_write_without_it(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        with pytest.raises(HeldElsewhere, match=f"held by process {os.getpid()}"):
            async with spine(tmp_path):
                pass
        async with open_app(quick_settings(tmp_path), cognition=ScriptedCognition(), index=False) as other:
            await other.accept(TALK)
            await other.drain()
        assert (await found(app, "7号车")).hits
        assert (await app.index.verify()).ok


async def test_another_embedder_is_refused_with_the_way_out(tmp_path: Path) -> None:
    held = await filled(tmp_path)
    with pytest.raises(EmbedderChanged, match="agentmem embedder migrate"):
        async with spine(tmp_path, embedder="hash-128"):
            pass
    async with spine(tmp_path) as app:
        await is_whole(app, held)


async def test_a_migration_embeds_everything_anew_and_swaps(tmp_path: Path) -> None:
    held = await filled(tmp_path)
    before = folder_of(tmp_path)
    told: list[tuple[int, int]] = []
    moved = await migrate_embedder(
        quick_settings(tmp_path, embedder="hash-128"), lambda done, of: told.append((done, of))
    )
    assert moved == MEMORIES + 1  # and the entity they are about
    assert told[-1][0] == told[-1][1]
    assert not before.exists()
    cognition = ScriptedCognition()
    async with spine(tmp_path, cognition, embedder="hash-128") as app:
        assert app.searchable.rebuilt is None
        await is_whole(app, held)
    assert cognition.windows == []
    async with spine(tmp_path) as app:
        await is_whole(app, held)
    with pytest.raises(EmbedderChanged):
        async with spine(tmp_path, embedder="hash"):
            pass


class Interrupted(Exception):
    """Somebody pressed Ctrl-C."""


@pytest.mark.usefixtures("small_batches")
async def test_an_interrupted_migration_goes_on_where_it_stopped(tmp_path: Path) -> None:
    await filled(tmp_path)
    wanted = quick_settings(tmp_path, embedder="hash-128")
    first: list[int] = []

    def interrupt(done: int, _: int) -> None:
        first.append(done)
        if len(first) == 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        await migrate_embedder(wanted, interrupt)

    async with spine(tmp_path) as app:  # the old vectors serve until the swap, and what comes in meanwhile counts
        assert app.searchable.rebuilt is None
        await app.accept([a_turn("我还想买一条船", 20), an_ending("later")])
        await app.drain()
        assert (await app.index.verify()).ok
        held = await payloads(app)

    second: list[int] = []
    assert await migrate_embedder(wanted, lambda done, _: second.append(done)) == len(held) + 1
    assert second[0] > first[-1] - 4, "what was embedded before the interruption was embedded again"
    async with spine(tmp_path, embedder="hash-128") as app:
        assert app.searchable.rebuilt is None
        assert (await app.index.verify()).ok
        assert await payloads(app) == held
        assert (await found(app, "船")).hits


async def test_a_half_made_index_of_the_new_embedder_does_not_stop_the_migration(tmp_path: Path) -> None:
    held = await filled(tmp_path)
    before = folder_of(tmp_path)
    wanted = quick_settings(tmp_path, embedder="hash-128")
    with pytest.raises(Interrupted):
        await migrate_embedder(wanted, interrupt_at_once)
    [begun] = [path for path in before.parent.iterdir() if path.is_dir() and path != before]
    garbage_in_every_file(begun)
    assert await migrate_embedder(wanted, lambda done, of: None) == MEMORIES + 1
    async with spine(tmp_path, embedder="hash-128") as app:
        await is_whole(app, held)


async def test_a_migration_killed_before_it_tidied_up_is_tidied_up_by_the_next(tmp_path: Path) -> None:
    await filled(tmp_path)
    before = folder_of(tmp_path)
    copy = tmp_path / "copy"
    shutil.copytree(before, copy)
    wanted = quick_settings(tmp_path, embedder="hash-128")
    await migrate_embedder(wanted, lambda done, of: None)
    copy.rename(before)
    await migrate_embedder(wanted, lambda done, of: None)
    assert not before.exists()


def interrupt_at_once(done: int, of: int) -> None:
    raise Interrupted


@pytest.mark.usefixtures("small_batches")
async def test_a_watermark_that_lags_behind_costs_work_and_nothing_else(tmp_path: Path) -> None:
    held = await filled(tmp_path)
    async with spine(tmp_path) as app:
        marks = app.journal.marks
        await marks.set_mark(f"index.watermark/{await marks.mark(projection.ACTIVE)}", "3")
    async with spine(tmp_path) as app:
        assert app.searchable.rebuilt is None
        await is_whole(app, held)


async def test_an_index_of_an_older_form_is_filled_anew(tmp_path: Path) -> None:
    held = await filled(tmp_path)
    async with spine(tmp_path) as app:
        assert app.searchable.rebuilt is None
        await app.journal.marks.set_mark("index.form/hash-256", "1")
    async with spine(tmp_path) as app:
        assert "form 1" in str(app.searchable.rebuilt)
        await is_whole(app, held)
    async with spine(tmp_path) as app:
        assert app.searchable.rebuilt is None
