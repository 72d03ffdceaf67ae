"""The store does what LangGraph's own store in memory does, and the graph that is given it reads and writes memory."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, GetOp, InvalidNamespaceError, Item, ListNamespacesOp, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from agentmem import AsyncClient, AsyncMemory, Client, Memory
from agentmem.errors import InvalidInput
from agentmem.interfaces.integrations.langgraph import AgentmemStore
from agentmem.interfaces.python.kept_items import GetItem, ItemOp, ListPlaces, SearchItems, keep_items
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON
from tests.support.served import a_house as house
from tests.support.served import served
from tests.support.socketed import answering
from tests.support.spine import quick_settings

Shown = Sequence[tuple[tuple[str, ...], str, dict[str, Any]]]
TOM, EVE = ("users", "Tom"), ("users", "Eve")


def a_house(folder: Path) -> AsyncMemory:
    return AsyncMemory(quick_settings(folder), clock=ManualClock(NOON))


def shown(found: Sequence[Any]) -> Shown:
    return sorted((one.namespace, one.key, one.value) for one in found)


WRITES: list[Op] = [
    PutOp(TOM, "a", {"text": "likes green tea", "n": 3, "tags": ["hot", "leaf"], "deep": {"x": 1, "y": 2}}),
    PutOp(TOM, "b", {"text": "owns a red bike", "n": 5.5, "tags": [], "deep": {"x": 2}}),
    PutOp(EVE, "a", {"text": "plays the violin", "n": -1}),
    PutOp(("docs", "v1", "Tom"), "guide", {"text": "how to brew tea", "n": None}),
    PutOp(TOM, "gone", {"text": "soon gone"}),
    PutOp(TOM, "b", {"text": "owns a blue bike", "n": 6, "deep": {"x": 2}}),
]
FILTERS: list[dict[str, Any] | None] = [
    None,
    {"n": 3},
    {"n": {"$gte": 3}},
    {"n": {"$gt": 3, "$lt": 10}},
    {"n": {"$ne": 3}},
    {"text": {"$eq": "plays the violin"}},
    {"deep": {"x": 2}},
    {"tags": ["hot", "leaf"]},
    {"tags": []},
    {"none": None},
]


@pytest.mark.parametrize("at_server", [False, True])
async def test_it_answers_as_langgraphs_own_store_does(tmp_path: Path, *, at_server: bool) -> None:
    async with house(tmp_path, at_server=at_server) as memory:
        ours, theirs = AgentmemStore(memory), InMemoryStore()
        stores: tuple[BaseStore, BaseStore] = (ours, theirs)
        for store in stores:
            assert await store.abatch([WRITES[0], GetOp(TOM, "a")]) == [None, None]
            await store.abatch(WRITES[1:])
            await store.adelete(TOM, "gone")
            await store.adelete(TOM, "never there")
        for prefix in ((), ("users",), TOM, ("docs", "v1"), ("nothing",), ("use",)):
            for wanted in FILTERS:
                if wanted and "n" in wanted and isinstance(wanted["n"], dict) and prefix in ((), ("docs", "v1")):
                    continue  # theirs cannot compare None with a number
                found = [await store.asearch(prefix, filter=wanted) for store in stores]
                assert shown(found[0]) == shown(found[1]), (prefix, wanted)
            some = [len(await store.asearch(prefix, limit=2, offset=1)) for store in stores]
            assert some[0] == some[1]
        for key in ("a", "b", "gone", "x"):
            one, other = [await store.aget(TOM, key) for store in stores]
            assert (one and one.value) == (other and other.value)
        asked: list[dict[str, Any]] = [
            {},
            {"prefix": ("users",)},
            {"prefix": ("*", "v1")},
            {"suffix": ("Tom",)},
            {"prefix": ("docs",), "suffix": ("*", "Tom")},
            {"max_depth": 1},
            {"max_depth": 2, "limit": 2, "offset": 1},
        ]
        for one in asked:
            assert await ours.alist_namespaces(**one) == await theirs.alist_namespaces(**one), one


@pytest.mark.parametrize("at_server", [False, True])
async def test_items_are_found_by_their_words_within_their_filter_and_the_rest_follows(
    tmp_path: Path, *, at_server: bool
) -> None:
    async with house(tmp_path, at_server=at_server) as memory:
        store = AgentmemStore(memory)
        await store.abatch(WRITES)
        await store.aput(TOM, "hidden", {"text": "green tea, not to be found"}, index=False)
        await store.aput(TOM, "part", {"title": "green tea", "body": "violin violin"}, index=["body"])
        found = await store.asearch(("users",), query="green tea")
        assert (found[0].key, found[0].namespace) == ("a", TOM)
        assert found[0].score is not None
        assert next(one for one in found if one.key == "hidden").score is None
        assert len(found) == 6
        assert (await store.asearch(TOM, query="who plays the violin", limit=1))[0].key == "part"
        (only,) = await store.asearch(("users",), query="tea", filter={"n": {"$lt": 0}})
        assert only.namespace == EVE


async def test_an_item_written_again_is_the_same_and_one_deleted_may_return(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        store = AgentmemStore(memory)
        await store.aput(TOM, "a", {"text": "one"})
        (before,) = await store.asearch(TOM)
        await asyncio.gather(*(store.aput(TOM, "a", {"text": f"{n}"}) for n in range(5)))
        assert len(await store.asearch(TOM)) == 1
        await store.adelete(TOM, "a")
        assert await store.aget(TOM, "a") is None
        await store.aput(TOM, "a", {"text": "back", "none": None, "list": [1, {"x": [True]}]})
        back = await store.aget(TOM, "a")
        assert back is not None
        assert back.value == {"text": "back", "none": None, "list": [1, {"x": [True]}]}
        assert back.created_at == before.created_at == NOON


async def test_what_it_keeps_of_a_person_is_part_of_the_memory_and_forgotten_with_him(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        store, other = AgentmemStore(memory), AgentmemStore(memory, agent_id="other")
        await store.aput(("memories", "罗小东"), "food", {"text": "他喜欢吃火锅"})
        await store.aput(("memories", "罗小东"), "bike", {"text": "owns a red bike"})
        assert await other.asearch(()) == []
        found = await memory.search("他喜欢吃什么", user_id="罗小东")
        assert "火锅" in found.results[0].memory
        assert "火锅" in (await memory.context("他喜欢吃什么", user_id="罗小东")).text
        await memory.add("Please forget my red bike.", user_id="罗小东")
        assert [one.key for one in await store.asearch(("memories",))] == ["food"]
        await memory.delete_all(user_id="罗小东")
        assert await store.asearch(()) == []


async def test_what_it_cannot_do_is_refused_in_one_line(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        store = AgentmemStore(memory)
        with pytest.raises(NotImplementedError, match="TTL"):
            await store.aput(TOM, "a", {"text": "x"}, ttl=5)
        with pytest.raises(InvalidInput, match="ttl"):
            await store.abatch([PutOp(TOM, "a", {"text": "x"}, ttl=5)])
        await store.abatch([WRITES[0]])
        with pytest.raises(InvalidInput, match=r"\$near"):
            await store.asearch(TOM, filter={"n": {"$near": 3}})
        for bad in ((), ("a.b",), ("",), ("langgraph",)):
            with pytest.raises(InvalidNamespaceError):
                await store.aput(bad, "a", {"text": "x"})
        with pytest.raises(InvalidNamespaceError):
            await store.abatch([SearchOp(("a.b",))])
        with pytest.raises(InvalidInput, match="await the AsyncMemory"):
            store.get(TOM, "a")


def test_it_works_in_synchronous_code_and_on_other_loops(tmp_path: Path) -> None:
    with Memory(path=tmp_path / "data") as memory:
        store = AgentmemStore(memory)
        store.put(TOM, "a", {"text": "likes tea"})
        item = asyncio.run(store.aget(TOM, "a"))
        assert item is not None
        assert item == store.get(TOM, "a")


async def test_a_graph_remembers_across_its_runs(tmp_path: Path) -> None:
    class State(TypedDict):
        said: str
        answer: str

    async def node(state: State, *, store: BaseStore) -> dict[str, str]:
        known = await store.asearch(("memories", "Tom"), query=state["said"], limit=1)
        await store.aput(("memories", "Tom"), str(len(state["said"])), {"text": state["said"]})
        return {"answer": known[0].value["text"] if known else "nothing"}

    async with a_house(tmp_path) as memory:
        builder: Any = StateGraph(State)
        builder.add_node("node", node).add_edge(START, "node").add_edge("node", END)
        graph = builder.compile(store=AgentmemStore(memory))
        assert (await graph.ainvoke({"said": "My bike is red.", "answer": ""}))["answer"] == "nothing"
        assert (await graph.ainvoke({"said": "Which bike is mine?", "answer": ""}))["answer"] == "My bike is red."


@pytest.mark.parametrize("at_server", [False, True])
async def test_a_batch_answers_as_langgraphs_own_store_does(tmp_path: Path, *, at_server: bool) -> None:
    mixed: list[Op] = [
        GetOp(TOM, "b"),
        SearchOp(("docs",)),
        PutOp(TOM, "a", {"text": "changed meanwhile"}),
        GetOp(TOM, "a"),
        ListNamespacesOp(max_depth=1),
        GetOp(EVE, "never there"),
        SearchOp(TOM, filter={"n": 3}),
    ]
    answers: list[list[object]] = []
    async with house(tmp_path, at_server=at_server) as memory:
        for store in (AgentmemStore(memory), InMemoryStore()):
            await store.abatch(WRITES)
            tom, docs, put, a, places, nobody, many = await store.abatch(mixed)
            assert isinstance(tom, Item)
            assert isinstance(a, Item)
            assert isinstance(docs, list)
            assert isinstance(many, list)
            answers.append([tom.value, shown(docs), put, a.value, places, nobody, shown(many)])
    assert answers[0] == answers[1]


async def test_code_that_is_not_asynchronous_asks_a_server_through_a_client(tmp_path: Path) -> None:
    async with served(tmp_path) as server, answering(server) as http:
        address = str(http.base_url)
        client = await asyncio.to_thread(Client, address, server.owner)
        store = AgentmemStore(client)
        await asyncio.to_thread(store.put, TOM, "a", {"text": "likes tea"})
        kept = await asyncio.to_thread(store.get, TOM, "a")
        assert kept is not None
        assert (kept, kept.value) == (await store.aget(TOM, "a"), {"text": "likes tea"})
        await asyncio.to_thread(client.close)
        async with AsyncClient(address, server.owner) as other:
            with pytest.raises(InvalidInput, match="is awaited"):
                AgentmemStore(other).get(TOM, "a")


@pytest.mark.parametrize(
    "ops",
    [
        [{"op": "put", "place": "x", "key": 1}],
        [{"op": "drop"}],
        [{}],
        [{"op": "put", "place": [], "key": "a", "value": {}}],
        [{"op": "get", "place": [], "key": "a"}],
        [{"op": "search", "below": [], "limit": -1}],
        [{"op": "search", "below": [], "limit": 1, "offset": -1}],
        [{"op": "places", "limit": -1}],
        [{"op": "places", "limit": 1, "offset": -1}],
        [{"op": "places", "limit": 1, "max_depth": 0}],
    ],
)
async def test_a_server_takes_no_other_requests_of_a_store(tmp_path: Path, ops: list[dict[str, Any]]) -> None:
    async with served(tmp_path) as server, server.client() as client:
        answer = await client.post("/v1/memory/keep_items", json={"ops": ops})
        assert (answer.status_code, answer.json()["code"]) == (422, "InvalidInput")


@pytest.mark.parametrize(
    "op", [GetItem(place=(), key="a"), SearchItems(below=(), limit=-1), ListPlaces(limit=1, max_depth=-1)]
)
async def test_what_is_asked_in_this_process_has_the_same_bounds(tmp_path: Path, op: ItemOp) -> None:
    async with AsyncMemory(quick_settings(tmp_path)) as memory:
        with pytest.raises(InvalidInput, match="ops"):
            await keep_items(memory, [op])
