"""A caller's own filter lets through what it says, in every index alike, and never more than the scope."""

import math
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agentmem.domain.bounds import MAX_INT, MAX_TIME, MIN_INT, MIN_TIME
from agentmem.domain.filter import AllOf, AnyOf, Compare, Filter, NotAny, holds, parse_filter
from agentmem.domain.memory import MemoryNode, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.ports.memory_index import MemoryIndex, Where
from tests.support.filters import filters, nodes
from tests.support.indexes import EVERYTHING, HERE, a_point, ids, visible
from tests.support.nodes import NOON, a_memory

SCOPES = (("acme", "seller"), ("acme", "seller2"), ("globex", "seller"))


class World:
    """Memories of several agents; no dataclass, for they are too many to be shown when a test fails."""

    def __init__(self, memories: list[MemoryNode]) -> None:
        self.memories = memories

    def meant(self, wanted: Filter, scope: Scope = HERE) -> set[str]:
        """The ids of those in scope for which the filter holds."""
        return {memory.memory_id for memory in self.memories if memory.within(scope) and holds(wanted, memory)}


@pytest.fixture(scope="module")
def world() -> World:
    """Odd memories of three agents."""
    found: list[MemoryNode] = []

    @settings(
        max_examples=200, deadline=None, database=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(st.sampled_from(SCOPES).flatmap(lambda owner: nodes(tenant=owner[0], agent_id=owner[1])))
    def collect(memory: MemoryNode) -> None:
        found.append(memory)

    collect()
    always: list[dict[str, object]] = [{"category": [-1.0, 5.5]}, {"a-b": [None]}, {"a-b": []}, {"a-b": None}]
    return World([*found, *(a_memory("m", meta_data=each) for each in always)])


@pytest.fixture
async def crowded(index: MemoryIndex, world: World) -> MemoryIndex:
    await index.upsert([a_point(memory) for memory in world.memories])
    return index


@pytest.mark.thorough
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(asked=filters, run=st.sampled_from((None, "talk")))
@example(asked={"rating": True}, run=None)
@example(asked={"rating": 1}, run=None)
@example(asked={"kind": True}, run=None)
@example(asked={"category": 0.0}, run=None)
@example(asked={"run_id": ""}, run="talk")
@example(asked={"metaData.a-b": "*"}, run=None)
@example(asked={"value": {"icontains": "SAP系统"}}, run=None)
async def test_the_index_finds_exactly_what_a_filter_means(
    crowded: MemoryIndex, world: World, asked: Any, run: str | None
) -> None:
    scope, wanted = Scope(*SCOPES[0], run=run), parse_filter(asked)
    assert set(await crowded.select(Where(scope, filter=wanted), (), limit=1_000)) == world.meant(wanted, scope)


async def test_a_search_with_a_filter_sees_the_same_in_every_channel(crowded: MemoryIndex, world: World) -> None:
    wanted = parse_filter(
        {"OR": [{"importance": {"gte": 5}}, {"NOT": [{"category": "*"}]}], "content": {"icontains": "S"}}
    )
    assert world.meant(wanted)
    assert await visible(crowded, Where(HERE, filter=wanted)) == world.meant(wanted)


NEIGHBOURS = st.one_of(
    st.floats(-1e6, 1e6), st.floats(-1e16, 1e16), st.floats(), st.sampled_from((1e6, 5.5, 1e-9, 2.0**52 + 0.5, 1e300))
).flatmap(lambda base: st.sampled_from((base, math.nextafter(base, math.inf), math.nextafter(base, -math.inf))))
"""Numbers beside one another, which an engine that reads JSON in a hurry takes for the same, or for a third one."""


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=st.lists(NEIGHBOURS.filter(math.isfinite), min_size=1, max_size=8), data=st.data())
@example(held=[999999.9999999999, 1000000.0, 1000000.0000000001], data=None)
async def test_numbers_side_by_side_are_told_apart_as_the_filter_says_or_not_at_all(
    index: MemoryIndex, held: list[float], data: st.DataObject | None
) -> None:
    memories = [a_memory("m", meta_data={"rating": number}) for number in held]
    await index.upsert([a_point(memory) for memory in memories])
    number = held[1] if data is None else data.draw(st.sampled_from(held))
    for op in ("eq", "ne", "gt", "gte", "lt", "lte"):
        wanted = parse_filter({"rating": {op: number}})
        meant = {memory.memory_id for memory in memories if holds(wanted, memory)}
        found = await index.select(Where(HERE, filter=wanted), (), limit=10_000)
        assert {memory.memory_id for memory in memories if memory.memory_id in found} == meant, op


FAR = (MIN_INT, MIN_INT + 1, -(2**53) - 1, 0, 2**53, 2**53 + 1, 2**60, MAX_INT - 1, MAX_INT)
LONG_AGO_AND_AHEAD = (MIN_TIME, MIN_TIME + timedelta(days=1), NOON, MAX_TIME - timedelta(days=1), MAX_TIME)


@pytest.mark.parametrize("op", ["eq", "ne", "gt", "gte", "lt", "lte"])
async def test_every_number_and_time_that_may_be_kept_can_be_asked_for(index: MemoryIndex, op: str) -> None:
    memories = [a_memory("m", meta_data={"rating": number}) for number in FAR]
    memories += [a_memory("m", valid_at=moment, meta_data={"due": moment.isoformat()}) for moment in LONG_AGO_AND_AHEAD]
    await index.upsert([a_point(memory) for memory in memories])
    fields = {"rating": FAR, "validAt": LONG_AGO_AND_AHEAD, "due": LONG_AGO_AND_AHEAD}
    asked = [{field: {op: value}} for field, values in fields.items() for value in values]
    for form in asked:
        wanted = parse_filter(form)
        meant = {memory.memory_id for memory in memories if holds(wanted, memory)}
        found = await index.select(Where(HERE, filter=wanted), (), limit=10_000)
        assert {memory.memory_id for memory in memories if memory.memory_id in found} == meant, form
        assert meant or op in ("gt", "lt"), form


def _somebody_elses() -> list[Filter]:
    return [
        *(parse_filter({name: "globex"}) for name in ("tenant", "agentId", "target_id")),
        parse_filter({"tenant": "globex", "agent_id": "seller"}),
        parse_filter({"OR": [{"tenant": "globex"}, {"agent_id": "seller2"}]}),
        parse_filter({"NOT": [{"tenant": "acme", "agent_id": "seller"}]}),
        parse_filter({"NOT": [{"agent_id": ["seller"]}]}),
        parse_filter({"storeStatus": ["deleted", ""]}),
        AnyOf(()),
        AllOf((AnyOf(()),)),
        NotAny((AllOf(()),)),
        Compare("tenant", "in", ()),
    ]


ALL_IN_SCOPE: list[Filter] = [
    parse_filter({}),
    AllOf(()),
    NotAny(()),
    NotAny((AnyOf(()),)),
    AnyOf((AllOf(()), Compare("tenant", "eq", "globex"))),
    Compare("tenant", "nin", ()),
    Compare("tenant", "ne", "globex"),
    Compare("tenant", "exists"),
]


async def test_a_filter_that_names_others_finds_nothing(crowded: MemoryIndex) -> None:
    for wanted in _somebody_elses():
        assert await visible(crowded, Where(HERE, filter=wanted)) == set(), wanted


async def test_a_filter_that_holds_for_everything_finds_what_is_in_scope(crowded: MemoryIndex, world: World) -> None:
    mine = world.meant(AllOf(()))
    for wanted in ALL_IN_SCOPE:
        assert await visible(crowded, Where(HERE, filter=wanted)) == mine, wanted


async def test_a_page_is_full_however_many_ended_memories_fit_the_filter_better(index: MemoryIndex) -> None:
    ended = [a_memory("m", kind="x", store_status=StoreStatus.EXPIRED) for _ in range(300)]
    other = [a_memory("m", kind="y") for _ in range(300)]
    wanted = [a_memory("m", kind="x") for _ in range(12)]
    await index.upsert([a_point(memory) for memory in (*ended, *other, *wanted)])
    where = Where(HERE, filter=parse_filter({"kind": "x"}))
    found = await index.search(where, EVERYTHING, limit=10)
    mine = {memory.memory_id for memory in wanted}
    assert [len(found.content), len(found.keys), len(found.lexical)] == [10, 10, 10]
    assert {*ids(found.content), *ids(found.keys), *ids(found.lexical)} <= mine
    selected = await index.select(where, ("kind",), limit=10)
    assert list(selected) == sorted(mine)[:10]
    assert all(payload["kind"] == "x" for payload in selected.values())


async def test_memories_are_found_by_any_spelling_of_a_key(index: MemoryIndex) -> None:
    social, other = a_memory("m", key=("社保 管理系统", "Postgre SQL")), a_memory("m", key=("保险",))
    await index.upsert([a_point(social), a_point(other)])
    for spelled in ("社保管理系统", "postgre sql", "“Postgre SQL”"):
        assert await visible(index, Where(HERE, filter=parse_filter({"key": [spelled]}))) == {social.memory_id}
    assert await visible(index, Where(HERE, filter=parse_filter({"key": {"contains": "保"}}))) == {
        social.memory_id,
        other.memory_id,
    }


async def test_what_is_kept_for_filters_is_not_answered(index: MemoryIndex) -> None:
    memory = a_memory("Straße", key=("SAP",), meta_data={"paid": True, "due": "2026-04-01"})
    await index.upsert([a_point(memory)])
    (payload,) = (await index.select(Where(HERE), limit=1)).values()
    assert payload == memory.model_dump(mode="json", exclude_none=True)


async def test_a_memory_written_again_is_found_by_its_new_values_only(index: MemoryIndex) -> None:
    first = a_memory("SAP", key=("SAP",), meta_data={"paid": True, "due": "2026-04-01"})
    await index.upsert([a_point(first)])
    await index.upsert([a_point(first.revised(content="sap", key=(), meta_data={"paid": False}))])
    gone = [{"key": "sap"}, {"paid": True}, {"due": {"gt": "2026-01-01"}}, {"content": {"contains": "SAP"}}]
    for asked in gone:
        assert not await index.select(Where(HERE, filter=parse_filter(asked)), limit=1)
    assert await index.select(
        Where(HERE, filter=parse_filter({"paid": False, "content": {"icontains": "SAP"}})), limit=1
    )
