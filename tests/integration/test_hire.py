"""A hired agent has what its contract lets go, and not a word of anybody's."""

import re
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest

from agentmem.agents.copying import generality
from agentmem.agents.copying.contract import Judge, Reason
from agentmem.agents.copying.identifying_words import People
from agentmem.agents.copying.name_matcher import NameMatcher
from agentmem.domain.document import FACT
from agentmem.domain.entity import mentions_of, named
from agentmem.domain.event import AssetReceived
from agentmem.domain.memory import GRAPH, MemoryNode, MemoryType
from agentmem.domain.persona import AttributePolicy, Cardinality, HirePolicy, MemoryPolicy, Persona
from agentmem.domain.scope import Principal, Scope
from agentmem.errors import AlreadyThere, InternalError, InvalidInput, NotFound
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.canaries import HIRED, HIRER, MANUAL, PRODUCT, everything_of, persona_of_hired, plant
from tests.support.cognition import ScriptedCognition
from tests.support.copying import die_while_hiring
from tests.support.journals import Place, begin, ended
from tests.support.known import SELLER, target_of
from tests.support.named import naming, tell
from tests.support.nodes import AGENT, NOON, TENANT, a_turn
from tests.support.planted import legible
from tests.support.spine import spine

THERE = Scope(HIRER, HIRED)
SHELF = HirePolicy(layers=(MemoryType.LONGTERM,))


async def hired(app: App) -> list[MemoryNode]:
    """The memories of the seller when it is hired, oldest first."""
    await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
    return await known(app)


def owned(app: App, scope: Scope) -> App:
    """The app of whoever the scope's agents belong to."""
    return app.for_principal(Principal.owner(scope.tenant))


async def known(app: App, scope: Scope = THERE, *types: MemoryType) -> list[MemoryNode]:
    return list(await owned(app, scope).memories(Selection(scope, types, limit=10_000)))[::-1]


async def with_manual(app: App, text: str = MANUAL, policy: HirePolicy = SHELF, **fields: object) -> None:
    await app.know_agent(SELLER.revised(hire=policy, **fields))
    await app.accept([manual(text)])
    await app.drain()


def manual(text: str, version: int = 0) -> AssetReceived:
    return AssetReceived(
        event_id=f"manual-{version}",
        tenant=TENANT,
        agent_id=AGENT,
        agent_name=SELLER.name,
        target_id=target_of(SELLER.name),
        at=NOON,
        asset_id="manual",
        title="manual",
        version=f"{version}" * 64,
        media_type="text/markdown",
        text=text,
    )


async def asked(app: App, scope: Scope, question: str, k: int = 10) -> list[str]:
    found = await owned(app, scope).recall(RecallQuery(scope, question, types=(MemoryType.LONGTERM,), k=k))
    return [hit.memory.content for hit in found.hits]


@pytest.mark.thorough
async def test_no_canary_of_a_thousand_gets_out_and_what_may_go_is_there(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        canary = await plant(app, 26)
        assert len(canary.made) >= 1_000
        assert found(canary.made, await everything_of(app, TENANT)) == set(canary.made)
        came = await hired(app)
        assert found(canary.made, await everything_of(app, HIRER)) == set()
        await regrouped(app)
        assert found(canary.made, await everything_of(app, HIRER)) == set()
        assert sorted(node.content for node in came) == sorted(
            (
                *(f"手册 › 第{number}节\n{text}" for number, text in enumerate(PRODUCT, start=1)),
                *("AIP\nAIP 由平台团队维护", "AIP 每周更新", "AIP 有测试版", "至少2位客户的顾虑:价格"),
            )
        )
        assert await app.journal.registry.agent(HIRER, HIRED) == persona_of_hired()


@pytest.mark.thorough
@pytest.mark.usefixtures("embedded_index")
async def test_no_byte_of_a_canary_is_where_only_the_hired_agent_was_brought(tmp_path: Path) -> None:
    file = tmp_path / "hired.zip"
    async with spine(tmp_path / "owner") as app:
        canary = await plant(app, 5)
        came = await hired(app)
        await regrouped(app)
        await owned(app, THERE).bundles.export(HIRED, file)
    with ZipFile(file) as bundle:
        exported = b"".join(bundle.read(name) for name in bundle.namelist()).decode(errors="replace")
    async with spine(tmp_path / "hirer") as app:
        await app.bundles.import_(file, agent_id=HIRED)
        assert len(await known(app, Scope(TENANT, HIRED))) == len(came)
        await app.drain()
    assert found(canary.made, exported) == set()
    assert found(canary.made, written_in(tmp_path / "hirer")) == set()
    assert len(found(canary.made, written_in(tmp_path / "owner"))) > 200
    assert PRODUCT[0] in written_in(tmp_path / "hirer")


async def regrouped(app: App) -> None:
    """Let the hired agent's entities and communities be made of what came."""
    await owned(app, THERE).graph.rebuild(HIRED)
    await app.drain()
    between = {each.memory_type for each in await known(app, THERE, *GRAPH)}
    assert between == {*GRAPH}


def written_in(folder: Path) -> str:
    """The bytes of every file below the folder."""
    return "".join(legible(file).decode(errors="replace") for file in folder.rglob("*") if file.is_file())


def always(answer: object) -> Callable[..., object]:
    """A guard that looks at nothing."""

    def guard(*_: object, **__: object) -> object:
        return answer

    return guard


LEAKS: Mapping[str, Sequence[tuple[object, str, object]]] = {
    "metadata goes along": [(generality, "KEPT", {"heading": str, "place": int, "note": str, "history": list})],
    "names that no word says go along": [(generality, "_said", mentions_of)],
    "nobody is a person": [(Judge, "_of_itself", always(True)), (People, "behind", always(frozenset[str]()))],
    "names are not looked for": [(NameMatcher, "within", always(None))],
    "sources are not followed": [(People, "behind", always(frozenset[str]()))],
    "ended memories go": [(MemoryNode, "is_valid", always(True))],
    "any value is general": [(People, "different", always(99)), (generality, "gives_nobody_away", always(True))],
}
"""What is put in the place of which guard."""


@pytest.mark.thorough
async def test_the_canaries_tell_of_every_guard_that_is_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with spine(tmp_path) as app:
        canary = await plant(app, 3)
        for number, replaced in enumerate(LEAKS.values()):
            with monkeypatch.context() as patch:
                for owner, guard, instead in replaced:
                    patch.setattr(owner, guard, instead)
                await app.copies.hire(AGENT, HIRED, tenant=f"leak-{number}", from_tenant=TENANT)
        got_out = [found(canary.made, await everything_of(app, f"leak-{number}")) for number in range(len(LEAKS))]
        assert [leak for leak, out in zip(LEAKS, got_out, strict=True) if not out] == []


def found(canaries: list[str], text: str) -> set[str]:
    return set(re.findall(r"zk\d{4}q", text)) & set(canaries)


async def test_recall_over_what_came_is_the_originals(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app)
        await app.accept([a_turn("我叫罗小东,产品甲能对账吗", 1)])
        came = await hired(app)
        itself = Scope(TENANT, AGENT, target_of(SELLER.name))
        theirs = Scope(HIRER, HIRED, came[0].target_id)
        for text in (*PRODUCT, "谁支持排班?", "混合部署"):
            assert await asked(app, theirs, text) == await asked(app, itself, text)


async def test_an_asset_that_changes_does_not_reach_the_hired_agent(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app)
        before = await hired(app)
        await app.accept([manual("# 手册\n## 第1节\n全部停产\n", version=1)])
        await app.drain()
        assert len(await known(app, Scope(TENANT, AGENT))) > len(before)
        assert await known(app) == before
        assert await asked(app, THERE, "停产") == await asked(app, THERE, "停产") != ["手册 › 第1节\n全部停产"]
        assert not any({"assetId", "assetVersion", "title"} & node.meta_data.keys() for node in before)


async def test_facts_of_documents_come_along_and_link_what_they_name(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app, "# Stack\n\nBolt Scheduler depends on Kafka. Acme uses Redis and Postgres.")
        came = {node.relation: node for node in await hired(app) if node.kind == FACT}
        assert came.keys() == {"DEPENDS_ON", "USES"}
        uses = came["USES"]
        assert uses.entity_ids == tuple(named(HIRER, HIRED, name) for name in ("Acme", "Redis", "Postgres"))
        assert (uses.source_ids, uses.evidence, "assetId" in uses.meta_data) == ((), (), False)
        await app.drain()
        shown = await owned(app, THERE).graph.show(THERE, "Kafka")
        assert "Bolt Scheduler" in "\n".join(shown)


async def test_of_what_was_decided_about_who_is_who_only_what_the_hired_agent_s_documents_name_goes(
    tmp_path: Path,
) -> None:
    async with spine(tmp_path, ScriptedCognition(naming({"Umbra": "product"}))) as app:
        await with_manual(app, "# Stack\n\nBolt Scheduler depends on Kafka. Acme uses Redis and Postgres.")
        await tell(app, "我用 Umbra")
        here = Scope(TENANT, AGENT)
        await app.graph.merge(here, "Redis", "Postgres")
        await app.graph.merge(here, "Kafka", "Umbra")
        await hired(app)
        await app.drain()
        found = {each.name: set(each.aliases) for each in await owned(app, THERE).graph.entities(THERE)}
    assert found["Redis"] == {"Postgres"}
    assert found["Kafka"] == set()
    assert "Umbra" not in str(found)


async def test_nothing_leads_back_through_old_ids(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app)
        await app.accept([a_turn("我叫罗小东", 1)])
        await app.drain()
        came = await hired(app)
        originals = [node.memory_id for node in await known(app, Scope(TENANT, AGENT))]
        assert await app.journal.ledger.get(HIRER, originals) == {}
        assert await app.journal.ledger.get(TENANT, [node.memory_id for node in came]) == {}
        for memory_id in originals:
            assert await app.journal.ledger.history(HIRER, memory_id) == []
        assert await owned(app, THERE).targets(THERE, "罗小东") == []
        assert await asked(app, Scope(HIRER, AGENT), PRODUCT[0]) == []
        linked = [node for node in came if node.source_ids or node.evidence or node.entity_ids or node.run_id]
        assert linked == []


async def test_the_hirer_gets_no_id_of_the_owners_and_no_place_in_his_documents(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant(app, 5)
        originals = await known(app, Scope(TENANT, AGENT))
        came = await hired(app)
        await regrouped(app)
        there = set(_UUID.findall(await everything_of(app, HIRER)))
    owners = {each for node in originals for each in (node.memory_id, node.target_id, *node.entity_ids)}
    assert there & owners == set()
    places = [str(node.meta_data["place"]) for node in came if "place" in node.meta_data]
    assert sorted(places) == sorted(map(str, range(len(places))))
    assert not any({"start", "end", "assetId", "title", "documentId"} & node.meta_data.keys() for node in came)


_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


async def test_a_hire_is_foreseen_as_it_will_be(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app)
        await app.accept([a_turn("我叫罗小东", 1)])
        seen = await app.copies.preview_hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
        assert await app.journal.registry.agent(HIRER, HIRED) is None
        assert seen.stays == {Reason.LAYER: 2}
        assert list(seen.memories) == await hired(app)


async def test_a_hire_is_recorded_on_both_sides_and_made_once(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app)
        first = await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
        again = await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
        assert first.prospect is not None
        assert len(first.prospect.memories) == len(PRODUCT)
        assert (again.prospect, again.lineage) == (None, first.lineage)
        assert list(await app.journal.lineages.made_from(TENANT, AGENT)) == [first.lineage]
        assert await app.journal.lineages.origin(HIRER, HIRED) == first.lineage
        assert HirePolicy.model_validate(first.lineage.contract) == SHELF
        with pytest.raises(AlreadyThere, match="is not called 'Temp'"):
            await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT, name="Temp")
        await app.accept([a_turn("我叫罗小东", 1)])
        with pytest.raises(AlreadyThere, match="has learned more"):
            await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)


async def test_a_hire_that_died_halfway_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app)
        with monkeypatch.context() as patch:
            patch.setattr(type(app.journal.copies), "complete", _killed)
            with pytest.raises(InternalError, match="killed"):
                await hired(app)
        assert await app.journal.registry.agent(HIRER, HIRED) is None
        assert await known(app) == []
        assert len(await hired(app)) == len(PRODUCT)


LIVES = (
    ("before:begin_copy", 1),
    ("after:begin_copy", 1),
    ("after:copy", 1),
    ("before:copy", 2),
    ("after:discard_copy", 1),
    ("before:complete_copy", 1),
    ("after:complete_copy", 1),
)


@pytest.mark.thorough
async def test_a_hire_that_is_killed_again_and_again_is_made_once_and_whole(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app)
        previewed = await app.copies.preview_hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
    place = Place(f"sqlite:///{tmp_path / 'data' / 'journal.db'}")
    for step, at_time in LIVES:
        assert await ended(begin(die_while_hiring, tmp_path, step, at_time)) == -signal.SIGKILL, step
        async with place.journal() as journal:
            there = await journal.registry.agent(HIRER, HIRED)
            assert (there is not None) == (step == "after:complete_copy")
            assert bool(await journal.ledger.select(Selection(THERE))) == (there is not None)
    async with spine(tmp_path) as app:
        again = await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
        assert again.prospect is None
        came = await known(app)
        assert [(node.memory_id, node.content) for node in came] == [
            (node.memory_id, node.content) for node in previewed.memories
        ]
        for node in came:
            assert len(await app.journal.ledger.history(HIRER, node.memory_id)) == 1
        assert list(await app.journal.lineages.made_from(TENANT, AGENT)) == [again.lineage]
        assert (await app.index.verify()).ok


async def _killed(*_: object, **__: object) -> None:
    raise RuntimeError("killed")


async def test_what_is_hired_of_a_clone_or_of_a_hired_agent_is_never_more(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app)
        await hired(app)
        wide = HirePolicy(layers=(MemoryType.LONGTERM, MemoryType.OBSERVATION), targets=("谁",), about_customers=True)
        persona = await app.journal.registry.agent(HIRER, HIRED)
        assert persona is not None
        await app.journal.registry.save_agent(HIRER, persona.revised(hire=wide), now=NOON)
        onward = await app.copies.hire(HIRED, "onward", tenant="third", from_tenant=HIRER)
        assert HirePolicy.model_validate(onward.lineage.contract) == SHELF
        further = await app.journal.registry.agent("third", "onward")
        assert further is not None
        assert further.hire == SHELF
        assert len(await known(app, Scope("third", "onward"))) == len(PRODUCT)


async def test_lineage_that_a_memory_claims_means_nothing(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.know_agent(SELLER.revised(hire=SHELF))
        forged = {"lineage": {"kind": "hire", "agent": "boss"}, "people": 99, "place": 1}
        await app.accept([a_turn("我叫罗小东", 1, meta=forged)])
        assert await hired(app) == []


async def test_owners_tools_documents_and_model_stay_behind(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app, tools=("owner.tools:refund",), knowledge=("secret.md",), model="openai:gpt-owner")
        await app.accept([a_turn("你好", 1)])
        goals = ("说明产品", "罗小东要优先")
        await app.know_agent(SELLER.revised(hire=SHELF, goals=goals, model="openai:gpt-owner", role="罗小东的销售"))
        seen = await app.copies.preview_hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
        expected = Persona(id=HIRED, name=SELLER.name, goals=goals[:1], memory=SELLER.memory, hire=SHELF)
        assert seen.persona == expected
        assert seen.left_behind == ("model", "goals: a line that names somebody", "role: a line that names somebody")


async def test_a_slot_that_names_a_customer_stays_behind(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        attributes: dict[str, Cardinality | AttributePolicy] = {"concern": "multi", "罗小东的折扣": "single"}
        await app.know_agent(SELLER.revised(hire=SHELF, memory=MemoryPolicy(attributes=attributes)))
        await app.accept([a_turn("你好", 1)])
        seen = await app.copies.preview_hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)
        assert set(seen.persona.memory.attributes) == {"concern"}


async def test_a_name_that_names_a_customer_has_to_be_replaced(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.know_agent(SELLER.revised(hire=SHELF, name="罗小东的助理"))
        await app.accept([a_turn("你好", 1)])
        with pytest.raises(InvalidInput, match="names somebody it knows: give the hired agent another one"):
            await hired(app)
        await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT, name="小美")
        assert found_name(await everything_of(app, HIRER)) is False


def found_name(text: str) -> bool:
    return "罗小东" in text


async def test_with_a_released_agent_goes_all_that_was_made_from_it(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app)
        await hired(app)
        await app.copies.hire(HIRED, "onward", tenant="third", from_tenant=HIRER)
        await app.copies.hire("onward", "further", tenant="fourth", from_tenant="third")
        _, gone = await app.copies.release(HIRED, tenant=HIRER)
        assert gone == 3 * len(PRODUCT)
        for scope in (THERE, Scope("third", "onward"), Scope("fourth", "further")):
            assert await known(app, scope) == []
            origin = await app.journal.lineages.origin(scope.tenant, scope.agent)
            assert origin is not None
            assert origin.state == "released"


async def test_a_hire_needs_an_agent_another_tenant_and_a_free_id(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        with pytest.raises(NotFound, match="no agent 'nobody'"):
            await app.copies.hire("nobody", HIRED, tenant=HIRER, from_tenant=TENANT)
        with pytest.raises(InvalidInput, match="clone it"):
            await app.copies.hire(AGENT, HIRED, tenant=TENANT, from_tenant=TENANT)
        await app.journal.registry.save_agent(HIRER, Persona(id=HIRED, name="other"), now=NOON)
        with pytest.raises(AlreadyThere, match="exists already"):
            await app.copies.hire(AGENT, HIRED, tenant=HIRER, from_tenant=TENANT)


async def test_a_released_agent_is_gone_and_does_not_come_back(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await with_manual(app)
        await hired(app)
        lineage, gone = await app.copies.release(HIRED, tenant=HIRER)
        assert (lineage.state, gone) == ("released", len(PRODUCT))
        assert await asked(app, THERE, PRODUCT[0]) == []
        assert await app.journal.registry.agent(HIRER, HIRED) is None
        assert list(await app.journal.lineages.made_from(TENANT, AGENT)) == [lineage]
        assert (await app.copies.release(HIRED, tenant=HIRER))[1] == 0
        with pytest.raises(AlreadyThere, match="exists already, or did once: name another"):
            await hired(app)
        with pytest.raises(NotFound, match="no hired agent 'seller'"):
            await app.copies.release(AGENT, tenant=TENANT)
        assert len(await known(app, Scope(TENANT, AGENT))) == len(PRODUCT)
