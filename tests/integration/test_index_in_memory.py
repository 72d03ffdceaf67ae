"""An index in the memory of the process finds what a lasting one finds, and leaves that one as it was."""

from pathlib import Path

from tests.support.index_kind import EDGE, IN_MEMORY
from tests.support.nodes import a_turn, an_ending
from tests.support.spine import found, spine


async def test_it_is_filled_from_the_journal_at_every_opening(tmp_path: Path) -> None:
    async with spine(tmp_path, index=IN_MEMORY) as app:
        await app.accept([a_turn("我想买7号车", 1), an_ending()])
        await app.drain()
        before = await found(app, "7号车")
    async with spine(tmp_path, index=IN_MEMORY) as app:
        after = await found(app, "7号车")
        assert (await app.index.verify()).ok
        assert app.opened is not None
        assert app.opened.rebuilt is None
    assert [hit.memory.content for hit in after.hits] == [hit.memory.content for hit in before.hits] != []
    assert not (tmp_path / "data" / "index").exists()


async def test_a_lasting_index_learns_what_was_said_meanwhile(tmp_path: Path) -> None:
    for number, index in enumerate((EDGE, IN_MEMORY, EDGE)):
        async with spine(tmp_path, index=index) as app:
            await app.accept([a_turn(f"我想买{number}号车", number)])
            await app.drain()
    async with spine(tmp_path, index=EDGE) as app:
        assert (await app.index.verify()).ok
        assert app.opened is not None
        assert app.opened.rebuilt is None
        for number in range(3):
            assert (await found(app, f"{number}号车")).hits[0].memory.content == f"我想买{number}号车"
