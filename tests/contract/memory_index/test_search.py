"""Three channels, each with its raw scores, best first."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentmem.domain.ids import derived_id
from agentmem.domain.scope import Scope
from agentmem.ports.memory_index import Found, MemoryIndex, Probe, Sparse, Where
from tests.support.indexes import EVERYTHING, HERE, Vectors, a_point, ids, numbered_memories, rows, words
from tests.support.nodes import a_memory

HALF = 2**-0.5


async def test_a_question_near_one_of_several_keys_finds_the_memory(index: MemoryIndex) -> None:
    """社保 lies near the key 社保管理系统, and the memory's other key does not matter."""
    social, other = a_memory("做社保管理系统"), a_memory("喜欢喝茶")
    await index.upsert(
        [
            a_point(social, Vectors(content={5: 1.0}, keys=({1: 0.8, 2: 0.6}, {3: 1.0}))),
            a_point(other, Vectors(content={5: 1.0}, keys=({3: 1.0}, {4: 1.0}))),
        ]
    )
    found = await index.search(Where(HERE), Probe(rows({1: 1.0})), limit=2)
    assert ids(found.keys) == [social.memory_id, other.memory_id]
    assert found.keys[0][1] == pytest.approx(0.8, abs=2e-3)


async def test_content_is_scored_by_cosine_whatever_its_length(index: MemoryIndex) -> None:
    near, far, against = (a_memory("m") for _ in range(3))
    directions: list[dict[int, float]] = [{0: 30.0}, {0: 0.1, 1: 0.1}, {0: -2.0}]
    points = zip((near, far, against), directions, strict=True)
    await index.upsert([a_point(memory, Vectors(content=direction)) for memory, direction in points])
    found = await index.search(Where(HERE), Probe(rows({0: 1.0})), limit=3)
    assert ids(found.content) == [near.memory_id, far.memory_id, against.memory_id]
    assert [score for _, score in found.content] == pytest.approx([1.0, HALF, -1.0], abs=2e-3)


async def test_a_memory_without_keys_is_found_by_content_and_not_by_key(index: MemoryIndex) -> None:
    bare, keyed = a_memory("m"), a_memory("m")
    await index.upsert([a_point(bare, Vectors(keys=())), a_point(keyed)])
    found = await index.search(Where(HERE), EVERYTHING, limit=5)
    assert set(ids(found.content)) == {bare.memory_id, keyed.memory_id}
    assert ids(found.keys) == [keyed.memory_id]


async def test_a_question_may_leave_the_keys_aside(index: MemoryIndex) -> None:
    await index.upsert([a_point(a_memory("m"))])
    found = await index.search(Where(HERE), Probe(rows({0: 1.0}), words({1: 1.0}), by_keys=False), limit=5)
    assert (len(found.content), len(found.keys), len(found.lexical)) == (1, 0, 1)


async def test_rare_words_weigh_more_than_common_ones(index: MemoryIndex) -> None:
    rare, common, both = a_memory("rare"), a_memory("common"), a_memory("both")
    crowd = [a_point(memory, Vectors(words={1: 1.0})) for memory in numbered_memories(10)]
    await index.upsert([*crowd, a_point(rare, Vectors(words={2: 1.0})), a_point(common, Vectors(words={1: 1.2}))])
    await index.upsert([a_point(both, Vectors(words={1: 1.0, 2: 1.0, 900_000_007: 3.0}))])
    found = await index.search(Where(HERE), Probe(lexical=words({1: 1.0, 2: 1.0})), limit=3)
    assert ids(found.lexical) == [both.memory_id, rare.memory_id, common.memory_id]
    assert found.content == found.keys == ()


async def test_what_others_say_does_not_change_how_rare_a_word_is(index: MemoryIndex) -> None:
    mine = enumerate(numbered_memories(4))
    await index.upsert([a_point(memory, Vectors(words={1: 1.0, 2 + number: 1.0})) for number, memory in mine])
    probe = Probe(lexical=words({1: 1.0, 2: 1.0}))
    before = await index.search(Where(HERE), probe, limit=10)
    theirs = (a_memory("m", tenant=tenant, agent_id=agent) for tenant, agent in (("b", "seller"), ("acme", "b")) * 20)
    await index.upsert([a_point(memory, Vectors(words={2: 1.0})) for memory in theirs])
    assert await index.search(Where(HERE), probe, limit=10) == before


async def test_a_memory_that_shares_no_word_is_not_found_by_words(index: MemoryIndex) -> None:
    await index.upsert([a_point(a_memory("m"), Vectors(words={1: 1.0})), a_point(a_memory("m"), Vectors(words={}))])
    found = await index.search(Where(HERE), Probe(lexical=words({7: 1.0})), limit=5)
    assert found.lexical == ()


@pytest.mark.parametrize("probe", [Probe(), Probe(lexical=Sparse((), ()))])
async def test_an_empty_question_finds_nothing(index: MemoryIndex, probe: Probe) -> None:
    await index.upsert([a_point(a_memory("m"))])
    assert await index.search(Where(HERE), probe, limit=5) == Found()


async def test_each_channel_keeps_to_the_limit(index: MemoryIndex) -> None:
    await index.upsert([a_point(memory) for memory in numbered_memories(30)])
    found = await index.search(Where(HERE), EVERYTHING, limit=7)
    assert [len(found.content), len(found.keys), len(found.lexical)] == [7, 7, 7]
    assert await index.search(Where(HERE), EVERYTHING, limit=0) == Found()


async def test_equal_scores_come_in_the_order_of_their_ids(index: MemoryIndex) -> None:
    nodes = [a_memory("m", memory_id=derived_id("tie", number)) for number in range(40)]
    await index.upsert([a_point(node) for node in nodes])
    found = await index.search(Where(HERE), EVERYTHING, limit=40)
    expected = sorted(node.memory_id for node in nodes)
    assert [ids(found.content), ids(found.keys), ids(found.lexical)] == [expected] * 3
    assert await index.search(Where(HERE), EVERYTHING, limit=40) == found


async def test_an_unknown_scope_finds_nothing(index: MemoryIndex) -> None:
    await index.upsert([a_point(a_memory("m"))])
    assert await index.search(Where(Scope("nobody", "none")), EVERYTHING, limit=5) == Found()


async def test_many_probes_are_answered_as_each_alone_in_their_order(index: MemoryIndex) -> None:
    await index.upsert([a_point(memory) for memory in numbered_memories(6)])
    probes = [Probe(rows({0: 1.0})), Probe(), Probe(rows({1: 1.0, 2: 0.5}))]
    alone = [await index.search(Where(HERE), probe, limit=3) for probe in probes]
    assert await index.search_many(Where(HERE), probes, limit=3) == alone
    assert await index.search_many(Where(HERE), [], limit=3) == []
    assert await index.search_many(Where(HERE), probes, limit=0) == [Found()] * 3


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from((0.2, 0.6, 1.0)), min_size=1, max_size=60),
    st.integers(1, 12),
    st.randoms(use_true_random=False),
)
async def test_of_memories_that_score_alike_at_the_cut_the_newest_are_found(
    index: MemoryIndex, weights: list[float], limit: int, dice: Random
) -> None:
    await index.clear()
    times = dice.sample(range(10_000), len(weights))
    nodes = [a_memory(f"m {number}", timestamp=time) for number, time in enumerate(times)]
    points = [
        a_point(node, Vectors({0: weight, 1: 1.0 - weight}, ({0: weight, 1: 1.0 - weight},), {1: weight}))
        for node, weight in zip(nodes, weights, strict=True)
    ]
    await index.upsert(points)
    best = sorted(zip(weights, times, nodes, strict=True), key=lambda item: (-item[0], -item[1]))
    wanted = {node.memory_id for _, _, node in best[:limit]}
    found = await index.search(Where(HERE), Probe(rows({0: 1.0}), words({1: 1.0})), limit=limit)
    for channel in (found.content, found.keys, found.lexical):
        assert set(ids(channel)) == wanted
        assert list(channel) == sorted(channel, key=lambda hit: (-hit[1], hit[0]))


async def test_hundreds_that_score_alike_are_told_apart_by_their_time(index: MemoryIndex) -> None:
    nodes = numbered_memories(700)
    await index.upsert([a_point(node) for node in sorted(nodes, key=lambda node: node.memory_id)])
    found = await index.search(Where(HERE), EVERYTHING, limit=5)
    newest = {node.memory_id for node in nodes[-5:]}
    assert [set(ids(channel)) for channel in (found.content, found.keys, found.lexical)] == [newest] * 3
