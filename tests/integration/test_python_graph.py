"""`memory.graph`, as a program that knows Mem0's graph uses it."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from agentmem import AsyncMemory, Memory
from agentmem.errors import BackendUnavailable, InvalidInput
from agentmem.interfaces.python.memory_graph import GraphAdded, Triple
from agentmem.runtime.host.clocks import ManualClock
from tests.support.named import Names, Resolving, naming
from tests.support.nodes import NOON
from tests.support.spine import quick_settings


def a_house(folder: Path) -> AsyncMemory:
    return AsyncMemory(quick_settings(folder), clock=ManualClock(NOON))


def told(triples: Sequence[Triple]) -> set[tuple[str, str, str]]:
    return {(each.source, each.relationship, each.destination) for each in triples}


async def test_what_is_added_comes_back_as_triples_of_the_speaker(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        added = await memory.graph.add("I work at Acme Corp. I use Redis.", user_id="alice")
        assert told(added.added_entities) == {("alice", "works_at", "Acme Corp"), ("alice", "uses", "Redis")}
        assert (added.deleted_entities, added.errors) == ((), ())
        assert told(await memory.graph.get_all(user_id="alice")) == told(added.added_entities)


@pytest.mark.parametrize(
    ("user", "text", "triple"),
    [
        ("alice", "I live in Oslo.", ("alice", "located_in", "Oslo")),
        ("alice", "My phone number is 555-0142.", ("alice", "phone", "555-0142")),
        ("王芳", "我在华为公司工作", ("王芳", "works_at", "华为公司")),
        ("王芳", "本人的电话是13800138000", ("王芳", "phone", "13800138000")),
        ("王芳", "我喜欢吃披萨", ("王芳", "likes", "披萨")),
    ],
)
async def test_who_says_i_is_the_source(tmp_path: Path, user: str, text: str, triple: tuple[str, str, str]) -> None:
    async with a_house(tmp_path) as memory:
        added = await memory.graph.add(text, user_id=user)
        assert triple in told(added.added_entities)
        names = {name for each in added.added_entities for name in (each.source, each.destination)}
        assert not names & {"I", "me", "my", "我", "本人", "myself"}


async def test_a_question_is_not_answered_and_adds_nothing(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        assert (await memory.graph.add("Where do I work?", user_id="alice")).added_entities == ()
        assert (await memory.graph.add("我在哪里工作?", user_id="王芳")).added_entities == ()


async def test_what_one_likes_stays_when_something_else_is_liked_and_ends_when_it_is_denied(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.graph.add("I love pizza.", user_id="alice")
        more = await memory.graph.add("I love burgers.", user_id="alice")
        assert more.deleted_entities == ()
        ended = await memory.graph.add("I no longer like pizza.", user_id="alice")
        assert told(ended.deleted_entities) == {("alice", "loves", "pizza")}
        assert told(await memory.graph.get_all(user_id="alice")) == {("alice", "loves", "burgers")}
        history = await memory.history(ended.deleted_entities[0].memory_id)
    assert history[-1].event == "DELETE"


async def test_what_can_have_one_value_only_is_outdated_by_the_next(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.graph.add("I work at Acme Corp.", user_id="alice")
        changed = await memory.graph.add("I work at Northwind Bank now.", user_id="alice")
        assert told(changed.deleted_entities) == {("alice", "works_at", "Acme Corp")}
        assert ("alice", "works_at", "Northwind Bank") in told(changed.added_entities)


async def test_a_question_in_chinese_or_english_ranks_the_right_triple_first(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        for text in ("我在华为公司工作", "我的电话是13800138000", "我喜欢吃披萨", "我住在深圳"):
            await memory.graph.add(text, user_id="王芳", run_id="one")
        for text in ("I work at Acme Corp.", "My phone number is 555-0142.", "I love pizza."):
            await memory.graph.add(text, user_id="alice", run_id="two")

        async def first(question: str, user: str) -> str:
            found = await memory.graph.search(question, user_id=user)
            assert 0 < len(found) <= 5
            return found[0].destination

        assert await first("王芳在哪家公司工作?", "王芳") == "华为公司"
        assert await first("我的电话是多少?", "王芳") == "13800138000"
        assert await first("我喜欢吃什么?", "王芳") == "披萨"
        assert await first("Where does alice work?", "alice") == "Acme Corp"
        assert await first("What is my phone number?", "alice") == "555-0142"


async def test_edges_are_found_from_either_end(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.graph.add("我在华为公司工作", user_id="王芳", agent_id="clerk")
        await memory.graph.add("我在北方银行工作", user_id="李雷", agent_id="clerk")
        found = await memory.graph.search("华为公司有谁?", agent_id="clerk")
        assert (found[0].source, found[0].destination) == ("王芳", "华为公司")
        assert len(await memory.graph.search("华为公司有谁?", agent_id="clerk", limit=1)) == 1


async def test_deleting_is_soft_and_touches_no_other_agent_person_or_conversation(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        for agent in ("one", "two"):
            for user in ("alice", "bob"):
                await memory.graph.add("I work at Acme Corp.", user_id=user, agent_id=agent)
        await memory.graph.add("I use Redis.", user_id="bob", agent_id="two", run_id="talk")
        assert await memory.graph.delete_all(user_id="alice", agent_id="one") == 1
        assert not await memory.graph.get_all(user_id="alice", agent_id="one")
        assert len(await memory.graph.get_all(user_id="bob", agent_id="one")) == 1
        assert len(await memory.graph.get_all(user_id="alice", agent_id="two")) == 1
        assert await memory.graph.delete_all(user_id="bob", agent_id="two", run_id="talk") == 1
        assert told(await memory.graph.get_all(user_id="bob", agent_id="two")) == {("bob", "works_at", "Acme Corp")}
        assert (await memory.list(user_id="alice", agent_id="one", everything=True)).results == ()
        assert await memory.graph.delete_all(user_id="alice", agent_id="one") == 0


async def test_ids_limits_and_empty_questions_are_checked(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        with pytest.raises(InvalidInput, match="at least one"):
            await memory.graph.get_all()
        with pytest.raises(InvalidInput, match="at least one"):
            await memory.graph.delete_all()
        with pytest.raises(InvalidInput, match="limit is 0"):
            await memory.graph.search("work", user_id="alice", limit=0)
        with pytest.raises(InvalidInput, match="empty"):
            await memory.graph.search(" ", user_id="alice")
        with pytest.raises(InvalidInput, match="nobody says"):
            await memory.graph.add("", user_id="alice")


async def test_a_failure_of_graph_work_keeps_the_memories_and_is_told_apart(tmp_path: Path) -> None:
    names: Names = {"Northwind Ledger": "product", "Northwind": "thing"}
    model = Resolving(naming(names), says=lambda doubt: 1)
    async with AsyncMemory(quick_settings(tmp_path), clock=ManualClock(NOON), cognition=model) as memory:
        await memory.graph.add("We run Northwind Ledger", user_id="alice")
        model.errors += [BackendUnavailable("away")] * 9
        added = await memory.graph.add("Northwind is slow", user_id="alice")
        assert isinstance(added, GraphAdded)
        assert len(added.errors) == 1
        listed = (await memory.list(user_id="alice")).results
    assert "alice: Northwind is slow" in {each.memory for each in listed}


def test_synchronous_code_has_the_same_triples(tmp_path: Path) -> None:
    with Memory(quick_settings(tmp_path)) as memory:
        added = memory.graph.add("I live in Oslo.", user_id="Tom")
        assert told(added.added_entities) == {("Tom", "located_in", "Oslo")}
        assert memory.graph.search("Where does Tom live?", user_id="Tom")[0].destination == "Oslo"
        assert len(memory.graph.get_all(user_id="Tom")) == 1
        assert memory.graph.delete_all(user_id="Tom") == 1
