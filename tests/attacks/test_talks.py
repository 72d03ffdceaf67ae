"""What one person says to an agent, and is answered, reaches no other: keys, caches and grants are no way to it."""

from pathlib import Path

import pytest

from agentmem.agents.talk.talk import Talk
from agentmem.domain.event import Person
from agentmem.domain.scope import Grant, Lane, Principal
from agentmem.errors import NotFound
from agentmem.runtime.facade.app import App
from tests.fixtures.talking_model import speaker
from tests.support.known import target_of
from tests.support.nodes import AGENT, TENANT
from tests.support.spine import LATER, spine

SECRET = "my bank PIN is 4711"
BOB = Principal("bob", TENANT, {AGENT: frozenset({Grant.TALK})}, about="Bob")


async def replied(app: App, person: str, text: str, key: str, run_id: str | None = None) -> str:
    async with app.talks.reply(AGENT, person, text, key=key, run_id=run_id) as reply:
        return await reply.whole()


async def replied_to_last(app: App, person: str, key: str, run_id: str = "z") -> str:
    async with app.talks.reply_to_last(AGENT, person, run_id=run_id, key=key) as reply:
        return await reply.whole()


async def test_the_key_of_somebody_elses_turn_gives_nothing_of_it(tmp_path: Path) -> None:
    model = speaker("noted, Alice", "hello, Bob")
    async with spine(tmp_path, speaks=model.chat) as app:
        await replied(app, "Alice", SECRET, "alice-1")
        (turn,) = await app.journal.events.of_lane(Lane(TENANT, AGENT, target_of("Alice")), after=0, limit=1)
        bob = app.for_principal(BOB)
        for key in ("alice-1", "alice-1/reply", turn.event.event_id, f"{turn.event.event_id}/reply"):
            assert await replied_to_last(bob, "Bob", key) == "hello, Bob"


async def test_a_key_that_another_person_used_is_free_for_this_one(tmp_path: Path) -> None:
    model = speaker("noted, Alice", "hello, Bob")
    async with spine(tmp_path, speaks=model.chat) as app:
        await replied(app, "Alice", SECRET, "1")
        bob = app.for_principal(BOB)
        assert [await replied(bob, "Bob", "hi", "1") for _ in range(2)] == ["hello, Bob"] * 2
        assert await replied(bob, "Bob", "hi", "2") == "hello, Bob"
    assert len(model.seen) == 3


async def test_what_others_planted_under_the_id_of_a_reply_is_not_given_as_one(tmp_path: Path) -> None:
    model = speaker("hello")
    async with spine(tmp_path, speaks=model.chat) as app:
        persona = await app.records.agent(AGENT)
        alice, bob = (Talk(TENANT, persona, Person(name=name), "z") for name in ("Alice", "Bob"))
        planted = (
            alice.turn(SECRET, 1, LATER, bob.event_id("1", "z"), by_agent=True, meta={}),
            bob.turn("own words", 1, LATER, bob.event_id("2", "z"), by_agent=False, meta={}),
        )
        await app.journal.events.append(planted, now=LATER)
        for key in ("1", "2"):
            async with app.talks.reply_to_last(AGENT, "Bob", run_id="z", key=key) as reply:
                assert await anext(reply.pieces) == "hel"


async def test_a_reply_ends_where_the_grant_to_talk_is_taken_back(tmp_path: Path) -> None:
    async with spine(tmp_path, speaks=speaker("a reply in several pieces").chat) as app:
        bob = app.for_principal(BOB)
        async with bob.talks.reply(AGENT, "Bob", "hi") as reply:
            assert await anext(reply.pieces)
            await app.revoke("bob")
            with pytest.raises(NotFound):
                await anext(reply.pieces)
            assert not reply.complete
