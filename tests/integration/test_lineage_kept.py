"""A contract of hire, and what was erased, outlive the agent; a file is linked only to whom it is of."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from agentmem.agents.copying import erasing_copies, hire
from agentmem.agents.copying.hire import contract_of
from agentmem.domain.ids import entity_id
from agentmem.domain.lineage import Lineage
from agentmem.domain.memory import MemoryType
from agentmem.domain.persona import HirePolicy, Persona
from agentmem.domain.scope import Grant, Principal, Scope
from agentmem.errors import AlreadyThere, Conflict, InvalidInput, NotFound
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.composition.places import IndexPlace
from agentmem.runtime.facade import forget_requests
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.receipts import read_receipt, search_for_remains
from agentmem.runtime.host.clocks import ManualClock
from tests.integration.test_hire import SELLER, SHELF, manual
from tests.integration.test_hire_erased import known, told
from tests.support.bundles import key_pair
from tests.support.canaries import CONTRACT
from tests.support.known import SELLER as PEOPLES
from tests.support.known import target_of
from tests.support.nodes import AGENT, LUO, TARGET, TENANT, a_turn
from tests.support.spine import LATER, SCOPE, quick_settings, quiet_persona, spine

HIRER, HIRED = "globex", "adviser"
PRICES = "# 价格\n\nSECRETDOC 标准版每年 30000 元。\n"


def of(app: App, tenant: str) -> App:
    """The app of somebody who may do everything in that tenant."""
    return app.for_principal(Principal("ann", tenant, {"*": frozenset(Grant)}))


async def hired(app: App) -> App:
    """Have the seller hired with one document; the hirer's app."""
    await app.know_agent(SELLER.revised(hire=SHELF))
    await app.accept([manual(PRICES)])
    await app.drain()
    await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
    return of(app, HIRER)


async def contents(app: App, agent: str) -> list[str]:
    return [node.content for node in await app.memories(Selection(Scope(app.tenant, agent)))]


async def erase_document(app: App) -> None:
    ids = [node.memory_id for node in await app.memories(Selection(SCOPE)) if "SECRETDOC" in node.content]
    await app.forget(Meant(SCOPE, ids=tuple(ids)), erase=True)


async def test_a_hired_agent_that_was_removed_comes_back_from_its_file_as_bound_as_it_was(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        theirs = await hired(app)
        await theirs.bundles.export(HIRED, tmp_path / "x.zip")
        await theirs.forget_agent(HIRED)
        with pytest.raises(InvalidInput, match="exists already, or did once: name another"):
            await theirs.bundles.import_(tmp_path / "x.zip")
        await theirs.bundles.import_(tmp_path / "x.zip", agent_id="back")
        wider = Persona(id="back", name="小美", hire=SHELF.revised(about_customers=True))
        await theirs.know_agent(wider)
        assert await contract_of(app.journal.lineages, HIRER, wider) == SHELF
        assert [each.agent_id for each in await app.copies.made_from(AGENT)] == [HIRED]
        await erase_document(app)
        assert not [text for text in await contents(theirs, "back") if "SECRETDOC" in text]
        await app.copies.release(HIRED, tenant=HIRER)
        assert await theirs.records.agents() == []
    assert search_for_remains(tmp_path / "data", [], ["SECRETDOC"]).found == ()


async def test_what_its_owner_erased_while_a_hired_agent_was_only_a_file_does_not_come_back(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        theirs = await hired(app)
        await theirs.bundles.export(HIRED, tmp_path / "x.zip")
        await theirs.forget_agent(HIRED)
        await erase_document(app)
        done = await theirs.bundles.import_(tmp_path / "x.zip", agent_id="back")
        assert done.dropped["memories erased here"] == 1
        assert not [text for text in await contents(theirs, "back") if "SECRETDOC" in text]


async def test_what_too_few_are_left_for_goes_from_what_came_back_from_a_file(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.know_agent(PEOPLES.revised(hire=CONTRACT))
        await told(app, "价格", "罗小东", "王芳", "李雷")
        await told(app, "交付", "罗小东", "王芳")
        await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
        theirs = of(app, HIRER)
        await theirs.bundles.export(HIRED, tmp_path / "x.zip")
        await theirs.forget_agent(HIRED)
        await theirs.bundles.import_(tmp_path / "x.zip", agent_id="back")
        assert await known(app, Scope(HIRER, "back")) == ["交付", "价格"]
        await app.forget(Meant(Scope(TENANT, AGENT, target_of("罗小东"))), erase=True)
        assert await known(app, Scope(HIRER, "back")) == ["价格"]


async def test_a_clone_of_a_hired_agent_is_not_freed_by_removing_it_either(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        theirs = await hired(app)
        await theirs.copies.clone(HIRED, "twin")
        await theirs.bundles.export("twin", tmp_path / "twin.zip")
        for agent in ("twin", HIRED):
            await theirs.forget_agent(agent)
        await theirs.bundles.import_(tmp_path / "twin.zip", agent_id="back")
        await erase_document(app)
        assert not [text for text in await contents(theirs, "back") if "SECRETDOC" in text]
        await app.copies.release(HIRED, tenant=HIRER)
        assert await theirs.records.agents() == []


async def test_the_file_of_a_hired_agent_binds_it_in_another_journal_as_well(tmp_path: Path) -> None:
    async with spine(tmp_path / "here") as app:
        theirs = await hired(app)
        secret, public = key_pair(tmp_path)
        wider = SELLER.revised(id=HIRED, hire=SHELF.revised(about_customers=True, layers=(MemoryType.INSIGHT,)))
        await theirs.know_agent(wider)
        await theirs.bundles.export(HIRED, tmp_path / "x.zip", sign=secret)
    async with spine(tmp_path / "there") as app:
        for agent, signer in (("signed", public), ("unsigned", None)):
            await app.bundles.import_(tmp_path / "x.zip", agent_id=agent, signer=signer)
            persona = wider.revised(id=agent, hire=HirePolicy(layers=(MemoryType.LONGTERM, MemoryType.INSIGHT)))
            assert (await contract_of(app.journal.lineages, TENANT, persona)).layers == SHELF.layers
        await app.bundles.export("signed", tmp_path / "y.zip")
        await app.forget_agent("signed")
        await app.bundles.import_(tmp_path / "y.zip", agent_id="again")
        persona = wider.revised(id="again", hire=HirePolicy(layers=(MemoryType.INSIGHT,)))
        assert (await contract_of(app.journal.lineages, TENANT, persona)).layers == ()


async def forged(folder: Path) -> Path:
    """A bundle that somebody packed who called himself as the seller's tenant."""
    async with spine(folder / "elsewhere") as app:
        await app.say(AGENT, "Q", "nothing")
        await app.drain()
        await app.bundles.export(AGENT, folder / "forged.zip", sign=key_pair(folder)[0])
    return folder / "forged.zip"


async def test_a_forged_bundle_makes_nobody_a_copy_of_somebody_elses_agent(tmp_path: Path) -> None:
    file = await forged(tmp_path)
    async with spine(tmp_path / "shared") as app:
        await app.accept([a_turn("我的暗号是LUO42", 7)])
        await app.drain()
        evil = of(app, "evil")
        for agent, signer in (("trap", None), ("signed", tmp_path / "key.pub")):
            await evil.bundles.import_(file, agent_id=agent, signer=signer)
            origin = await evil.copies.origin(agent)
            assert origin is not None
            assert origin.source_tenant == "evil"
        assert list(await app.copies.made_from(AGENT)) == list(await app.copies.lineages()) == []
        await app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True)
        asked = a_turn("x", 7).revised(tenant="evil", agent_id="trap", target_id=entity_id("evil", "trap", LUO.name))
        assert [each.duplicate for each in await evil.accept([asked])] == [False]


async def test_a_forged_bundle_does_not_tell_what_another_tenant_erased(tmp_path: Path) -> None:
    file = await forged(tmp_path)
    async with spine(tmp_path / "shared") as app:
        await app.say(AGENT, "Q", "nothing")
        await app.drain()
        await app.forget(Meant(Scope(TENANT, AGENT, entity_id(TENANT, AGENT, "q"))), erase=True)
        done = await of(app, "evil").bundles.import_(file, agent_id="trap")
        assert "memories erased here" not in done.dropped


async def test_a_file_that_left_this_journal_stays_within_reach_in_another_tenant(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("我的暗号是LUO42", 7)])
        await app.drain()
        await app.bundles.export(AGENT, tmp_path / "gift.zip")
        theirs = of(app, "globex")
        await theirs.bundles.import_(tmp_path / "gift.zip", agent_id="gift")
        assert [each.kind for each in await app.copies.made_from(AGENT)] == ["export", "import"]
        await app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True)
        assert not [text for text in await contents(theirs, "gift") if "LUO42" in text]


async def test_what_was_erased_stays_so_when_its_agent_is_removed_and_imported_again(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("我的暗号是LUO42")])
        await app.drain()
        await app.bundles.export(AGENT, tmp_path / "old.zip")
        await app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True)
        await app.forget_agent(AGENT)
        done = await app.bundles.import_(tmp_path / "old.zip")
        assert done.dropped["memories erased here"] > 0
        assert not [text for text in await contents(app, AGENT) if "LUO42" in text]
        assert [each.duplicate for each in await app.accept([a_turn("我的暗号是LUO42")])] == [True]


async def test_a_copy_that_is_written_to_all_the_time_does_not_hold_an_erasure_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("我的暗号是LUO42", 7)])
        await app.drain()
        await app.copies.clone(AGENT, "twin")
        await app.copies.clone("twin", "triplet")
        disturb(monkeypatch, forget_requests, "erasure_with_copies", lambda: chat(app, "twin"))
        left = IndexPlace(server=str(tmp_path / "no such folder"), collection="agentmem-left")
        await app.journal.marks.set_mark("index.places", f"[{left.model_dump_json()}]")
        done = await app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True)
        assert done.erased is not None
        assert done.receipt is not None
        assert done.erased.waiting == ((TENANT, "twin"),)
        for agent in (AGENT, "twin", "triplet"):
            assert not [text for text in await contents(app, agent) if "LUO42" in text]
        receipt, doubt = await read_receipt(done.receipt, app.journal.marks)
        assert (receipt and receipt.erased, doubt) == (done.erased.revised(collections=(left.name,)), None)
        assert await app.journal.eraser.owed() == []
        receipts = [await read_receipt(path, app.journal.marks) for path in done.receipt.parent.iterdir()]
        assert [each and each.erased.collections for each, _ in receipts] == 2 * [(left.name,)]
    assert search_for_remains(tmp_path / "data", [], ["LUO42"]).found == ()


async def test_a_copy_that_is_written_to_once_owes_nothing_and_is_planned_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("我的暗号是LUO42", 7)])
        await app.drain()
        await app.copies.clone(AGENT, "twin")
        chats = [chat]

        async def once() -> None:
            while chats:
                await chats.pop()(app, "twin")

        disturb(monkeypatch, forget_requests, "erasure_with_copies", once)
        done = await app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True)
        assert done.erased is not None
        assert (done.erased.waiting, [each.agent_id for each in done.erased.copies]) == ((), ["twin"])


async def test_what_a_copy_still_owes_is_taken_at_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("我的暗号是LUO42", 7)])
        await app.drain()
        await app.copies.clone(AGENT, "twin")
        with monkeypatch.context() as patched:
            for name in ("erasure_with_copies", "erasure_owed"):
                disturb(patched, forget_requests, name, lambda: chat(app, "twin"))
            patched.setattr(forget_requests, "DEBT_TRIES", 2)
            await app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True)
        assert [(each.agent_id, each.tenant) for each in await app.journal.eraser.owed()] == [("twin", TENANT)]
        assert [text for text in await contents(app, "twin") if "LUO42" in text]
    async with spine(tmp_path) as app:
        assert await app.journal.eraser.owed() == []
        assert not [text for text in await contents(app, "twin") if "LUO42" in text]
    assert search_for_remains(tmp_path / "data", [], ["LUO42"]).found == ()


def disturb(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, meanwhile: Callable[[], Awaitable[object]]
) -> None:
    """Let something else happen each time that this step is done, before anybody goes on."""
    step = getattr(module, name)

    async def disturbed(*given: object) -> object:
        done = await step(*given)
        await meanwhile()
        return done

    monkeypatch.setattr(module, name, disturbed)


async def chat(app: App, agent: str) -> None:
    await app.say(agent, "王芳", "你好")
    await app.drain()


async def test_what_others_said_of_an_erased_person_is_cut_out_and_what_still_names_him_is_told(
    tmp_path: Path,
) -> None:
    async with open_app(quick_settings(tmp_path), clock=ManualClock(LATER)) as app:
        await app.know_agent(quiet_persona(turns=1))
        await app.say(AGENT, "Tom", "I live in Oslo.")
        await app.say(AGENT, "Alice", "My colleague Tom was diagnosed with ZCANCER.")
        await app.say(AGENT, "Alice", "My colleague Tom lives in ZPARIS, and I like tea.")
        await app.say(AGENT, "Alice", "Tomorrow is fine.")
        still = "刚才那个Tom啊，哈哈", "Tom called. I like coffee."
        for text in still:
            await app.say(AGENT, "Alice", text)
        await app.drain()
        tom = Meant(Scope(TENANT, AGENT, entity_id(TENANT, AGENT, "tom")))
        previewed = await app.forget(tom, erase=True, dry_run=True)
        done = await app.forget(tom, erase=True)
        left = await app.records.get(done.left)
        assert sorted(node.content for node in left.values()) == sorted(still)
        assert "I like tea." in await contents(app, AGENT)
        assert previewed.left == done.left
        assert done.erased is not None
        assert done.erased.left == done.left
    assert search_for_remains(tmp_path / "data", [], ["ZCANCER", "ZPARIS", "Oslo"]).found == ()


@pytest.mark.usefixtures("embedded_index")
async def test_a_removed_and_a_released_agent_leave_no_byte(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        theirs = await hired(app)
        await theirs.say(HIRED, "张三", "秘密 CANARYZHANG77")
        await app.know_agent(SELLER.revised(id="temp"))
        await app.say("temp", "李四", "CANARYLI88")
        await app.drain()
        await app.copies.release(HIRED, tenant=HIRER)
        await app.forget_agent("temp")
        assert await app.journal.eraser.unfinished() == []
        assert (await app.index.verify()).ok
    assert search_for_remains(tmp_path / "data", [], ["CANARYZHANG77", "CANARYLI88"]).found == ()


async def test_what_was_released_without_the_index_is_cleaned_up_at_the_next_opening(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        theirs = await hired(app)
        await theirs.say(HIRED, "张三", "秘密 CANARYZHANG77")
        await app.drain()
    async with open_app(quick_settings(tmp_path), clock=ManualClock(LATER), index=False) as app:
        await app.copies.release(HIRED, tenant=HIRER)
        assert len(await app.journal.eraser.unfinished()) == 1
    async with spine(tmp_path) as app:
        assert (await app.index.verify()).ok
    assert search_for_remains(tmp_path / "data", [], ["CANARYZHANG77"]).found == ()


async def test_a_copy_made_while_its_original_is_released_goes_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with spine(tmp_path) as app:
        theirs = await hired(app)
        waiting = iter(("late", "later"))

        async def copied() -> None:
            if (late := next(waiting, None)) is not None:
                await theirs.copies.clone(HIRED, late)

        disturb(monkeypatch, hire, "_chain", copied)
        await app.copies.release(HIRED, tenant=HIRER)
        assert await theirs.records.agents() == []
        states = [each.state for each in await theirs.copies.lineages()]
        assert states == ["released"] * 3


async def test_whoever_may_clone_one_agent_does_not_learn_of_others(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.know_agent(Persona(id="secret", name="秘"))
        await app.copies.clone("secret", "its_clone")
        theirs = await hired(app)
        await theirs.copies.clone(HIRED, "gone")
        await app.copies.release(HIRED, tenant=HIRER)
        narrow = app.for_principal(Principal("c", TENANT, {AGENT: frozenset({Grant.HIRE})}))
        said: set[str] = set()
        for agent in ("secret", "its_clone"):
            with pytest.raises(AlreadyThere) as caught:
                await narrow.copies.clone(AGENT, agent)
            said.add(str(caught.value).replace(agent, "…"))
        with pytest.raises(AlreadyThere) as caught:
            await app.copies.hire(AGENT, "gone", tenant=HIRER, from_tenant=TENANT)
        said.add(str(caught.value).replace("gone", "…"))
        assert said == {"agent '…' exists already, or did once: name another"}


async def test_an_erasure_beside_a_clone_leaves_nothing_in_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("我的暗号是LUO42", 7)])
        await app.say(AGENT, "王芳", "我喜欢茶")
        await app.drain()
        disturb(monkeypatch, erasing_copies, "erasure_of", lambda: asyncio.sleep(0))
        disturb(monkeypatch, forget_requests, "erasure_with_copies", lambda: asyncio.sleep(0))
        await asyncio.gather(
            app.copies.clone(AGENT, "twin"),
            app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True),
            app.copies.clone(AGENT, "triplet"),
        )
        for agent in (AGENT, "twin", "triplet"):
            held = await contents(app, agent)
            assert "我喜欢茶" in held
            assert not [text for text in held if "LUO42" in text]
    assert search_for_remains(tmp_path / "data", [], ["LUO42"]).found == ()


async def test_a_hire_beside_a_release_ends_hired_or_released_and_never_half(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        theirs = await hired(app)

        async def released() -> Lineage | None:
            try:
                return (await app.copies.release(HIRED, tenant=HIRER))[0]
            except NotFound:
                return None

        async def onward() -> None:
            try:
                await app.copies.hire(HIRED, "onward", tenant="third", from_tenant=HIRER)
            except (NotFound, Conflict):
                return

        await asyncio.gather(onward(), released(), onward())
        assert await theirs.records.agents() == []
        assert await of(app, "third").records.agents() == []
        assert {each.state for each in await app.copies.made_from(AGENT)} == {"released"}
        assert (await app.index.verify()).ok
