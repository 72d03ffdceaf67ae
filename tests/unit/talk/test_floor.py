"""Whose turn it is: one at a time in each talk, in the order asked, and nobody waits for ever."""

import asyncio

import pytest

from agentmem.agents.talk.conversation_so_far import ConversationLocks
from agentmem.domain.scope import Lane
from agentmem.errors import Busy, InvalidInput
from tests.support.nodes import AGENT, TARGET, TENANT

LANE = Lane(TENANT, AGENT, TARGET)


async def test_turns_of_one_talk_come_in_the_order_they_were_asked_for() -> None:
    floors, order = ConversationLocks(), list[str]()

    async def turn(name: str) -> None:
        async with floors.taken(LANE, seconds=10):
            order.append(f"{name} begins")
            await asyncio.sleep(0)
            order.append(f"{name} ends")

    await asyncio.gather(*map(turn, "ab"))
    assert order == ["a begins", "a ends", "b begins", "b ends"]


async def test_who_waits_too_long_is_told_to_try_again_and_holds_up_nobody() -> None:
    floors, over = ConversationLocks(), asyncio.Event()

    async def long_turn() -> None:
        async with floors.taken(LANE, seconds=10):
            await over.wait()

    long = asyncio.create_task(long_turn())
    await asyncio.sleep(0)
    with pytest.raises(Busy, match="taken longer"):
        async with floors.taken(LANE, seconds=0.01):
            pass
    over.set()
    await long
    async with floors.taken(LANE, seconds=10):
        pass


async def test_who_has_the_floor_does_not_wait_for_himself() -> None:
    floors = ConversationLocks()
    async with floors.taken(LANE, seconds=10):
        with pytest.raises(InvalidInput, match="still open"):
            async with floors.taken(LANE, seconds=10):
                pass


async def test_a_turn_that_fails_gives_the_floor_back() -> None:
    floors = ConversationLocks()
    with pytest.raises(ZeroDivisionError):
        async with floors.taken(LANE, seconds=10):
            raise ZeroDivisionError
    async with floors.taken(LANE, seconds=10):
        pass
