"""Nobody is shown what is outside his scope, and of what is inside exactly what was asked for."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentmem.domain.ids import entity_id
from agentmem.domain.memory import GRAPH, LAYERS, Evidence, MemoryNode, MemoryType, Modality, StoreStatus
from agentmem.domain.scope import Scope
from agentmem.errors import InvalidInput
from agentmem.ports.memory_index import AsOf, MemoryIndex, Where
from tests.support.indexes import HERE, a_point, visible
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory

DAY = timedelta(days=1)
TENANTS = ("acme", "acme ", "ACME", "globex", "社保局")
AGENTS = ("seller", "seller2")
RUNS = (None, "talk", "talk2")
DAYS = (-400_000, -1, 0, 1, 2, 3, 4)


def _day(number: int) -> datetime:
    return NOON + number * DAY


def _targets(tenant: str, agent: str) -> list[str]:
    return [entity_id(tenant, agent, name) for name in ("罗小东", "王芳")]


@st.composite
def memories(draw: st.DrawFn) -> MemoryNode:
    tenant, agent = draw(st.sampled_from(TENANTS)).strip(), draw(st.sampled_from(AGENTS))
    begins, lasts, learned = draw(st.sampled_from(DAYS[2:])), draw(st.integers(0, 3)), draw(st.integers(0, 3))
    created = draw(st.sampled_from(DAYS[1:]))
    ends = draw(st.booleans())
    return a_memory(
        "canary",
        tenant=tenant,
        agent_id=agent,
        target_id=draw(st.sampled_from(_targets(tenant, agent))),
        run_id=draw(st.sampled_from(RUNS)),
        memory_type=draw(st.sampled_from(LAYERS)),
        modality=draw(st.sampled_from(Modality)),
        store_status=draw(st.sampled_from(StoreStatus)),
        valid_at=_day(begins),
        invalid_at=_day(begins + lasts) if ends else None,
        created_at=_day(created),
        expired_at=_day(created + learned) if ends and draw(st.booleans()) else None,
    )


@st.composite
def wheres(draw: st.DrawFn) -> Where:
    tenant, agent = draw(st.sampled_from(TENANTS)).strip(), draw(st.sampled_from(AGENTS))
    target = draw(st.sampled_from([None, *_targets(tenant, agent), TARGET]))
    # Beside it also targets of others, who must not be seen for being named.
    others = [*_targets(tenant, agent), *_targets("globex", "seller2")]
    beside = draw(st.lists(st.sampled_from(others), max_size=2)) if target else []
    moments = st.sampled_from(DAYS).map(_day)
    as_of = st.builds(AsOf, moments, st.none() | moments)
    return Where(
        Scope(tenant, agent, target, draw(st.sampled_from(RUNS)), tuple(beside)),
        as_of=draw(st.none() | as_of),
        current=draw(st.booleans()),
        ended=draw(st.booleans()),
        types=tuple(draw(st.sets(st.sampled_from(LAYERS)))),
        modalities=tuple(draw(st.sets(st.sampled_from(Modality)))),
    )


def _holds(memory: MemoryNode, as_of: AsOf, *, also_ended: bool) -> bool:
    """The words of `Where`, once more and without an index."""
    ended = not also_ended and memory.invalid_at is not None and memory.invalid_at <= as_of.valid
    if as_of.known is not None:
        if memory.created_at > as_of.known:
            return False
        if memory.expired_at is not None and memory.expired_at > as_of.known:
            ended = False
    return memory.valid_at <= as_of.valid and not ended


def _inside(memory: MemoryNode, scope: Scope) -> bool:
    told = scope.target is None or memory.target_id == scope.target or memory.target_id in scope.beside
    own = (memory.tenant, memory.agent_id) == (scope.tenant, scope.agent)
    assert (own and told and (scope.run is None or memory.run_id in (None, scope.run))) is memory.within(scope)
    return memory.within(scope)


def _meant(memory: MemoryNode, where: Where) -> bool:
    statuses = {StoreStatus.VALID} if where.current else {StoreStatus.VALID, StoreStatus.EXPIRED}
    return (
        _inside(memory, where.scope)
        and memory.store_status in statuses
        and (not where.types or memory.memory_type in where.types)
        and (not where.modalities or memory.modality in where.modalities)
        and (where.as_of is None or _holds(memory, where.as_of, also_ended=where.ended))
    )


@pytest.fixture(scope="module")
def world() -> list[MemoryNode]:
    """Memories of many tenants, agents, targets and runs, all with the same words and vectors."""
    found: list[MemoryNode] = []

    @settings(max_examples=250, database=None, derandomize=True)
    @given(memories())
    def collect(memory: MemoryNode) -> None:
        found.append(memory)

    collect()
    return found


@pytest.fixture
async def crowded(index: MemoryIndex, world: list[MemoryNode]) -> MemoryIndex:
    await index.upsert([a_point(memory) for memory in world])
    return index


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=wheres())
async def test_a_search_sees_what_it_asked_for_and_nothing_else(
    crowded: MemoryIndex, world: list[MemoryNode], where: Where
) -> None:
    found = await visible(crowded, where)
    by_id = {memory.memory_id: memory for memory in world}
    assert {(by_id[each].tenant, by_id[each].agent_id) for each in found} <= {(where.scope.tenant, where.scope.agent)}
    assert found == {memory.memory_id for memory in world if _meant(memory, where)}


async def test_a_run_sees_its_own_memories_and_those_without_a_run(index: MemoryIndex) -> None:
    mine, other, lasting = (a_memory("m", run_id=run) for run in ("talk", "elsewhere", None))
    await index.upsert([a_point(memory) for memory in (mine, other, lasting)])
    assert await visible(index, Where(replace(HERE, run="talk"))) == {mine.memory_id, lasting.memory_id}
    assert await visible(index, Where(HERE)) == {mine.memory_id, other.memory_id, lasting.memory_id}


async def test_an_agents_other_targets_are_seen_without_a_target_only(index: MemoryIndex) -> None:
    luo, wang = a_memory("m"), a_memory("m", target_id=entity_id(TENANT, AGENT, "王芳"))
    await index.upsert([a_point(luo), a_point(wang)])
    assert await visible(index, Where(replace(HERE, target=TARGET))) == {luo.memory_id}
    assert await visible(index, Where(HERE)) == {luo.memory_id, wang.memory_id}


async def test_what_lies_between_memories_is_seen_where_it_is_asked_for_by_name_and_only_there(
    index: MemoryIndex,
) -> None:
    memory, entity, group = a_memory("m"), a_memory("m", memory_type="entity"), a_memory("m", memory_type="community")
    await index.upsert([a_point(one) for one in (memory, entity, group)])
    assert await visible(index, Where(HERE)) == {memory.memory_id}
    assert await visible(index, Where(HERE, types=(MemoryType.ENTITY,))) == {entity.memory_id}
    assert await visible(index, Where(HERE, types=GRAPH)) == {entity.memory_id, group.memory_id}
    with pytest.raises(InvalidInput, match="either in the layers or among"):
        await visible(index, Where(HERE, types=(MemoryType.ENTITY, MemoryType.INSIGHT)))


@pytest.mark.parametrize(
    ("valid", "known", "seen"),
    [
        (1, 1, True),  # before its end, before anybody knew of one
        (1, 9, True),  # before its end, looked at from later
        (6, 7, True),  # it had ended, but nobody knew
        (6, 8, False),  # it had ended, and that was learned at this very moment
        (6, 9, False),  # it had ended, and that was known
        (5, 9, False),  # it ends at the first moment it no longer holds
        (0, 9, True),  # it begins at the first moment it holds
        (-1, 9, False),  # not begun
        (1, -1, False),  # not heard of
        (6, None, False),  # as is known now
    ],
)
async def test_an_end_counts_from_when_it_was_learned(
    index: MemoryIndex, valid: int, known: int | None, seen: bool
) -> None:
    phone = a_memory("12345678901", valid_at=_day(0), created_at=_day(0)).ended(at=_day(5), now=_day(8))
    await index.upsert([a_point(phone)])
    as_of = AsOf(_day(valid), None if known is None else _day(known))
    assert bool(await visible(index, Where(HERE, as_of, current=False))) is seen
    assert not await visible(index, Where(HERE, as_of))


async def test_an_end_planned_from_the_start_counts_as_soon_as_the_memory_is_known(index: MemoryIndex) -> None:
    reading = a_memory("21 °C", valid_at=_day(0), created_at=_day(0), invalid_at=_day(1))
    await index.upsert([a_point(reading)])
    assert await visible(index, Where(HERE, AsOf(_day(0), _day(0)))) == {reading.memory_id}
    assert not await visible(index, Where(HERE, AsOf(_day(2), _day(0))))


async def test_times_of_the_far_past_and_future_are_kept_apart_from_an_open_end(index: MemoryIndex) -> None:
    ancient = a_memory("m", valid_at=datetime.fromisoformat("1000-01-02T00:00:00Z"))
    coming = a_memory("m", valid_at=datetime.fromisoformat("8999-12-30T00:00:00Z"))
    await index.upsert([a_point(ancient), a_point(coming)])
    assert await visible(index, Where(HERE, AsOf(_day(0)))) == {ancient.memory_id}
    doomsday = datetime.fromisoformat("8999-12-31T00:00:00Z")
    assert await visible(index, Where(HERE, AsOf(doomsday))) == {ancient.memory_id, coming.memory_id}


async def test_what_had_been_told_may_be_let_through_before_it_begins(index: MemoryIndex) -> None:
    plan = a_memory("m", valid_at=_day(7), created_at=_day(3))
    heard = Evidence(memory_id=plan.memory_id, start=0, end=1, said_at=_day(1))
    early = a_memory("n", valid_at=_day(7), created_at=_day(3), evidence=(heard,))
    always = a_memory("o", valid_at=_day(0), created_at=_day(0))
    await index.upsert([a_point(one) for one in (plan, early, always)])
    seen = [await visible(index, Where(HERE, AsOf(_day(at)), told=True)) for at in (0, 1, 2, 3, 8)]
    one, two = {always.memory_id}, {always.memory_id, early.memory_id}
    assert seen == [one, two, two, {*two, plan.memory_id}, {*two, plan.memory_id}]
    assert await visible(index, Where(HERE, AsOf(_day(3)))) == one


async def test_the_finest_difference_of_time_counts(index: MemoryIndex) -> None:
    tick = timedelta(microseconds=1)
    memory = a_memory("m", valid_at=_day(0), invalid_at=_day(1))
    await index.upsert([a_point(memory)])
    moments = (_day(0) - tick, _day(0), _day(1) - tick, _day(1))
    seen = [bool(await visible(index, Where(HERE, AsOf(at)))) for at in moments]
    assert seen == [False, True, True, False]


async def test_a_retired_memory_is_found_by_no_as_of_question(index: MemoryIndex) -> None:
    duplicate = a_memory("m", valid_at=_day(0)).retired(now=_day(1))
    await index.upsert([a_point(duplicate)])
    assert not await visible(index, Where(HERE, AsOf(_day(0)), current=False))
    assert await visible(index, Where(HERE, current=False)) == {duplicate.memory_id}


async def test_a_deleted_memory_is_never_found(index: MemoryIndex) -> None:
    await index.upsert([a_point(a_memory("m", store_status=StoreStatus.DELETED))])
    for as_of in (None, AsOf(_day(1)), AsOf(_day(1), _day(1))):
        for current in (True, False):
            assert not await visible(index, Where(HERE, as_of, current=current))
