"""Expansion along keys, over the index in process."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from agentmem.adapters.memory_index.in_memory import InMemoryIndex
from agentmem.domain.filter import AnyOf, Compare, NotAny
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.domain.value import JsonValue
from agentmem.errors import InvalidInput
from agentmem.ports.memory_index import AsOf, Where
from agentmem.retrieval.expansion import (
    KEYS_PER_HOP,
    ReachedMemory,
    Seed,
    expanded,
    from_hits,
    from_question,
    from_turns,
)
from agentmem.retrieval.query import Hit
from tests.support.indexes import HERE, a_point
from tests.support.nodes import AGENT, NOON, TARGET, TENANT, a_memory

WHERE = Where(HERE)


class Asked(InMemoryIndex):
    """The index, remembering for how many links it was asked each time."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[int] = []

    async def select(
        self, where: Where, fields: Sequence[str] | None = None, *, limit: int
    ) -> dict[str, Mapping[str, JsonValue]]:
        """See `MemoryIndex.select`."""
        parts = where.filter.parts if isinstance(where.filter, AnyOf) else ()
        self.links.append(sum(len(part.values) for part in parts if isinstance(part, Compare)))
        return await super().select(where, fields, limit=limit)


@asynccontextmanager
async def holding(*memories: MemoryNode) -> AsyncGenerator[Asked]:
    async with Asked() as index:
        await index.upsert([a_point(memory) for memory in memories])
        yield index


def names(reached: Sequence[ReachedMemory], *memories: MemoryNode) -> list[str]:
    """What was reached, by content."""
    contents = {memory.memory_id: memory.content for memory in memories}
    return [contents[one.memory_id] for one in reached]


def seed(memory: MemoryNode, share: float = 1.0) -> Seed:
    return Seed(memory.key, memory.memory_id, share)


async def test_a_contact_is_found_over_a_name_two_hops_away() -> None:
    project = a_memory("社保项目要加AI能力", key=("社保项目",))
    owner = a_memory("社保项目由罗小东负责", key=("社保项目", "罗小东"))
    contact = a_memory("联系方式是12345678901", key=("罗小东", "联系方式"))
    other = a_memory("王芳喜欢咖啡", key=("王芳", "咖啡"))
    async with holding(project, owner, contact, other) as index:
        reached = await expanded(index, WHERE, [seed(project)], hops=2, limit=10)

    assert [(one.memory_id, one.hop, one.via) for one in reached] == [
        (owner.memory_id, 1, "社保项目"),
        (contact.memory_id, 2, "罗小东"),
    ]


async def test_a_name_in_the_question_leads_to_what_is_known_of_it() -> None:
    contact = a_memory("联系方式是12345678901", key=("罗小东", "联系方式"))
    other = a_memory("王芳喜欢咖啡", key=("王芳", "咖啡"))
    async with holding(contact, other) as index:
        reached = await expanded(index, WHERE, from_question("我该怎么找到罗小东?"), hops=1, limit=10)

    assert [(one.memory_id, one.via) for one in reached] == [(contact.memory_id, "罗小东")]


async def test_the_last_four_turns_lead_to_what_was_made_from_them() -> None:
    turns = [a_memory(f"turn {n}", memory_type=MemoryType.CONVERSATION) for n in range(5)]
    facts = [a_memory(f"fact {n}", source_ids=(turn.memory_id,), key=(f"k{n}",)) for n, turn in enumerate(turns)]
    further = a_memory("further", key=("k3",))
    async with holding(*turns, *facts, further) as index:
        reached = await expanded(index, WHERE, from_turns(turns), hops=2, limit=10)

    assert sorted(names(reached[:4], *facts)) == ["fact 1", "fact 2", "fact 3", "fact 4"]
    assert {one.hop for one in reached[:4]} == {1}
    assert [(one.memory_id, one.hop, one.via) for one in reached[4:]] == [(further.memory_id, 2, "k3")]


async def test_no_hops_add_nothing_and_ask_nothing() -> None:
    one, other = a_memory("one", key=("k",)), a_memory("other", key=("k",))
    async with holding(one, other) as index:
        assert await expanded(index, WHERE, [seed(one)], hops=0, limit=10) == []
        assert await expanded(index, WHERE, [seed(one)], hops=2, limit=0) == []
        assert await expanded(index, WHERE, [], hops=2, limit=10) == []

    assert index.links == []


@pytest.mark.parametrize("hops", [-1, 4])
async def test_other_numbers_of_hops_are_refused(hops: int) -> None:
    async with holding() as index:
        with pytest.raises(InvalidInput, match=f"hops is {hops}, allowed: 0 to 3"):
            await expanded(index, WHERE, [], hops=hops, limit=10)


async def test_a_ring_of_memories_comes_to_an_end() -> None:
    ring = [a_memory(f"{n}", key=(f"k{n}", f"k{(n + 1) % 4}")) for n in range(4)]
    async with holding(*ring) as index:
        reached = await expanded(index, WHERE, [seed(ring[0])], hops=3, limit=10)

    assert sorted(names(reached, *ring)) == ["1", "2", "3"]
    assert [one.hop for one in reached] == [1, 1, 2]
    assert len(index.links) == 2  # behind the second hop there is no key left to follow


async def test_each_hop_asks_once_and_follows_so_many_keys() -> None:
    hub = a_memory("hub", key=("k",))
    many = [a_memory(f"{n}", key=("k", *(f"k{n}-{m}" for m in range(20)))) for n in range(10)]
    beyond = [a_memory(f"beyond {n}", key=(f"k{n}-0", "k-end")) for n in range(10)]
    async with holding(hub, *many, *beyond) as index:
        await expanded(index, WHERE, [seed(hub)], hops=3, limit=100)

    assert index.links == [1, KEYS_PER_HOP, 1]


async def test_another_tenant_agent_or_person_never_enters() -> None:
    one, near = a_memory("one", key=("罗小东",)), a_memory("near", key=("罗小东", "k"))
    strangers = [
        a_memory("tenant", key=("罗小东", "k"), tenant="other"),
        a_memory("agent", key=("罗小东", "k"), agent_id="other"),
        a_memory("person", key=("罗小东", "k"), target_id=one.memory_id),
    ]
    async with holding(one, near, *strangers) as index:
        narrow = await expanded(index, Where(Scope(TENANT, AGENT, TARGET)), [seed(one)], hops=3, limit=10)
        wide = await expanded(index, WHERE, [seed(one)], hops=3, limit=10)

    assert [found.memory_id for found in narrow] == [near.memory_id]
    assert {found.memory_id for found in wide} == {near.memory_id, strangers[2].memory_id}


async def test_what_has_ended_is_neither_reached_nor_passed_through() -> None:
    one = a_memory("one", key=("k0",))
    ended = a_memory("ended", key=("k0", "k1")).ended(at=NOON + timedelta(hours=1), now=NOON + timedelta(hours=1))
    behind = a_memory("behind", key=("k1",))
    then, later = (AsOf(NOON + timedelta(minutes=minutes)) for minutes in (30, 90))
    async with holding(one, ended, behind) as index:
        before = await expanded(index, Where(HERE, then, current=False), [seed(one)], hops=2, limit=10)
        after = await expanded(index, Where(HERE, later, current=False), [seed(one)], hops=2, limit=10)

    assert names(before, ended, behind) == ["ended", "behind"]
    assert after == []


async def test_the_filter_of_the_search_holds_on_every_hop() -> None:
    one, secret = a_memory("one", key=("k0",)), a_memory("secret", key=("k0", "k1"), kind="secret")
    behind, plain = a_memory("behind", key=("k1",)), a_memory("plain", key=("k0",))
    where = Where(HERE, filter=NotAny((Compare("kind", "eq", "secret"),)))
    async with holding(one, secret, behind, plain) as index:
        reached = await expanded(index, where, [seed(one)], hops=3, limit=10)

    assert names(reached, plain) == ["plain"]


async def test_a_share_is_halved_at_each_hop_and_thinned_by_common_keys() -> None:
    one = a_memory("one", key=("rare", "common"))
    near = a_memory("near", key=("RARE ", "next"))
    crowd = [a_memory(f"crowd {n}", key=("common",)) for n in range(40)]
    far = a_memory("far", key=("next",))
    async with holding(one, near, *crowd, far) as index:
        reached = await expanded(index, WHERE, [seed(one, 0.8)], hops=2, limit=100)

    shares = {found.memory_id: (found.hop, found.share) for found in reached}
    by_near = 0.8 * 0.5 / (1 + 0.001 * 1)  # two memories have "rare"
    assert shares[near.memory_id] == (1, pytest.approx(by_near))
    assert shares[far.memory_id] == (2, pytest.approx(by_near * 0.5 / (1 + 0.001 * 1)))
    assert shares[crowd[0].memory_id] == (1, pytest.approx(0.8 * 0.5 / (1 + 0.001 * 40**2)))


async def test_the_nearest_and_best_linked_come_first_and_within_the_limit() -> None:
    weak, strong = a_memory("weak", key=("k0",)), a_memory("strong", key=("k1",))
    by_weak, by_strong, by_both = (a_memory(name, key=key) for name, key in PATHS)
    behind = a_memory("behind", key=("k2",))
    async with holding(weak, strong, by_weak, by_strong, by_both, behind) as index:
        seeds = [seed(weak, 0.2), seed(strong, 1.0)]
        everything = await expanded(index, WHERE, seeds, hops=3, limit=10)
        two = await expanded(index, WHERE, seeds, hops=3, limit=2)

    assert names(everything[-2:], by_weak, behind) == ["by weak", "behind"]
    assert {one.via for one in everything[:2]} == {"k1"}
    assert two == everything[:2]


PATHS = (("by weak", ("k0", "k2")), ("by strong", ("k1",)), ("by both", ("k0", "k1")))


async def test_keys_that_no_index_could_be_asked_for_are_not_followed() -> None:
    endless = "长" * 20_000
    one, other = a_memory("one", key=("k",)), a_memory("other", key=(endless, "K"))
    async with holding(one, other) as index:
        start = Seed((endless, "\u200b", "half of a pair \ud800", *one.key), one.memory_id)
        reached = await expanded(index, WHERE, [start], hops=3, limit=10)

    assert [(found.memory_id, found.via) for found in reached] == [(other.memory_id, "k")]
    assert index.links == [1]


def test_hits_pass_on_their_score_as_a_share_of_the_best() -> None:
    first, second, last = (a_memory(name, key=(name,)) for name in ("first", "second", "last"))

    seeds = from_hits([Hit(first, 4.0), Hit(second, 1.0), Hit(last, -1.0)])

    assert [(one.memory_id, one.keys, one.share) for one in seeds] == [
        (first.memory_id, ("first",), 1.0),
        (second.memory_id, ("second",), 0.25),
        (last.memory_id, ("last",), 0.0),
    ]
    assert from_hits([]) == []
    assert from_hits([Hit(first, 0.0)])[0].share == 1.0
