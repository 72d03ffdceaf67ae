"""From a plan of forgetting to what is erased: which events go, which go on with fewer words, and which stay."""

from collections.abc import Sequence
from typing import Any

import pytest

from agentmem.domain.entity import graph_lane
from agentmem.domain.episode import episode_id
from agentmem.domain.event import AssetReceived, Event, PerceptSensed
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Lane, Scope
from agentmem.memory.erase import erasure_of
from agentmem.memory.forget_plan import ForgetPlan, Meant
from agentmem.memory.readings import span_id
from agentmem.ports.erasure import Erasure
from agentmem.ports.event_log import Sequenced, UnreadEvent
from tests.support.nodes import AGENT, LUO, NOON, TARGET, TENANT, a_memory, a_turn

LANE = Lane(TENANT, AGENT, TARGET)
BESIDE = Lane(TENANT, AGENT, entity_id(TENANT, AGENT, "王芳"))
HEADING = "pumps.md"


class Received:
    """As much of an event log as tells what a lane received."""

    def __init__(self, *events: Event, unread: Sequence[UnreadEvent] = ()) -> None:
        self.events = [Sequenced(seq, event, NOON) for seq, event in enumerate(events, start=1)]
        self.unread = list(unread)

    async def of_lane(self, lane: Lane, *, after: int, limit: int) -> list[Sequenced]:
        return [each for each in self.events if each.event.lane == lane and each.seq > after][:limit]

    async def unreadable(self, lane: Lane) -> list[UnreadEvent]:
        return self.unread if lane == LANE else []

    async def received(self, lane: Lane) -> int:
        return len(await self.of_lane(lane, after=0, limit=99))


def a_plan(*, wish: str | None = "x", early: bool = False) -> ForgetPlan:
    meant = Meant(Scope(TENANT, AGENT, TARGET), query=wish)
    return ForgetPlan(meant, erase=True, now=NOON, head=0, early=early)


async def erased(plan: ForgetPlan, *events: Event, unread: Sequence[UnreadEvent] = ()) -> Erasure:
    log: Any = Received(*events, unread=unread)
    return await erasure_of(plan, log)


def turn_of(event: Any) -> MemoryNode:
    return a_memory(event.text, memory_id=episode_id(event), memory_type=MemoryType.CONVERSATION)


def a_reading(sensor: str) -> PerceptSensed:
    return PerceptSensed(
        event_id=sensor,
        tenant=TENANT,
        agent_id=AGENT,
        agent_name="小美",
        target_id=TARGET,
        at=NOON,
        person=LUO,
        sensor=sensor,
        reading="7",
        unit="m",
    )


def a_document(asset: str, text: str, target: str = TARGET) -> AssetReceived:
    return AssetReceived(
        event_id=asset,
        tenant=TENANT,
        agent_id=AGENT,
        agent_name="小美",
        target_id=target,
        at=NOON,
        asset_id=asset,
        title=asset,
        version="0" * 64,
        media_type="text/markdown",
        text=text,
    )


def a_piece(asset: str, text: str, **fields: object) -> MemoryNode:
    meta = {"assetId": asset, "heading": HEADING}
    return a_memory(f"{HEADING}\n{text}", memory_type=MemoryType.LONGTERM, meta_data=meta, **fields)


def numbers_of(erasure: Erasure) -> tuple[tuple[int, ...], list[tuple[int, str]]]:
    """The numbers of the events that go, and what is left of those that go on."""
    return erasure.seqs, [(seq, getattr(event, "text", "")) for seq, event in erasure.rewritten]


async def test_the_events_of_what_goes_go_and_of_what_is_cut_the_rest_goes_on() -> None:
    goes, is_cut, stays = (
        a_turn(text, number) for number, text in enumerate(("I like tea.", "I sail, I sing.", "Hm."))
    )
    hers = a_turn("Hello.", 9, run="hers", target_id=BESIDE.target)
    plan = a_plan()
    plan.drop(turn_of(goes))
    plan.cut(turn_of(is_cut), [(0, len("I sail, "))])
    assert numbers_of(await erased(plan, goes, hers, is_cut, stays)) == ((1,), [(3, "I sing.")])


async def test_a_turn_that_loses_words_is_cut_where_nothing_else_goes() -> None:
    is_cut = a_turn("I sail, I sing.")
    plan = a_plan()
    plan.cut(turn_of(is_cut), [(0, len("I sail, "))])
    assert numbers_of(await erased(plan, is_cut)) == ((), [(1, "I sing.")])


async def test_of_the_readings_those_of_a_memory_that_goes_go() -> None:
    goes, stays = a_reading("scales"), a_reading("thermometer")
    plan = a_plan()
    plan.drop(a_memory("7 m", memory_id=span_id(goes), memory_type=MemoryType.PERCEPTUAL))
    assert numbers_of(await erased(plan, stays, goes)) == ((2,), [])


async def test_a_document_loses_the_pieces_that_go_and_what_is_cut_out_of_others() -> None:
    text = "Tom Berg built it. It pumps. Ann paid, Jim signed."
    plan = a_plan()
    plan.drop(a_piece("pumps", "Tom Berg built it."))
    signed = a_piece("pumps", "Ann paid, Jim signed.")
    plan.cut(signed, [(len(f"{HEADING}\n"), len(f"{HEADING}\nAnn paid, "))])
    events = a_document("pumps", text), a_document("valves", text)
    assert numbers_of(await erased(plan, *events)) == ((), [(1, " It pumps. Jim signed.")])


async def test_a_piece_goes_before_one_that_is_a_part_of_it() -> None:
    plan = a_plan()
    for text in ("Tom Berg", "Tom Berg built it."):
        plan.drop(a_piece("pumps", text))
    assert numbers_of(await erased(plan, a_document("pumps", "Tom Berg built it. It pumps."))) == (
        (),
        [(1, " It pumps.")],
    )


async def test_pieces_take_nothing_from_a_document_in_another_lane() -> None:
    plan = a_plan()
    plan.drop(a_piece("pumps", "Tom Berg built it."))
    plan.drop(turn_of(a_turn("Hello.", 9, run="hers", target_id=BESIDE.target)).revised(target_id=BESIDE.target))
    elsewhere = a_document("pumps", "Tom Berg built it. It pumps.", BESIDE.target)
    assert numbers_of(await erased(plan, elsewhere)) == ((), [])


UNREAD = tuple(UnreadEvent(seq, f"talk/{seq}", "turn_spoken") for seq in (1, 2, 3))
UNREAD_DOCUMENT = UnreadEvent(4, "pumps", "asset_received")


async def test_an_event_that_cannot_be_read_goes_where_its_turn_goes_or_would_be_cut() -> None:
    first, second = (a_turn("I sail, I sing.", number) for number in (1, 2))
    plan = a_plan()
    plan.drop(turn_of(first))
    plan.cut(turn_of(second), [(0, len("I sail, "))])
    assert numbers_of(await erased(plan, unread=(*UNREAD, UNREAD_DOCUMENT))) == ((1, 2), [])


async def test_a_document_that_cannot_be_read_goes_where_any_piece_of_one_does() -> None:
    plan = a_plan()
    plan.drop(a_piece("valves", "Tom Berg built it."))
    assert numbers_of(await erased(plan, unread=(*UNREAD, UNREAD_DOCUMENT))) == ((4,), [])


async def test_what_is_only_looked_at_again_keeps_its_history_and_what_says_something_else_does_not() -> None:
    again, reworded = a_memory("sleeps late", obs_reflected=1), a_memory("likes tea, sails")
    noted, goes = a_memory("sails"), a_memory("smokes")
    plan = a_plan()
    plan.edit(again, obs_reflected=0)
    plan.cut(reworded, [(0, len("likes tea, "))])
    plan.named = {noted.memory_id, goes.memory_id}
    plan.drop(goes)
    assert (await erased(plan)).collapsed == tuple(sorted((reworded.memory_id, noted.memory_id)))


async def test_entities_that_tell_of_other_memories_besides_are_told_anew_of_these() -> None:
    goes, stays = a_memory("knows Ann"), a_memory("knows Bob")
    graph = graph_lane(TENANT, AGENT).target
    sources = (goes.memory_id, stays.memory_id)
    plan = a_plan()
    for node in (goes, a_memory("罗小东", memory_type=MemoryType.ENTITY, target_id=graph, source_ids=sources)):
        plan.drop(node)
    plan.drop(a_memory("of habit", memory_type=MemoryType.INSIGHT, source_ids=(a_memory("z").memory_id,)))
    assert (await erased(plan)).told_with == (stays.memory_id,)


@pytest.mark.parametrize(
    ("wish", "early", "whole"), [(None, False, (LANE,)), (None, True, ()), ("x", False, ()), ("x", True, ())]
)
async def test_a_lane_goes_whole_where_all_of_a_person_does(
    wish: str | None, whole: tuple[Lane, ...], *, early: bool
) -> None:
    goes, stays = a_turn("I like tea."), a_turn("Hm.", 1)
    plan = a_plan(wish=wish, early=early)
    plan.drop(turn_of(goes))
    erasure = await erased(plan, goes, stays)
    assert (erasure.lanes, erasure.received) == (whole, 2 * len(whole))
    assert erasure.seqs == (() if whole else (1,))
