"""An agent that left as a bundle and came in elsewhere gives the same answers; a file decides nothing but words."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.adapters.embedder.cached import CachedEmbedder
from agentmem.adapters.embedder.hashed import HashedEmbedder
from agentmem.domain.change import LedgerEntry
from agentmem.domain.lineage import LINEAGE, copied_id
from agentmem.domain.memory import MemoryNode, Trust
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.memory.forget_plan import Meant
from agentmem.ports.embedder import Embedder, Matrix, Purpose
from agentmem.ports.journal import Journal
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition import wiring
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.bundles import entries, key_pair, live, persona, signed
from tests.support.cognition import ScriptedCognition
from tests.support.nodes import AGENT, NOON, TENANT
from tests.support.spine import LATER, SCOPE, quick_settings, spine

THERE = Scope("other", "twin")
ASKED = (
    "怎么联系他?",
    "他住在哪里",
    "预算多少",
    "who likes tea?",
    "where does Ann live",
    "社保系统",
    "what was said",
)


async def everything(app: App, scope: Scope, **moment: object) -> list[MemoryNode]:
    return list(await app.memories(Selection(scope, limit=10_000, **moment)))  # pyright: ignore[reportArgumentType]


def told(nodes: Sequence[MemoryNode]) -> Sequence[object]:
    """What is to be the same of memories in a copy."""
    return sorted(
        (
            node.timestamp,
            node.content,
            node.store_status,
            node.valid_at,
            str(node.invalid_at),
            node.trust,
            node.revision,
        )
        for node in nodes
    )


async def answers(app: App, scope: Scope, question: str) -> list[object]:
    hits = (await app.recall(RecallQuery(scope, question))).hits
    return [(hit.memory.content, pytest.approx(hit.score, abs=1e-6), hit.stage) for hit in hits]


def steps(entries: Sequence[LedgerEntry]) -> list[object]:
    return [
        (entry.at, entry.change.act, entry.cause, entry.change.after and entry.change.after.content)
        for entry in entries
    ]


async def test_a_bundle_gives_the_same_answers_on_another_data_directory(tmp_path: Path, source: Path) -> None:
    secret, public = key_pair(tmp_path)
    file = await signed(source, secret)
    settings = quick_settings(tmp_path, tenant=THERE.tenant, data=tmp_path / "there")
    async with (
        spine(source, RulesCognition(), persona=persona()) as home,
        open_app(settings, clock=ManualClock(LATER), cognition=ScriptedCognition()) as there,
    ):
        done = await there.bundles.import_(file, agent_id=THERE.agent, signer=public)
        assert (done.trusted, done.dropped) == (True, {})
        here = await everything(home, SCOPE)
        assert done.memories == len(here) > 20
        assert told(await everything(there, THERE)) == told(here)
        left = [each for each in await home.journal.lineages.made_from(TENANT, AGENT) if each.kind == "export"]
        assert [each.state for each in left] == ["made"]  # the same state at the same time is the same file
        questions = [*ASKED, *(node.content for node in here), *(f"{node.target_name}?" for node in here)]
        assert len(questions) > 50
        for question in questions:
            assert await answers(there, THERE, question) == await answers(home, SCOPE, question)
        for at in (NOON, LATER + timedelta(days=1)):
            as_of = told(await everything(home, SCOPE, as_of=at))
            assert told(await everything(there, THERE, as_of=at)) == as_of
            known = told(await everything(home, SCOPE, known_at=at))
            assert told(await everything(there, THERE, known_at=at)) == known
        for node in here:
            twin = copied_id(*(THERE.tenant, THERE.agent), node.memory_id)
            before = await home.journal.ledger.history(TENANT, node.memory_id)
            if any(entry.change.act == "forget" for entry in before):
                continue  # of that no more leaves than is told
            assert steps(await there.journal.ledger.history(THERE.tenant, twin)) == steps(before)


async def test_what_comes_in_is_ours_in_every_name_and_says_whence_it_came(tmp_path: Path, bundle: Path) -> None:
    async with spine(tmp_path / "there") as there:
        await there.bundles.import_(bundle, agent_id="twin")
        nodes = await everything(there, Scope(TENANT, "twin"))
        assert {(node.tenant, node.agent_id, node.user_name) for node in nodes} == {(TENANT, "twin", "小美")}
        assert {node.trust for node in nodes} == {Trust.UNTRUSTED}
        assert all(LINEAGE in node.meta_data for node in nodes)
        origin = await there.journal.lineages.origin(TENANT, "twin")
        assert origin is not None
        assert (origin.kind, origin.state, origin.source_agent) == ("import", "made", AGENT)


async def test_a_strangers_persona_brings_words_and_nothing_that_acts(tmp_path: Path, bundle: Path) -> None:
    async with spine(tmp_path / "there") as there:
        done = await there.bundles.import_(bundle, agent_id="twin")
        known = await there.journal.registry.agent(TENANT, "twin")
        assert known is not None
        assert (known.role, known.tools, known.knowledge, known.model) == ("卖东西", (), (), None)
        assert done.dropped == {"persona: tools": 1, "persona: knowledge": 1, "persona: model": 1}


async def test_a_known_signers_persona_comes_whole(tmp_path: Path, source: Path) -> None:
    secret, public = key_pair(tmp_path)
    file = await signed(source, secret)
    async with spine(tmp_path / "there") as there:
        await there.bundles.import_(file, agent_id="twin", signer=public)
        known = await there.journal.registry.agent(TENANT, "twin")
        assert known is not None
        assert (known.tools, known.model) == (("os:system",), "openai:expensive")
        assert {node.trust for node in await everything(there, Scope(TENANT, "twin"))} == {Trust.PRINCIPAL}


class Counting(HashedEmbedder):
    """Notes which documents it is asked for."""

    def __init__(self) -> None:
        super().__init__(64)
        self.documents: list[str] = []

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        self.documents += texts if purpose == "document" else ()
        return await super().embed(texts, purpose=purpose)


async def test_a_known_signers_vectors_are_used_and_a_strangers_are_not(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = Counting()

    @asynccontextmanager
    async def kept(_: Settings, journal: Journal) -> AsyncGenerator[Embedder]:
        yield CachedEmbedder(embedder, journal.vectors)

    monkeypatch.setattr(wiring, "embedder", kept)
    secret, public = key_pair(tmp_path)
    async with spine(tmp_path / "home", RulesCognition(), persona=persona()) as home:
        await live(home)
        file = tmp_path / "signed.zip"
        exported = await home.bundles.export(AGENT, file, sign=secret)
    assert exported.vectors > 20
    for signer in (public, None):
        embedder.documents.clear()
        settings = quick_settings(tmp_path, tenant=THERE.tenant, data=tmp_path / f"there-{signer is None}")
        async with open_app(settings, clock=ManualClock(LATER), cognition=ScriptedCognition()) as there:
            await there.bundles.import_(file, agent_id=THERE.agent, signer=signer)
            assert len(await answers(there, THERE, ASKED[0])) > 0
            assert (embedder.documents == []) == (signer is not None)
            assert (await there.index.verify()).ok


async def test_an_agent_that_is_there_is_not_written_over(tmp_path: Path, bundle: Path) -> None:
    async with spine(tmp_path / "there") as there:
        with pytest.raises(InvalidInput, match=r"'seller' is here already: give the new one another id$"):
            await there.bundles.import_(bundle)
        await there.bundles.import_(bundle, agent_id="twin")
        with pytest.raises(InvalidInput, match="'twin' is here already"):
            await there.bundles.import_(bundle, agent_id="twin")
        assert list(await there.memories(Selection(SCOPE))) == []


async def test_both_go_their_own_ways_afterwards(bundle: Path, source: Path) -> None:
    async with spine(source, RulesCognition(), persona=persona()) as app:
        await app.bundles.import_(bundle, agent_id="twin")
        before = told(await everything(app, SCOPE))
        assert len(await app.targets(Scope(TENANT, "twin"), "罗小东")) == 1
        await app.say("twin", "罗小东", "我的电话是17700177000", end=True)
        await app.drain()
        assert told(await everything(app, SCOPE)) == before
        (target,) = await app.targets(Scope(TENANT, "twin"), "罗小东")
        about = Scope(TENANT, "twin", target)
        phones = [node.value for node in await everything(app, about) if node.attribute == "phone"]
        assert {"13900139000", "17700177000"} <= {*phones}


async def test_what_was_erased_here_does_not_come_back(bundle: Path, source: Path) -> None:
    async with spine(source, RulesCognition(), persona=persona()) as app:
        (ann,) = await app.targets(SCOPE, "Ann Lee")
        await app.forget(Meant(Scope(TENANT, AGENT, ann)), erase=True)
        done = await app.bundles.import_(bundle, agent_id="twin")
        assert done.dropped["memories erased here"] > 5
        contents = [node.content for node in await everything(app, Scope(TENANT, "twin"))]
        assert not [content for content in contents if "Ann" in content or "2277" in content]
        assert [content for content in contents if "罗小东" in content]


async def test_an_agent_that_came_in_under_its_own_id_descends_from_nobody_and_can_forget(
    bundle: Path, tmp_path: Path
) -> None:
    settings = quick_settings(tmp_path, data=tmp_path / "there")
    async with open_app(settings, clock=ManualClock(LATER), cognition=ScriptedCognition()) as there:
        await there.bundles.import_(bundle)
        (ann,) = await there.targets(SCOPE, "Ann Lee")
        gone = await there.forget(Meant(Scope(TENANT, AGENT, ann)), erase=True)
        assert gone.erased is not None
        await there.bundles.import_(bundle, agent_id="twin")
        for agent in (AGENT, "twin"):
            left = await everything(there, Scope(TENANT, agent))
            assert left
            assert not [node for node in left if "2277" in node.content]


async def test_nor_by_way_of_an_agent_that_came_in_before(tmp_path: Path, bundle: Path, source: Path) -> None:
    async with spine(source, RulesCognition(), persona=persona()) as app:
        await app.bundles.import_(bundle, agent_id="twin")
        again = tmp_path / "again.zip"
        await app.bundles.export("twin", again)
        (ann,) = await app.targets(SCOPE, "Ann Lee")
        await app.forget(Meant(Scope(TENANT, AGENT, ann)), erase=True)
        await app.bundles.import_(again, agent_id="third")
        assert not [node for node in await everything(app, Scope(TENANT, "third")) if "2277" in node.content]


async def test_another_embedder_embeds_anew_and_finds_the_same(tmp_path: Path, bundle: Path) -> None:
    async with spine(tmp_path / "there", embedder="hash-256") as there:
        await there.bundles.import_(bundle, agent_id="twin")
        assert there.searchable.projector.fingerprint != entries(bundle)["manifest.json"].decode()
        hits = (await there.recall(RecallQuery(Scope(TENANT, "twin"), "电话是多少"))).hits
        assert any("13900139000" in hit.memory.content for hit in hits[:3])


async def test_an_export_reads_what_waits_and_holds_only_its_own_agent(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        other = persona().revised(id="other", name="别人")
        await app.know_agent(other)
        await app.say("other", "罗小东", "别人的秘密是canary-77", end=True)
        await app.say(AGENT, "罗小东", "我的电话是13900139000", end=True)
        file = tmp_path / "seller.zip"
        done = await app.bundles.export(AGENT, file)
        assert done.memories >= 2
        whole = b"".join(entries(file).values())
        assert b"13900139000" in whole
        assert b"canary-77" not in whole


async def test_a_file_that_is_there_is_kept_unless_forced_and_a_failure_leaves_none(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        file = tmp_path / "out" / "seller.zip"
        file.parent.mkdir()
        file.write_text("mine")
        with pytest.raises(InvalidInput, match="--force"):
            await app.bundles.export(AGENT, file)
        with pytest.raises(NotFound):
            await app.bundles.export("nobody", tmp_path / "nobody.zip")
        with pytest.raises(InvalidInput, match="no private key"):
            await app.bundles.export(AGENT, tmp_path / "out" / "signed.zip", sign=file)
        assert [path.name for path in file.parent.iterdir()] == ["seller.zip"]
        assert file.read_text() == "mine"
        await app.bundles.export(AGENT, file, force=True)
        assert file.read_bytes().startswith(b"PK")


async def test_an_import_that_was_cut_short_goes_on_where_it_stopped(
    tmp_path: Path, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with spine(tmp_path / "there") as there:
        monkeypatch.setattr("agentmem.agents.bundle.importing.PAGE", 10)
        write, calls = there.journal.copies.write, 0

        async def dying(*given: object, **more: object) -> object:
            nonlocal calls
            calls += 1
            if calls == 3:
                raise KeyboardInterrupt
            return await write(*given, **more)  # pyright: ignore[reportArgumentType]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(there.journal.copies, "write", dying)
            with pytest.raises(KeyboardInterrupt):
                await there.bundles.import_(bundle, agent_id="twin")
        assert await there.journal.registry.agent(TENANT, "twin") is None
        assert list(await there.memories(Selection(Scope(TENANT, "twin")))) == []
        done = await there.bundles.import_(bundle, agent_id="twin")
        nodes = await everything(there, Scope(TENANT, "twin"))
        assert len({node.memory_id for node in nodes}) == len(nodes) == done.memories


async def test_live_gives_the_seller_a_past_worth_packing(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition(), persona=persona()) as app:
        await live(app)
        acts = {row.change.act for node in await everything(app, SCOPE) for row in await history(app, node)}
        assert {"add", "forget", "undo"} <= acts


async def history(app: App, node: MemoryNode) -> list[LedgerEntry]:
    return await app.journal.ledger.history(node.tenant, node.memory_id)
