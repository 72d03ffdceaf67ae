"""What is written is what is read, in all adapters the same, until it is taken out."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from agentmem.adapters.memory_index.mapping import payload_of
from agentmem.domain.filter import parse_filter
from agentmem.domain.ids import derived_id
from agentmem.domain.memory import ActionStatus, MemoryNode
from agentmem.domain.value import JsonValue
from agentmem.errors import EmbedderChanged
from agentmem.ports.memory_index import CUES, PLACE, Copied, MemoryIndex, PointSource, Probe, Sparse, Touchable, Where
from tests.support.indexes import (
    EVERYTHING,
    HERE,
    Place,
    Vectors,
    a_point,
    numbered_memories,
    rows,
    visible,
    words,
)
from tests.support.nodes import NOON, a_memory

UNKNOWN = derived_id("nobody", "knows")
NESTED: dict[str, JsonValue] = {
    "深": {"层": [1, 2.5, -3e-9, 2**53, True, False, None, "", "𠮷", [], {}], "無": None},
    "dotted.name": "x",
    "_like": "ours",
}
RICH = a_memory(
    "他说:“明天(2026-03-10)见” 😀 \u000b",
    key=("社保管理系统", "é", "e\u0301"),
    entity_ids=(derived_id("e", 1), derived_id("e", 2)),
    relation="WORKS_FOR",
    valid_at=datetime.fromisoformat("2026-03-09T12:00:00.123456+08:00"),
    invalid_at=datetime.fromisoformat("2026-03-10T00:00:00+08:00"),
    evidence=({"memoryId": derived_id("turn", 1), "start": 0, "end": 4},),
    latitude=31.2304,
    longitude=-121.4737,
    meta_data=NESTED,
)


def _wire(memory: MemoryNode) -> dict[str, object]:
    return memory.model_dump(mode="json", exclude_none=True)


async def test_a_payload_comes_back_as_the_wire_form_of_its_memory(index: MemoryIndex) -> None:
    await index.upsert([a_point(RICH)])
    payloads = await index.fetch([RICH.memory_id])
    assert payloads == {RICH.memory_id: _wire(RICH)}
    assert MemoryNode.model_validate(payloads[RICH.memory_id]) == RICH


async def test_what_belongs_to_the_work_and_not_to_the_memory_is_not_stored(index: MemoryIndex) -> None:
    busy = RICH.revised(action_status=ActionStatus.MODIFIED, vector=(1.0,), key_vector=((1.0,),), score_rank=0.5)
    await index.upsert([a_point(busy)])
    assert await index.fetch([busy.memory_id]) == {busy.memory_id: _wire(RICH)}


async def test_only_the_fields_asked_for_are_fetched_in_the_order_asked_for(index: MemoryIndex) -> None:
    nodes = numbered_memories(5)
    await index.upsert([a_point(node) for node in nodes])
    asked = [node.memory_id for node in (nodes[3], nodes[0], nodes[4])]
    payloads = await index.fetch([asked[0], UNKNOWN, *asked[1:]], ["content", "timestamp", "invalidAt"])
    assert list(payloads) == asked
    assert payloads[asked[0]] == {"content": "memory 3", "timestamp": 3}
    assert await index.fetch([]) == {}


async def test_the_terms_of_a_point_come_back_as_they_were_written(index: MemoryIndex) -> None:
    nodes = numbered_memories(3)
    held = {node.memory_id: Sparse((3, 7 + place), (0.5, 1.25)) for place, node in enumerate(nodes)}
    await index.upsert([replace(a_point(node), lexical=held[node.memory_id]) for node in nodes])
    asked = [nodes[2].memory_id, UNKNOWN, nodes[0].memory_id]
    assert await index.terms(asked) == {key: held[key] for key in asked if key in held}
    assert list(await index.terms(asked)) == [asked[0], asked[2]]
    assert await index.terms([]) == {}


async def test_a_point_without_words_has_no_terms(index: MemoryIndex) -> None:
    await index.upsert([a_point(RICH, Vectors(words={}))])
    assert await index.terms([RICH.memory_id]) == {RICH.memory_id: Sparse((), ())}


async def test_a_second_write_replaces_the_whole_memory(index: MemoryIndex) -> None:
    first = RICH.revised(run_id="talk", attribute="phone", value="12345678901")
    second = a_memory("new", memory_id=RICH.memory_id, run_id=None)
    await index.upsert([a_point(first)])
    await index.upsert([a_point(second, Vectors(keys=(), words={}))])
    assert await index.fetch([RICH.memory_id]) == {RICH.memory_id: _wire(second)}
    found = await index.search(Where(replace(HERE, run="elsewhere")), EVERYTHING, limit=5)
    assert [len(found.content), len(found.keys), len(found.lexical)] == [1, 0, 0]
    assert await index.count() == 1


async def test_removed_memories_are_gone_and_unknown_ones_do_not_matter(index: MemoryIndex) -> None:
    nodes = numbered_memories(4)
    await index.upsert([a_point(node) for node in nodes])
    await index.remove([nodes[0].memory_id, nodes[2].memory_id, UNKNOWN])
    await index.remove([])
    left = {nodes[1].memory_id, nodes[3].memory_id}
    assert await visible(index, Where(HERE)) == left
    assert set(await index.fetch([node.memory_id for node in nodes])) == left
    assert await index.count() == 2


async def test_a_scan_passes_every_memory_once_in_the_order_of_ids(index: MemoryIndex) -> None:
    nodes = numbered_memories(2_500)
    await index.upsert([])
    await index.upsert([a_point(node) for node in nodes])
    assert await index.count() == 2_500
    seen: list[str] = []
    while page := await index.scan(after=seen[-1] if seen else None, limit=700):
        assert len(page) <= 700
        seen += [memory_id for memory_id, _ in page]
    assert seen == sorted(node.memory_id for node in nodes)


async def test_a_scan_goes_on_behind_a_memory_that_is_gone_by_now(index: MemoryIndex) -> None:
    nodes = sorted(numbered_memories(6), key=lambda node: node.memory_id)
    await index.upsert([a_point(node) for node in nodes])
    [(last, payload)] = await index.scan(after=nodes[0].memory_id, limit=1)
    assert payload == _wire(nodes[1])
    await index.remove([last])
    assert [memory_id for memory_id, _ in await index.scan(after=last, limit=2)] == [
        node.memory_id for node in nodes[2:4]
    ]


async def test_clearing_leaves_an_index_that_can_be_used(index: MemoryIndex) -> None:
    await index.upsert([a_point(node) for node in numbered_memories(3)])
    await index.clear()
    assert (await index.count(), await index.scan(after=None, limit=10)) == (0, [])
    await index.upsert([a_point(RICH)])
    assert await index.count() == 1


async def test_what_was_written_is_there_when_the_index_is_opened_again(place: Place) -> None:
    async with place.index() as first:
        await first.upsert([a_point(RICH)])
        await first.flush()
        await first.upsert([a_point(node) for node in numbered_memories(3)])
    for _ in range(2):
        async with place.index() as again:
            assert await again.count() == 4
            assert await again.fetch([RICH.memory_id]) == {RICH.memory_id: _wire(RICH)}


async def test_a_discarded_index_begins_anew(place: Place) -> None:
    await place.index().discard()
    async with place.index() as first:
        await first.upsert([a_point(RICH)])
    await place.index().discard()
    async with place.index(size=16) as again:
        assert await again.count() == 0


async def test_vectors_of_another_length_are_refused_and_the_index_left_as_it_was(place: Place) -> None:
    async with place.index() as first:
        await first.upsert([a_point(RICH)])
    with pytest.raises(EmbedderChanged, match=r"length 8, not 16"):
        async with place.index(size=16):
            pass
    async with place.index() as again:
        assert await again.count() == 1


def test_a_payload_names_no_field_of_the_memory_like_one_of_the_filters() -> None:
    added = payload_of(a_point(RICH)).keys() - _wire(RICH).keys()
    assert all(name.startswith("_") for name in added)
    assert not any(name.startswith("_") for name in _wire(RICH))


async def test_turns_are_found_by_their_place_in_a_talk(index: MemoryIndex) -> None:
    turns = [
        a_memory(f"turn {number} of {run}", memory_type="conversation", run_id=run, meta_data={"turnIndex": number})
        for run in ("talk", "talk2")
        for number in range(5)
    ]
    elsewhere = a_memory("turn", memory_type="conversation", tenant="globex", meta_data={"turnIndex": 1})
    await index.upsert([a_point(turn) for turn in (*turns, elsewhere)])
    wanted = [turn for turn in turns if turn.run_id == "talk" and turn.meta_data["turnIndex"] in (1, 3)]
    places = (*(str(turn.place) for turn in wanted), str(elsewhere.place), "nowhere/talk/9")
    found = await index.select(Where(HERE, places=places), (PLACE,), limit=10)
    assert {key: payload[PLACE] for key, payload in found.items()} == {turn.memory_id: turn.place for turn in wanted}


async def test_what_ranking_reads_of_a_text_is_answered_only_where_it_is_asked_for(index: MemoryIndex) -> None:
    await index.upsert([replace(a_point(RICH), cues={"dated": True, "asks": False, "times": [[1, 2]]})])
    (cued,) = (await index.fetch([RICH.memory_id], (CUES, "importance"))).values()
    assert cued == {CUES: {"dated": True, "asks": False, "times": [[1, 2]]}, "importance": RICH.importance}
    assert CUES not in (await index.fetch([RICH.memory_id]))[RICH.memory_id]


async def test_a_touch_sets_when_a_memory_was_recalled_last_and_nothing_else(index: MemoryIndex) -> None:
    assert isinstance(index, Touchable)
    touched, other = RICH, a_memory("m")
    await index.upsert([a_point(touched), a_point(other)])
    await index.touch([touched.memory_id, UNKNOWN], NOON - timedelta(days=1))
    await index.touch([touched.memory_id], NOON.astimezone(timezone(timedelta(hours=8))))
    await index.touch([], NOON)
    payloads = await index.fetch([touched.memory_id, other.memory_id, UNKNOWN])
    assert MemoryNode.model_validate(payloads[touched.memory_id]) == touched.revised(last_access=NOON)
    assert payloads[other.memory_id] == _wire(other)
    assert await index.count() == 2
    for question in ({"lastAccess": {"gte": "2026-03-09T12:00:00Z"}}, {"lastAccess": "*"}):
        assert await visible(index, Where(HERE, filter=parse_filter(question))) == {touched.memory_id}
    written = touched.revised(last_access=NOON)
    await index.upsert([a_point(written)])
    assert await index.fetch([touched.memory_id]) == {touched.memory_id: _wire(written)}


async def test_a_touch_outlives_its_process(place: Place) -> None:
    async with place.index() as index:
        assert isinstance(index, Touchable)
        await index.upsert([a_point(RICH)])
        await index.touch([RICH.memory_id], NOON)
    async with place.index() as index:
        held = await index.fetch([RICH.memory_id], ["lastAccess"])
        assert held == {RICH.memory_id: {"lastAccess": "2026-03-09T12:00:00Z"}}


async def test_what_finds_a_memory_finds_its_copy_alike_to_the_last_bit(index: MemoryIndex) -> None:
    assert isinstance(index, PointSource)
    rough = {0: 0.3, 1: -2.0, 5: 1e-3}
    cues: dict[str, JsonValue] = {"dated": True}
    known = a_point(a_memory("他来过"), Vectors(rough, (rough, {2: 1.0}), {1: 0.7, 9: 1.4}))
    await index.upsert([replace(known, made_from=7, cues=cues)])
    origin, copies = known.memory.memory_id, [a_memory("他也来过") for _ in range(3)]
    for copy in copies:
        assert await index.repeat([Copied(copy, origin, 7)]) == {copy.memory_id}
        origin = copy.memory_id
    answer = await index.search(Where(HERE), Probe(rows({0: 1.0, 2: 0.5}), words({1: 1.0, 9: 0.1})), limit=9)
    for channel in (answer.content, answer.keys, answer.lexical):
        assert len(channel) == 4
        assert len({score for _, score in channel}) == 1
    payloads = await index.fetch([copies[-1].memory_id], ("content", CUES))
    assert payloads == {copies[-1].memory_id: {"content": "他也来过", CUES: cues}}


async def test_only_what_is_here_and_made_from_the_same_is_repeated(index: MemoryIndex) -> None:
    assert isinstance(index, PointSource)
    bare, large = a_memory("无键"), 2**63 - 1
    await index.upsert([replace(a_point(bare, Vectors(keys=(), words={})), made_from=large)])
    same, other, orphan = a_memory("无键"), a_memory("别的"), a_memory("孤儿")
    asked = [
        Copied(same, bare.memory_id, large),
        Copied(other, bare.memory_id, large - 1),
        Copied(orphan, UNKNOWN, large),
    ]
    assert await index.repeat(asked) == {same.memory_id}
    assert await index.repeat([]) == set()
    found = await index.search(Where(HERE), EVERYTHING, limit=9)
    assert [len(found.content), len(found.keys), len(found.lexical)] == [2, 0, 0]
