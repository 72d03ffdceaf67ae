"""A clone knows all that its original knows, costs no embedding, and goes its own way."""

import signal
from pathlib import Path

import pytest

from agentmem.agents.copying.renaming import Renaming
from agentmem.domain.change import Change
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import AlreadyThere, InvalidInput, NotFound
from agentmem.memory.forget_plan import Meant
from agentmem.ports.embedder import Embedder
from agentmem.ports.ledger import Commit, Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from tests.support.cognition import ScriptedCognition
from tests.support.copying import die_while_cloning
from tests.support.journals import Place, begin, ended
from tests.support.nodes import AGENT, LUO, TARGET, TENANT, a_turn
from tests.support.planted import plant
from tests.support.spine import SCOPE, Failing, memories, spine, states

TWIN = Scope(TENANT, "twin")
VALUE_1 = "zaunkoenig-later-zaunkoenig-value-1"
ITS_LUO = entity_id(TENANT, "twin", "罗小东")


def renaming(name: str = "小美") -> Renaming:
    return Renaming(TENANT, AGENT, TENANT, "twin", name)


async def asked(app: App, scope: Scope, text: str) -> list[tuple[str, float]]:
    """Contents and scores of the answer."""
    found = await app.recall(RecallQuery(scope, text))
    return [(hit.memory.content, hit.score) for hit in found.hits]


def no_embedding(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nothing is embedded but questions."""
    embedder: Embedder = app.searchable.projector._embedder  # pyright: ignore[reportPrivateUsage] - the one that is wired
    embed = embedder.embed

    async def only_questions(texts: list[str], *, purpose: str) -> object:
        assert purpose == "query", f"{len(texts)} texts were embedded"
        return await embed(texts, purpose="query")

    monkeypatch.setattr(embedder, "embed", only_questions)


async def test_a_clone_answers_as_its_original_does_and_embeds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with spine(tmp_path) as app:
        await plant(app, 30)
        await app.copies.clone(AGENT, "first")
        no_embedding(app, monkeypatch)
        cloned = await app.copies.clone(AGENT, "twin")
        assert cloned.made
        held, mine = await memories(app), await memories(app, scope=TWIN)
        to = Renaming.of(cloned.lineage, "小美", source_name="小美", about=["罗小东", "王芳"])
        assert sorted(map(str, mine)) == sorted(str(to.node(node)) for node in held)
        assert (await app.index.verify()).ok
        for question in ("zaunkoenig 7", "amsel", "said 3 zaunkoenig", "value-12"):
            answer = await asked(app, SCOPE, question)
            assert len(answer) >= 5
            assert await asked(app, TWIN, question) == answer


async def test_the_clone_knows_whom_it_speaks_with(tmp_path: Path) -> None:
    cognition = ScriptedCognition(states("住在巴黎", "罗小东住在巴黎", attribute="home", value="巴黎"))
    async with spine(tmp_path, cognition) as app:
        await app.say(AGENT, LUO, "我住在巴黎", run_id="talk", end=True)
        await app.drain()
        await app.copies.clone(AGENT, "twin", name="小丽")
        await app.say("twin", LUO, "我还在", run_id="talk")
        await app.drain()
        mine = await memories(app, scope=Scope(TENANT, "twin", ITS_LUO))
        assert [node.content for node in mine] == ["我住在巴黎", "罗小东住在巴黎", "我还在"]
        assert {node.user_name for node in mine} == {"小丽"}
        turns = [node for node in mine if node.memory_type is MemoryType.CONVERSATION]
        assert [node.meta_data["turnIndex"] for node in turns] == [1, 2]
        assert len({node.place for node in turns}) == 2
        assert len(await memories(app)) == 2


async def test_what_waits_is_read_before(tmp_path: Path) -> None:
    cognition = ScriptedCognition(states("住在巴黎", "罗小东住在巴黎"))
    async with spine(tmp_path, cognition) as app:
        await app.say(AGENT, LUO, "我住在巴黎")
        cloned = await app.copies.clone(AGENT, "twin")
        assert (cloned.waiting.ready, cloned.waiting.dead) == (0, 0)
        contents = [node.content for node in await memories(app, scope=TWIN)]
        assert contents == ["我住在巴黎", "罗小东住在巴黎"]


async def test_what_could_not_be_read_is_told(tmp_path: Path) -> None:
    async with spine(tmp_path, Failing([ValueError("bad")] * 9)) as app:
        await app.accept([a_turn(f"第{number}句", number) for number in range(10)])
        await app.drain(patience=5)
        cloned = await app.copies.clone(AGENT, "twin")
        assert cloned.waiting.dead == 1
        assert len(await memories(app, scope=TWIN)) == 10
        assert (await app.journal.queue.depth(TWIN)).dead == 0


async def test_a_clone_is_made_once(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant(app, 3)
        first = await app.copies.clone(AGENT, "twin")
        head = await app.journal.ledger.head()
        again = await app.copies.clone(AGENT, "twin")
        assert (again.made, again.lineage) == (False, first.lineage)
        assert await app.journal.ledger.head() == head
        with pytest.raises(AlreadyThere, match="is not called 'Twin'"):
            await app.copies.clone(AGENT, "twin", name="Twin")
        with pytest.raises(AlreadyThere, match="'seller' exists already"):
            await app.copies.clone("twin", AGENT)
        with pytest.raises(NotFound, match="no agent 'nobody'"):
            await app.copies.clone("nobody", "other")
        with pytest.raises(InvalidInput, match="a clone called 'a b'"):
            await app.copies.clone(AGENT, "a b")


async def test_what_would_be_another_clone_is_refused_where_one_is(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant(app, 3)
        await app.copies.clone(AGENT, "twin")
        await app.accept([a_turn("我住在上海", 9)])
        with pytest.raises(AlreadyThere, match="has learned more"):
            await app.copies.clone(AGENT, "twin")
        assert (await app.copies.clone(AGENT, "later")).made


async def test_a_clone_of_a_clone_knows_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with spine(tmp_path) as app:
        await plant(app, 5)
        await app.copies.clone(AGENT, "twin", name="小丽")
        no_embedding(app, monkeypatch)
        await app.copies.clone("twin", "triplet")
        third = Scope(TENANT, "triplet")
        assert await asked(app, third, "zaunkoenig 3") == await asked(app, SCOPE, "zaunkoenig 3")
        nodes = await memories(app, scope=third)
        assert {node.user_name for node in nodes} == {"小丽"}
        assert {_origin(node)["agent"] for node in nodes} == {"twin"}
        origin = await app.copies.origin("triplet")
        assert origin is not None
        assert origin.source_agent == "twin"
        assert [each.agent_id for each in await app.copies.made_from(AGENT)] == ["twin"]


def _origin(node: MemoryNode) -> dict[str, object]:
    lineage = node.meta_data["lineage"]
    assert isinstance(lineage, dict)
    return {**lineage}


async def test_the_past_is_the_same_and_each_undoes_its_own(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant(app, 4)
        (wrong,) = [node for node in await memories(app) if node.content == VALUE_1]
        over = wrong.ended(at=app.clock.now(), now=app.clock.now())
        change = Change(act="end", before=wrong, after=over)
        await app.journal.ledger.commit(Commit(TENANT, "ended", "test", app.clock.now(), (change,)))
        await app.copies.clone(AGENT, "twin")
        before = await memories(app)
        report = await app.undo(renaming().run("ended"))
        assert renaming().memory_id(wrong.memory_id) in report.restored
        assert await memories(app) == before
        history = await app.journal.ledger.history(TENANT, renaming().memory_id(wrong.memory_id))
        assert [entry.change.act for entry in history] == ["add", "refresh", "end", "undo"]


async def test_what_was_forgotten_is_not_in_the_clone_whoever_takes_it_back(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant(app, 4)
        (wrong,) = [node for node in await memories(app) if node.content == VALUE_1]
        ended = await app.forget(Meant(SCOPE, ids=(wrong.memory_id,)))
        assert ended.run is not None
        await app.copies.clone(AGENT, "twin")
        with pytest.raises(NotFound):
            await app.undo(renaming().run(ended.run))
        assert await app.journal.ledger.history(TENANT, renaming().memory_id(wrong.memory_id)) == []


async def test_what_the_original_erased_is_not_in_the_clone_and_does_not_come_back(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        ours = await plant(app, 3)
        await app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True)
        await app.copies.clone(AGENT, "twin")
        left = [node.content for node in await memories(app)]
        assert [node.content for node in await memories(app, scope=TWIN)] == left
        resent = [turn.revised(agent_id="twin", target_id=ITS_LUO) for turn in ours]
        assert all(answer.duplicate for answer in await app.accept(resent))
        await app.drain()
        assert [node.content for node in await memories(app, scope=TWIN)] == left
        assert not (await app.accept([a_turn("ich bin neu", 99, agent_id="twin", target_id=ITS_LUO)]))[0].duplicate


LIVES = (
    ("after:begin_copy", 1),
    ("after:copy", 2),
    ("before:complete_copy", 1),
    ("after:complete_copy", 1),
)


@pytest.mark.thorough
async def test_a_clone_that_is_killed_again_and_again_is_made_once_and_whole(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await plant(app, 30)
        await app.copies.clone(AGENT, "first")
    place = Place(f"sqlite:///{tmp_path / 'data' / 'journal.db'}")
    for step, at_time in LIVES:
        assert await ended(begin(die_while_cloning, tmp_path, step, at_time)) == -signal.SIGKILL, step
        async with place.journal() as journal:
            there = await journal.registry.agent(TENANT, "twin")
            assert (there is not None) == (step == "after:complete_copy")
            assert bool(await journal.ledger.select(Selection(TWIN))) == (there is not None)
    async with spine(tmp_path) as app:
        assert not (await app.copies.clone(AGENT, "twin")).made
        first = {node.content: node for node in await memories(app, scope=Scope(TENANT, "first"))}
        assert [node.content for node in await memories(app, scope=TWIN)] == list(first)
        for node in await memories(app, scope=TWIN):
            theirs = await app.journal.ledger.history(TENANT, first[node.content].memory_id)
            ours = await app.journal.ledger.history(TENANT, node.memory_id)
            assert [(entry.at, entry.change.act) for entry in ours] == [
                (entry.at, entry.change.act) for entry in theirs
            ]
        assert (await app.index.verify()).ok


async def acts(app: App, node: MemoryNode) -> list[tuple[object, str]]:
    """What was done to a memory, and when."""
    return [(entry.at, entry.change.act) for entry in await app.journal.ledger.history(TENANT, node.memory_id)]
