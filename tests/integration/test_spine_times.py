"""Asking about then: what was true, as far as was known, also of memories that have become something else since."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agentmem.domain.change import Act, Change
from agentmem.domain.event import AssetReceived
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType, StoreStatus
from agentmem.errors import InvalidInput
from agentmem.ports.ledger import Commit, Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import AGENT, NOON, TENANT, a_memory, a_turn, an_ending
from tests.support.spine import LATER, SCOPE, memories, payloads, spine

WORDS = "罗小东的电话是"


def day(number: float) -> datetime:
    return NOON + timedelta(days=number)


@pytest.fixture
async def app(tmp_path: Path) -> AsyncGenerator[App]:
    """On day 20."""
    async with spine(tmp_path, clock=ManualClock(day(20))) as opened:
        yield opened


async def write(app: App, at: datetime, before: MemoryNode | None, after: MemoryNode, act: Act = "merge") -> MemoryNode:
    change = Change(act="add" if before is None else act, before=before, after=after)
    await app.journal.ledger.commit(Commit(TENANT, f"{at} {after.memory_id}", "test", at, (change,)))
    return after


async def recalled(
    app: App, as_of: datetime | None = None, known_at: datetime | None = None, k: int = 10
) -> list[MemoryNode]:
    answer = await app.recall(RecallQuery(SCOPE, "电话", k, as_of, known_at))
    assert answer.abstained is not bool(answer.hits)
    return [hit.memory.revised(score_recall=None, score_rank=None, score_rerank=None) for hit in answer.hits]


async def listed(app: App, as_of: datetime | None = None, known_at: datetime | None = None) -> list[MemoryNode]:
    return list(await app.memories(Selection(SCOPE, as_of=as_of, known_at=known_at), valid=True))


async def moved(app: App) -> dict[str, MemoryNode]:
    """A number known from day 0. On day 10 it is learned that from day 5 on it was another one."""
    old = await write(app, day(0), None, a_memory(WORDS + "111", valid_at=day(0)))
    new = a_memory(WORDS + "222", valid_at=day(5), created_at=day(10), supersedes=(old.memory_id,))
    ended = await write(app, day(10), old, old.ended(at=day(5), now=day(10), by=new.memory_id), "end")
    return {"open": old, "ended": ended, "new": await write(app, day(10), None, new)}


@pytest.mark.parametrize(
    ("true", "known", "told"),
    [(2, 7, "open"), (2, 12, "ended"), (7, 7, "open"), (7, 12, "new"), (12, 7, "open"), (12, 12, "new")],
)
async def test_what_was_true_is_told_as_it_was_known(app: App, true: int, known: int, told: str) -> None:
    numbers = await moved(app)
    assert await recalled(app, day(true), day(known)) == [numbers[told]]
    assert await listed(app, day(true), day(known)) == [numbers[told]]


async def test_known_at_alone_is_to_ask_on_that_day(app: App) -> None:
    numbers = await moved(app)
    plan = await write(app, day(1), None, a_memory("换电话", valid_at=day(15), created_at=day(1)))
    for look in (recalled, listed):
        assert sorted(node.content for node in await look(app, None, day(3))) == [plan.content, numbers["open"].content]
        assert numbers["new"] in await look(app, None, day(12))
        assert numbers["ended"] not in await look(app, None, day(12))


@pytest.mark.parametrize(("as_of", "known_at"), [(-1, None), (-1, 12), (2, -1), (None, -1)])
async def test_before_everything_there_is_nothing(app: App, as_of: int | None, known_at: int | None) -> None:
    await moved(app)
    moments = (None if as_of is None else day(as_of), None if known_at is None else day(known_at))
    assert await recalled(app, *moments) == await listed(app, *moments) == []


async def test_a_memory_reworded_since_is_told_in_its_old_words(app: App) -> None:
    said = await write(app, day(0), None, a_memory(WORDS + "111", valid_at=day(0)))
    fuller = said.revised(content="电话换成了333", value="333", valid_at=day(-3), revision=2)
    await write(app, day(4), said, fuller, "refresh")
    for look in (recalled, listed):
        assert await look(app, None, day(3)) == [said]
        assert await look(app, day(-1), day(3)) == [], "that it held before was learned later"
        assert await look(app, day(-1), day(4)) == await look(app, None, day(4)) == await look(app) == [fuller]


async def test_hits_not_known_then_leave_their_place_to_those_that_were(app: App) -> None:
    for number in range(5):
        await write(app, day(10), None, a_memory(f"电话电话{number}", valid_at=day(0), created_at=day(0)))
    early = [await write(app, day(0), None, a_memory(f"他说过一回电话{n}", valid_at=day(0))) for n in range(3)]
    found = await recalled(app, None, day(1), k=3)
    assert {node.memory_id for node in found} == {node.memory_id for node in early}


@pytest.mark.parametrize(("seconds", "seen"), [(-1, False), (0, True)])
async def test_a_turn_is_known_from_when_it_was_accepted_read_or_not(tmp_path: Path, seconds: int, seen: bool) -> None:
    clock = ManualClock(LATER)
    async with spine(tmp_path, clock=clock) as app:
        await app.accept([a_turn("我的电话是111"), an_ending()])
        clock.advance(timedelta(days=1))
        at = LATER + timedelta(seconds=seconds)
        unread = await recalled(app, None, at)
        await app.drain()
        [turn] = await memories(app, MemoryType.CONVERSATION)
        assert (turn.valid_at, turn.created_at) == (NOON, LATER)
        assert [node.content for node in unread] == [node.content for node in await recalled(app, None, at)]
        assert [node.memory_id for node in unread] == ([turn.memory_id] if seen else [])
        assert turn in await recalled(app, NOON, clock.now())


async def test_a_piece_of_a_document_that_came_back_keeps_its_place_and_its_past(tmp_path: Path) -> None:
    clock = ManualClock(day(0))
    shelf = entity_id(TENANT, AGENT, "phones")

    def version(number: int, text: str) -> AssetReceived:
        return AssetReceived(
            event_id=f"asset/{number}", tenant=TENANT, agent_id=AGENT, agent_name="小美", target_id=shelf,
            at=day(number), asset_id="phones", title="phones", version=f"{number:064x}", media_type="text/plain",
            text=text,
        )  # fmt: skip

    async with spine(tmp_path, clock=clock) as app:
        first = list[MemoryNode]()
        for number, text in enumerate(["电话是111", "电话是222", "电话是111"]):
            clock.set(day(number))
            await app.accept([version(number, text)])
            await app.drain()
            first = first or [node for node in await memories(app, MemoryType.LONGTERM) if node.kind == "chunk"]
        kept = [node for node in await memories(app, MemoryType.LONGTERM) if node.memory_id == first[0].memory_id]
        assert [(node.timestamp, node.created_at, node.store_status) for node in kept] == [
            (first[0].timestamp, day(0), StoreStatus.VALID)
        ]
        assert await recalled(app, None, day(0.5)) == await listed(app, None, day(0.5)) == first


async def accesses(app: App) -> dict[str, object]:
    return {memory_id: payload.get("lastAccess") for memory_id, payload in (await payloads(app)).items()}


async def test_what_is_recalled_is_touched_in_the_index_and_nowhere_else(tmp_path: Path) -> None:
    clock = ManualClock(day(20))
    async with spine(tmp_path, clock=clock) as app:
        old, new = (node for name, node in (await moved(app)).items() if name != "open")
        assert await recalled(app) == [new]
        head = await app.journal.ledger.head()
        clock.advance(timedelta(seconds=299))
        assert await recalled(app) == [new]
        assert await accesses(app) == {old.memory_id: None, new.memory_id: "2026-03-29T12:00:00Z"}
        clock.advance(timedelta(seconds=1))
        assert await recalled(app) == [new]
        assert await accesses(app) == {old.memory_id: None, new.memory_id: "2026-03-29T12:05:00Z"}
        assert (await app.index.verify()).ok
        assert await app.journal.ledger.head() == head
        await app.index.rebuild(lambda _done, _of: None)
        assert await accesses(app) == {old.memory_id: None, new.memory_id: None}
        assert (await app.index.verify()).ok
        assert await recalled(app) == [new]


@pytest.mark.parametrize("name", ["as_of", "known_at"])
def test_a_time_without_an_offset_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match=f"{name}: 2026-03-09T12:00:00 must have a UTC offset"):
        replace(RecallQuery(SCOPE, "电话"), **{name: NOON.replace(tzinfo=None)})
