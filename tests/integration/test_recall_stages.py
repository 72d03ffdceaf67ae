"""What a recall costs: so many calls of each kind, whatever it finds; and what it does when one of them fails."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from agentmem.adapters.embedder.hashed import HashedEmbedder
from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode
from agentmem.domain.scope import Scope
from agentmem.errors import BackendUnavailable, InvalidInput
from agentmem.ports.embedder import Matrix, Purpose
from agentmem.ports.ledger import Commit
from agentmem.ports.models import Reranker
from agentmem.retrieval.query import RecallQuery
from agentmem.retrieval.recall import Recall
from agentmem.runtime.facade.app import App
from tests.support.counting import Calls, Counting
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory, a_turn, an_ending
from tests.support.ranking import Answering, Failing, Hanging
from tests.support.spine import LATER, SCOPE, spine

ONCE = ("journal.glance", "embedder.embed", "index.search", "index.fetch", "ledger.get")
BY_WORDS = (*ONCE, "index.select", "index.terms")


def counted(app: App) -> tuple[Recall, Calls]:
    """The app's own recall, over ports that count."""
    calls: Calls = []
    recall = app.searchable.recall
    wrapped: dict[str, Any] = {
        name: Counting(getattr(recall.gather, name), name, calls) for name in ("journal", "index", "embedder")
    }
    return replace(recall, gather=replace(recall.gather, **wrapped)), calls


def names(calls: Calls) -> Counter[str]:
    return Counter(name for name, _ in calls)


async def remember(app: App, *nodes: MemoryNode) -> None:
    changes = tuple(Change(act="add", after=node) for node in nodes)
    await app.journal.ledger.commit(Commit(TENANT, f"by hand/{nodes[0].memory_id}", "test", LATER, changes))


async def talk(app: App, turns: int) -> None:
    """A talk of so many turns, of which every fifth speaks of the phone, all read."""
    texts = ["我的电话是138" if number % 5 == 2 else f"第{number}句闲话" for number in range(turns)]
    await app.accept([*(a_turn(text, number) for number, text in enumerate(texts)), an_ending()])
    await app.drain()


@pytest.mark.parametrize(("turns", "k"), [(5, 1), (60, 1), (60, 10), (60, 60)])
async def test_one_of_each_call_answers_a_question_however_much_is_found(tmp_path: Path, turns: int, k: int) -> None:
    async with spine(tmp_path) as app:
        await talk(app, turns)
        recall, calls = counted(app)
        found = await recall(RecallQuery(SCOPE, "电话", k, profile="verbatim"))

    assert len(found.hits) == min(k, turns)
    assert names(calls) == dict.fromkeys(BY_WORDS, 1)


async def test_a_profile_without_neighbours_does_not_look_beside_the_hits(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await talk(app, 60)
        recall, calls = counted(app)
        await recall(RecallQuery(SCOPE, "电话", profile="generative"))

    assert names(calls) == dict.fromkeys(ONCE, 1)


async def test_nothing_to_be_found_is_neither_fetched_nor_looked_beside(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        recall, calls = counted(app)
        await recall(RecallQuery(SCOPE, "电话", profile="verbatim"))

    assert names(calls).keys() & {"index.fetch", "index.select", "index.terms"} == set()


@pytest.mark.parametrize(("k", "looked_at"), [(1, 50), (10, 50), (200, 200)])
async def test_a_search_looks_at_more_than_it_answers_with(tmp_path: Path, k: int, looked_at: int) -> None:
    async with spine(tmp_path) as app:
        recall, calls = counted(app)
        await recall(RecallQuery(SCOPE, "电话", k))

    assert [named["limit"] for name, named in calls if name == "index.search"] == [looked_at]


async def test_turns_nobody_has_read_cost_one_embedding_for_all(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn(f"电话{number}", number) for number in range(30)])
        recall, calls = counted(app)
        found = await recall(RecallQuery(SCOPE, "电话", profile="memories"))

    assert len(found.hits) == 10
    assert names(calls)["embedder.embed"] == 2


async def test_each_hop_costs_one_look_and_all_of_them_one_more_read(tmp_path: Path) -> None:
    chain = [a_memory(f"{n}", key=(f"k{n}", f"k{n + 1}")) for n in range(6)]
    start = a_memory("社保项目要上线", key=("k0",))
    async with spine(tmp_path) as app:
        await remember(app, start, *chain)
        recall, calls = counted(app)
        found = await recall(RecallQuery(SCOPE, "社保项目要上线", 60, profile="memories", hops=3))

    assert {hit.memory.content for hit in found.hits} >= {start.content}
    assert names(calls)["ledger.get"] == 2
    assert 1 <= names(calls)["index.select"] <= 3


async def test_who_speaks_is_looked_up_once_until_something_is_written(tmp_path: Path) -> None:
    query = RecallQuery(Scope(TENANT, AGENT, TARGET), "罗小东的电话", profile="generative")
    async with spine(tmp_path) as app:
        await talk(app, 5)
        recall, calls = counted(app)
        for _ in range(3):
            await recall(query)
        assert names(calls)["index.select"] == 1
        await remember(app, a_memory("罗小东的电话是139"))
        await recall(query)

    assert names(calls)["index.select"] == 2


async def test_a_contact_is_found_a_hop_away_over_the_name_of_its_person(tmp_path: Path) -> None:
    owner = a_memory("社保项目由罗小东负责", key=("社保项目", "罗小东"))
    contact = a_memory("联系方式是12345678901", key=("罗小东", "联系方式"))
    noise = [a_memory(f"由此开会第{number}次", key=("会议",)) for number in range(70)]
    query = RecallQuery(SCOPE, "社保项目由谁负责", profile="memories")
    async with spine(tmp_path) as app:
        await remember(app, owner, contact, *noise)
        stages = [
            {hit.memory.memory_id: hit.stage for hit in (await app.recall(replace(query, hops=hops))).hits}
            for hops in (0, 1)
        ]

    assert [found[owner.memory_id] for found in stages] == ["search", "search"]
    assert [found.get(contact.memory_id) for found in stages] == [None, "expansion"]


@pytest.mark.parametrize(
    "reranker",
    [Failing(BackendUnavailable("the scorer is down")), Hanging(), Answering(1.0)],
    ids=["down", "slow", "short"],
)
async def test_a_reranker_that_fails_leaves_the_answer_as_it_was(tmp_path: Path, reranker: Reranker) -> None:
    query = RecallQuery(SCOPE, "电话", profile="verbatim")
    async with spine(tmp_path) as app:
        await talk(app, 30)
        plain = app.searchable.recall
        before = await plain(query)
        with capture_logs() as logs:
            after = await replace(plain, reranker=reranker, rerank_seconds=0.05)(query)

    assert after == before
    assert [entry["event"] for entry in logs] == ["rerank_fell_back"]


class Squeamish(HashedEmbedder):
    """Refuses any batch with one word in it, as a model's server does with what is too long for it."""

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Matrix:
        """The vectors, unless."""
        if any("毒" in text for text in texts):
            raise InvalidInput("this text is not embedded")
        return await super().embed(texts, purpose=purpose)


@pytest.mark.parametrize("reranker", [None, Answering(1.0, 2.0)], ids=["plain", "reranked"])
async def test_a_turn_that_the_embedder_refuses_is_found_by_its_words(
    tmp_path: Path, reranker: Reranker | None
) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("我的电话有毒", 0), a_turn("我的电话是138", 1)])
        recall = app.searchable.recall
        strict = replace(recall, gather=replace(recall.gather, embedder=Squeamish()), reranker=reranker)
        found = await strict(RecallQuery(SCOPE, "电话", profile="memories"))

    assert {hit.memory.content for hit in found.hits} == {"我的电话有毒", "我的电话是138"}


async def test_a_question_put_to_an_earlier_time_means_the_days_before_it(tmp_path: Path) -> None:
    days = {number: a_memory("他去了西湖", valid_at=NOON - timedelta(days=number)) for number in (11, 1)}
    async with spine(tmp_path) as app:
        await remember_then(app, *days.values())
        now = await app.recall(RecallQuery(SCOPE, "他昨天去了哪里", 1, profile="memories"))
        then = await app.recall(
            RecallQuery(SCOPE, "他昨天去了哪里", 1, known_at=NOON - timedelta(days=10), profile="memories")
        )

    assert [hit.memory.memory_id for hit in now.hits] == [days[1].memory_id]
    assert [hit.memory.memory_id for hit in then.hits] == [days[11].memory_id]


async def remember_then(app: App, *nodes: MemoryNode) -> None:
    """Each learned when it happened."""
    for node in nodes:
        commit = Commit(TENANT, f"by hand/{node.memory_id}", "test", node.valid_at, (Change(act="add", after=node),))
        await app.journal.ledger.commit(commit)


async def test_a_question_of_three_hundred_words_is_searched_for_to_its_end(tmp_path: Path) -> None:
    idle = " ".join(f"filler{number}" for number in range(299))
    wanted, other = a_memory("Luo keeps a unicycle in the shed"), a_memory("Luo keeps a boat in the harbour")
    async with spine(tmp_path) as app:
        await remember(app, other, wanted)
        for profile in ("verbatim", "memories", "generative"):
            found = await app.recall(RecallQuery(SCOPE, f"{idle} unicycle", 1, profile=profile))
            assert [hit.memory.memory_id for hit in found.hits] == [wanted.memory_id]
