"""Taking a run back never hides that something has ended since: what returns resting on it returns in doubt."""

from datetime import timedelta
from pathlib import Path

from agentmem.adapters.journal import SqlJournal
from agentmem.domain.change import Act, Change
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.ledger.undo import UndoReport, undo
from agentmem.ports.ledger import Commit
from tests.support.journals import Place
from tests.support.nodes import NOON, TENANT, a_memory
from tests.support.reflecting import TOMORROW, added

LATER = TOMORROW + timedelta(days=1)


def an_insight(content: str, *sources: MemoryNode) -> MemoryNode:
    ids = tuple(node.memory_id for node in sources)
    return a_memory(content, memory_type=MemoryType.INSIGHT, kind="reflected", depends_on=ids, source_ids=ids)


async def wrote(journal: SqlJournal, run: str, *after: MemoryNode, act: Act = "end") -> None:
    held = await journal.ledger.get(TENANT, [node.memory_id for node in after])
    changes = tuple(Change(act=act, before=held.get(node.memory_id), after=node) for node in after)
    await journal.ledger.commit(Commit(TENANT, run, "test", NOON, changes))


async def state(journal: SqlJournal, node: MemoryNode) -> MemoryNode:
    return (await journal.ledger.get(TENANT, [node.memory_id]))[node.memory_id]


async def over(journal: SqlJournal, node: MemoryNode, run: str = "over") -> None:
    held = await state(journal, node)
    await wrote(journal, run, held.ended(at=TOMORROW, now=TOMORROW))


async def taken_back(journal: SqlJournal, run: str, *, cascade: bool = False) -> UndoReport:
    return await undo(journal.ledger, TENANT, run, now=LATER, cascade=cascade)


async def test_a_cascade_keeps_the_mark_of_what_ended_after_the_run(tmp_path: Path) -> None:
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        paris = a_memory("罗小东住在巴黎")
        insight = an_insight("罗小东喜欢法国", paris)
        await added(journal, [paris, insight])
        await wrote(journal, "refreshed", insight.revised(content="罗小东爱法国", revision=2), act="refresh")
        await over(journal, paris)
        assert (await taken_back(journal, "refreshed")).blocked == (insight.memory_id,)
        await taken_back(journal, "refreshed", cascade=True)
        back = await state(journal, insight)
        assert (back.content, back.needs_review) == (insight.content, (paris.memory_id,))
        assert (await journal.ledger.news(insight.lane.scope, limit=9)).doubtful == (back,)


async def test_a_review_that_settled_the_doubt_does_not_settle_it_for_the_earlier_state(tmp_path: Path) -> None:
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        paris, wine = a_memory("罗小东住在巴黎"), a_memory("罗小东爱喝红酒")
        insight = an_insight("罗小东喜欢法国", paris, wine)
        await added(journal, [paris, wine, insight])
        await wrote(journal, "refreshed", insight.revised(content="罗小东爱法国", revision=2), act="refresh")
        await over(journal, paris)
        rest = (wine.memory_id,)
        settled = (await state(journal, insight)).revised(
            needs_review=None, depends_on=rest, source_ids=rest, revision=4
        )
        await wrote(journal, "reviewed", settled, act="refresh")
        await taken_back(journal, "refreshed", cascade=True)
        assert (await state(journal, insight)).needs_review == (paris.memory_id,)


async def test_what_comes_back_to_life_on_what_has_ended_is_in_doubt_and_so_is_what_rests_on_it(tmp_path: Path) -> None:
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        paris = a_memory("罗小东住在巴黎")
        first = an_insight("罗小东喜欢法国", paris)
        second = an_insight("罗小东会说法语", first)
        await added(journal, [paris, first, second])
        await wrote(journal, "ended", *(node.ended(at=TOMORROW, now=TOMORROW) for node in (second, first)))
        await over(journal, paris)
        report = await taken_back(journal, "ended")
        assert sorted(report.restored) == sorted((first.memory_id, second.memory_id))
        for node in (first, second):
            rows = [entry.change.after for entry in await journal.ledger.history(TENANT, node.memory_id)]
            assert node in rows[2:], "byte for byte what it was"
            assert rows[-1] == node.revised(needs_review=(paris.memory_id,), revision=2)
        assert await taken_back(journal, "ended") == UndoReport(None, (), ())


async def test_what_the_undo_itself_brings_back_puts_nothing_in_doubt(tmp_path: Path) -> None:
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        paris = a_memory("罗小东住在巴黎")
        insight = an_insight("罗小东喜欢法国", paris)
        await added(journal, [paris, insight])
        await over(journal, paris)
        assert (await state(journal, insight)).needs_review == (paris.memory_id,)
        await taken_back(journal, "over")
        assert [await state(journal, node) for node in (paris, insight)] == [paris, insight]


async def test_what_only_faded_is_still_relied_on(tmp_path: Path) -> None:
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        paris = a_memory("罗小东住在巴黎")
        insight = an_insight("罗小东喜欢法国", paris)
        await added(journal, [paris, insight])
        await wrote(journal, "ended", insight.ended(at=TOMORROW, now=TOMORROW))
        faded = paris.revised(store_status=StoreStatus.EXPIRED, expired_at=TOMORROW, revision=2)
        await wrote(journal, "faded", faded, act="decay")
        await taken_back(journal, "ended")
        assert await state(journal, insight) == insight


async def test_a_run_that_changed_both_a_memory_and_what_it_rests_on_is_taken_back_without_a_doubt(
    tmp_path: Path,
) -> None:
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        paris = a_memory("罗小东住在巴黎")
        insight = an_insight("罗小东喜欢法国", paris)
        await added(journal, [paris, insight])
        edited = paris.revised(content="罗小东住在那里", revision=2)
        await wrote(journal, "both", edited, insight.revised(content="罗小东喜欢那里", revision=2), act="refresh")
        await taken_back(journal, "both")
        assert [await state(journal, node) for node in (paris, insight)] == [paris, insight]


async def test_a_run_that_only_looked_is_taken_back_too(tmp_path: Path) -> None:
    async with Place(f"sqlite:///{tmp_path}/journal.db").journal() as journal:
        paris = a_memory("罗小东住在巴黎")
        await added(journal, [paris])
        await wrote(journal, "looked", paris.revised(revision=2), act="reflect")
        assert (await taken_back(journal, "looked")).restored == (paris.memory_id,)
        assert await state(journal, paris) == paris
