"""What an agent erases is erased in every agent that was made from it; what it only ends is not."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agentmem.domain.change import Change
from agentmem.domain.episode import episode_id
from agentmem.domain.event import TurnSpoken
from agentmem.domain.ids import derived_id, entity_id
from agentmem.domain.lineage import copied_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Commit
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.receipts import read_receipt, search_for_remains
from tests.support.cognition import ScriptedCognition
from tests.support.copying import clone_of_seller, copied
from tests.support.nodes import AGENT, LUO, NOON, TARGET, TENANT, a_memory, a_turn
from tests.support.planted import CANARY, HERS, places_with, plant
from tests.support.spine import SCOPE, memories, payloads, spine, states

pytestmark = pytest.mark.usefixtures("embedded_index_throughout")

PERSON = Scope(TENANT, AGENT, TARGET)
TWIN, TRIPLET = Scope(TENANT, "twin"), Scope(TENANT, "triplet")


@asynccontextmanager
async def three(folder: Path, count: int = 4) -> AsyncGenerator[tuple[App, tuple[TurnSpoken, ...]]]:
    """The seller, told of 罗小东 and 王芳; its clone, and a clone of that."""
    async with spine(folder) as app:
        ours = await plant(app, count)
        await app.copies.clone(AGENT, "twin")
        await app.copies.clone("twin", "triplet")
        yield app, ours


async def contents(app: App, scope: Scope) -> list[str]:
    return [node.content for node in await memories(app, scope=scope)]


async def test_a_person_is_erased_from_every_copy_in_one_go(tmp_path: Path) -> None:
    async with three(tmp_path) as (app, _):
        theirs = await contents(app, Scope(TENANT, AGENT, HERS))
        told = await app.forget(Meant(PERSON), erase=True)
        for scope in (SCOPE, TWIN, TRIPLET):
            assert await contents(app, scope) == theirs
        assert places_with(tmp_path, CANARY) == []
        assert len(await payloads(app)) == 3 * len(theirs)
        assert (await app.index.verify()).ok
        assert told.erased is not None
        assert told.receipt is not None
        gone = len(told.erased.memory_ids)
        # Neither copy had made her entity yet.
        assert told.copies == ((TENANT, "twin", gone - 1), (TENANT, "triplet", gone - 1))
        assert [copy.agent_id for copy in told.erased.copies] == ["twin", "triplet"]
        receipt, doubt = await read_receipt(told.receipt, app.journal.marks)
        assert (receipt and receipt.erased, doubt) == (told.erased, None)
        anew = [each for erased in (told.erased, *told.erased.copies) for each in erased.anew]
        assert len(told.erased.everywhere) == 3 * gone - 2 - len(anew)
    assert search_for_remains(tmp_path / "data", told.erased.everywhere, [CANARY]).found == ()


async def test_one_turn_is_erased_from_every_copy_with_what_was_made_of_it_there(tmp_path: Path) -> None:
    async with three(tmp_path) as (app, ours):
        turn = episode_id(ours[1])
        its_turn = copied_id(TENANT, "twin", turn)
        (like,) = (await app.journal.ledger.get(TENANT, [its_turn])).values()
        own = {"memory_id": derived_id("own"), "memory_type": MemoryType.INSIGHT, "content": "own thought"}
        mine = like.revised(**own, meta_data={}, depends_on=(its_turn,))
        await write(app, mine)
        await app.forget(Meant(SCOPE, source=turn), erase=True)
        for scope in (SCOPE, TWIN, TRIPLET):
            held = await contents(app, scope)
            assert f"{CANARY}-said-1" not in held
            assert f"{CANARY}-later-{CANARY}-value-1" not in held
            assert "own thought" not in held
            assert f"{CANARY}-said-2" in held
        assert places_with(tmp_path, f"{CANARY}-said-1") == []


async def test_a_receipt_names_the_bundles_that_left_with_what_is_erased(tmp_path: Path) -> None:
    async with three(tmp_path) as (app, ours):
        first = (await app.bundles.export(AGENT, tmp_path / "first.zip")).digest
        its = (await app.bundles.export("twin", tmp_path / "its.zip")).digest
        await app.accept([a_turn("später gesagt", 90)])
        await app.drain()
        later = (await app.bundles.export(AGENT, tmp_path / "later.zip")).digest
        new = next(node for node in await memories(app) if node.content == "später gesagt")
        said_since = await app.forget(Meant(SCOPE, source=new.memory_id), erase=True)
        told = await app.forget(Meant(SCOPE, source=episode_id(ours[1])), erase=True)
        assert said_since.erased is not None
        assert said_since.erased.left_in == (later,)
        assert told.erased is not None
        assert set(told.erased.exports) == {first, later}  # in the order of their times, which are the same here
        assert set(told.erased.left_in) == {first, later, its}
        assert told.receipt is not None
        receipt, doubt = await read_receipt(told.receipt, app.journal.marks)
        assert (receipt and receipt.erased, doubt) == (told.erased, None)


async def test_a_bundle_is_named_that_left_right_after_the_memory_was_made(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        likes = a_memory("likes tea")
        await write(app, likes)
        bundle = (await app.bundles.export(AGENT, tmp_path / "first.zip")).digest
        told = await app.forget(Meant(SCOPE, ids=(likes.memory_id,)), erase=True)
        assert told.erased is not None
        assert told.erased.exports == (bundle,)


async def test_a_bundle_is_named_again_where_an_earlier_erasure_cut_a_past_off(tmp_path: Path) -> None:
    async with spine(tmp_path, ScriptedCognition(states("no such words", "nothing"))) as app:
        turn = a_turn("我的电话是13800138000,我住在巴黎", 0)
        await app.accept([turn])
        await app.drain()
        part = {"memoryId": episode_id(turn), "start": 0, "end": 16}
        phone = a_memory("罗小东的电话是13800138000", source_ids=(episode_id(turn),), evidence=(part,))
        await write(app, phone)
        bundle = (await app.bundles.export(AGENT, tmp_path / "first.zip")).digest
        for meant in (Meant(SCOPE, ids=(phone.memory_id,)), Meant(SCOPE, source=episode_id(turn))):
            told = await app.forget(meant, erase=True)
            assert told.erased is not None
            assert told.erased.exports == (bundle,)


async def write(app: App, node: MemoryNode) -> None:
    await app.journal.ledger.commit(
        Commit(TENANT, f"own-{node.memory_id}", "reflection", NOON, (Change(act="add", after=node),))
    )


async def test_words_cut_out_of_a_turn_are_cut_out_of_its_copies(tmp_path: Path) -> None:
    async with spine(tmp_path, ScriptedCognition(states("no such words", "nothing"))) as app:
        turn = a_turn("我的电话是13800138000,我住在巴黎", 0)
        await app.accept([turn])
        await app.drain()
        phone = a_memory(
            "罗小东的电话是13800138000",
            attribute="phone",
            value="13800138000",
            source_ids=(episode_id(turn),),
            evidence=({"memoryId": episode_id(turn), "start": 0, "end": 16},),
        )
        await write(app, phone)
        await app.copies.clone(AGENT, "twin")
        await app.forget(Meant(SCOPE, ids=(phone.memory_id,)), erase=True)
        assert await contents(app, SCOPE) == await contents(app, TWIN) == ["我住在巴黎"]
        assert places_with(tmp_path, "13800138000") == []


@pytest.mark.parametrize("since", ["as it was", "said otherwise", "gone"])
async def test_a_turn_that_loses_words_goes_whole_where_a_copy_changed_it(tmp_path: Path, since: str) -> None:
    async with spine(tmp_path, ScriptedCognition(states("no such words", "nothing"))) as app:
        turn = a_turn("我的电话是13800138000,我住在巴黎", 0)
        await app.accept([turn])
        await app.drain()
        part = {"memoryId": episode_id(turn), "start": 0, "end": 16}
        phone = a_memory("罗小东的电话是13800138000", source_ids=(episode_id(turn),), evidence=(part,))
        await write(app, phone)
        await app.copies.clone(AGENT, "twin")
        key = copied_id(TENANT, "twin", episode_id(turn))
        (held,) = (await app.journal.ledger.get(TENANT, [key])).values()
        if since == "said otherwise":
            step = Change(act="refresh", before=held, after=held.revised(content="住在巴黎,13800138000", revision=2))
            await app.journal.ledger.commit(Commit(TENANT, "own", "test", NOON, (step,)))
        elif since == "gone":
            await app.forget(Meant(TWIN, source=key), erase=True)
        await app.forget(Meant(SCOPE, ids=(phone.memory_id,)), erase=True)
        assert "我住在巴黎" in await contents(app, SCOPE)
        assert await contents(app, TWIN) == (["我住在巴黎"] if since == "as it was" else [])
        assert places_with(tmp_path, "13800138000") == []


async def test_a_copy_too_concludes_anew_and_tells_what_still_names_who_went(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        hers = a_turn("罗小东来过", run="hers", target_id=HERS)
        await app.accept([hers])
        await app.drain()
        tea, late = a_memory("likes tea", obs_reflected=1), a_memory("sleeps late", obs_reflected=1)
        ids = (tea.memory_id, late.memory_id)
        both = a_memory("likes tea; sleeps late", memory_type=MemoryType.INSIGHT, source_ids=ids, depends_on=ids)
        for node in (tea, late, both):
            await write(app, node)
        await app.copies.clone(AGENT, "twin")
        its_late, its_turn = (copied_id(TENANT, "twin", key) for key in (late.memory_id, episode_id(hers)))
        await app.forget(Meant(SCOPE, ids=(tea.memory_id,)), erase=True)
        (again,) = (await app.journal.ledger.get(TENANT, [its_late])).values()
        assert again.obs_reflected == 0
        told = await app.forget(Meant(PERSON), erase=True)
        assert told.erased is not None
        assert [copy.left for copy in told.erased.copies] == [(its_turn,)]


async def test_what_the_clone_was_told_or_changed_itself_about_an_erased_person_goes_as_well(tmp_path: Path) -> None:
    async with three(tmp_path) as (app, ours):
        await app.say("twin", LUO, "我只告诉了你")
        await app.say("twin", "王芳", "我也是")
        await app.drain()
        turn = (await app.journal.ledger.get(TENANT, [copied_id(TENANT, "twin", episode_id(ours[0]))])).popitem()[1]
        changed = turn.revised(content=f"{CANARY}-but-otherwise", revision=2)
        step = Change(act="refresh", before=turn, after=changed)
        await app.journal.ledger.commit(Commit(TENANT, "own", "test", NOON, (step,)))
        await app.forget(Meant(PERSON), erase=True)
        assert "我也是" in await contents(app, TWIN)
        assert places_with(tmp_path, "我只告诉了你") == places_with(tmp_path, CANARY) == []


async def test_ending_and_looking_reach_no_copy_and_erasing_reaches_no_original(tmp_path: Path) -> None:
    async with three(tmp_path) as (app, _):
        before = await memories(app, scope=TWIN)
        previewed = await app.forget(Meant(PERSON), erase=True, dry_run=True)
        taken = len(previewed.gone)
        # Neither copy has made her entity yet.
        assert previewed.copies == ((TENANT, "twin", taken - 1), (TENANT, "triplet", taken - 1))
        ended = await app.forget(Meant(PERSON))
        assert ended.gone
        assert ended.copies == ()
        assert await memories(app, scope=TWIN) == before
        held, whole = await contents(app, SCOPE), len(before)
        await app.forget(Meant(Scope(TENANT, "twin", entity_id(TENANT, "twin", "罗小东"))), erase=True)
        assert await contents(app, SCOPE) == held
        assert await contents(app, TWIN) == await contents(app, TRIPLET)
        assert len(await contents(app, TWIN)) < whole


async def test_a_copy_in_the_making_is_begun_anew(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant(app, 4)
        await copied(app.journal, await app.journal.copies.begin(clone_of_seller(), now=NOON), pages=3)
        await app.forget(Meant(PERSON), erase=True)
        assert await app.copies.origin("twin") is None
        assert places_with(tmp_path, CANARY) == []
        await app.copies.clone(AGENT, "twin")
        assert await contents(app, TWIN) == await contents(app, SCOPE)
