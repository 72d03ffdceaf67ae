"""What is said with a clock that runs ahead is kept and marked, and does not outrank what is said later."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentmem.domain.bounds import MAX_TIME
from agentmem.domain.event import AHEAD, ConversationEnded, Event, PerceptSensed, Person, TurnSpoken, received
from agentmem.domain.memory import MemoryType, StoreStatus
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.ports.ledger import Selection
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import Settings
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.clocks import ManualClock
from tests.support.index_kind import an_index
from tests.support.nodes import NOON, a_turn
from tests.support.spine import SCOPE, quiet_persona

YEARS = timedelta(days=3_652)


async def told(app: App, clock: ManualClock, said: Sequence[tuple[timedelta, str]]) -> None:
    """Say these texts a minute apart, each with a clock that is so much ahead, and have all of them read."""
    for number, (ahead, text) in enumerate(said, start=1):
        clock.set(clock.now() + timedelta(minutes=1))
        ended = {"event_id": f"{number}/end", "at": clock.now() + ahead, "run_id": f"run {number}"}
        turn = a_turn(text, number, run=f"run {number}", at=clock.now() + ahead, by_agent=False)
        common = turn.model_dump(include={"tenant", "agent_id", "agent_name", "target_id"}) | ended
        await app.accept([turn, ConversationEnded.model_validate(common)])
    await app.drain()


async def phones(app: App) -> dict[str | None, StoreStatus]:
    """The phone numbers that are held, and whether they are valid."""
    nodes = await app.memories(Selection(SCOPE, types=(MemoryType.OBSERVATION,)))
    return {node.value: node.store_status for node in nodes if node.attribute == "phone"}


@pytest.mark.parametrize("ahead", [timedelta(hours=1), YEARS, MAX_TIME - NOON - timedelta(days=400)])
async def test_a_turn_from_the_future_does_not_outrank_what_is_said_later(tmp_path: Path, ahead: timedelta) -> None:
    clock = ManualClock(NOON)
    async with open_app(Settings(tenant=SCOPE.tenant, data=tmp_path / "data", index=an_index()), clock=clock) as app:
        await app.know_agent(quiet_persona())
        await told(app, clock, [(ahead, "我的电话是13800138000"), (timedelta(), "我的电话换成了13900139000")])
        held = await phones(app)
        assert held["13900139000"] is StoreStatus.VALID
        assert held["13800138000"] is StoreStatus.EXPIRED
        turns = await app.memories(Selection(SCOPE, types=(MemoryType.CONVERSATION,)))
        marked = {node.content: node.meta_data.get("claimedAt") for node in turns}
        claimed = marked["我的电话是13800138000"]
        assert isinstance(claimed, str)
        assert datetime.fromisoformat(claimed) == NOON + timedelta(minutes=1) + ahead
        assert marked["我的电话换成了13900139000"] is None
        assert all(node.valid_at <= clock.now() for node in turns)
        first = (await app.recall(RecallQuery(SCOPE, "电话", 1))).hits[0].memory
        assert "13900139000" in first.content


async def test_what_is_filled_in_from_the_past_stays_in_the_past(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with open_app(Settings(tenant=SCOPE.tenant, data=tmp_path / "data", index=an_index()), clock=clock) as app:
        await app.know_agent(quiet_persona())
        await told(app, clock, [(timedelta(), "我的电话是13900139000"), (-YEARS, "我的电话是13800138000")])
        held = await phones(app)
        assert held["13900139000"] is StoreStatus.VALID
        assert held["13800138000"] is StoreStatus.EXPIRED


async def test_a_turn_that_is_sent_again_is_the_same_turn(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with open_app(Settings(tenant=SCOPE.tenant, data=tmp_path / "data", index=an_index()), clock=clock) as app:
        await app.know_agent(quiet_persona())
        turn = a_turn("你好", 1, at=NOON + YEARS)
        first = await app.accept([turn])
        clock.set(NOON + timedelta(hours=1))
        again = await app.accept([turn])
        assert (again[0].seq, again[0].duplicate) == (first[0].seq, True)


async def test_a_time_given_in_python_is_held_to_the_same(tmp_path: Path) -> None:
    clock = ManualClock(NOON)
    async with AsyncMemory(path=tmp_path / "data", clock=clock) as memory:
        await memory.add("My phone number is 555 0100", user_id="ben", timestamp=NOON + YEARS)
        clock.set(NOON + timedelta(hours=1))
        await memory.add("My phone number is 555 0199", user_id="ben")
        found = await memory.search("phone number", user_id="ben")
        assert "555 0199" in str(found.results[0]), found


MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(9000, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - the strategy adds the zone


@settings(deadline=None)
@given(now=MOMENTS, at=MOMENTS)
def test_no_event_is_received_from_further_ahead_than_clocks_differ(now: datetime, at: datetime) -> None:
    turn = a_turn("你好", 1, at=at)
    percept = PerceptSensed(
        event_id="p",
        tenant=turn.tenant,
        agent_id=turn.agent_id,
        agent_name=turn.agent_name,
        target_id=turn.target_id,
        at=at,
        person=Person(name="Ben"),
        sensor="thermometer",
        reading=20.0,
    )
    given_events: list[Event] = [turn, percept]
    for event in given_events:
        kept = received(event, now)
        assert kept.at <= now + AHEAD
        assert (kept.claimed_at or kept.at) == at
        assert received(kept, now) == kept
        assert isinstance(kept, TurnSpoken) == isinstance(event, TurnSpoken)
