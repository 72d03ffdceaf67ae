"""The key of a call is the person's it was given for: nobody learns of another's, and nobody can take one first."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Grant, Principal, Scope
from agentmem.errors import InvalidInput
from agentmem.interfaces.python.async_memory import AsyncMemory
from agentmem.ledger.listing import ALL
from agentmem.memory.forget import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.speech import Utterance
from tests.support.nodes import AGENT, LUO, TARGET, TENANT, a_turn
from tests.support.spine import spine

EVERYTHING = frozenset(Grant)
KEYS = ("1", "hook/1", "say/1", "订单", "x" * 150, "1/end")


def bound(app: App, person: str) -> App:
    """The app as somebody has it who may touch what is about this person alone."""
    return app.for_principal(Principal(person, TENANT, {AGENT: EVERYTHING}, about=person))


async def _say(app: App, person: str, text: str, key: str) -> bool:
    accepted = await app.say(AGENT, person, text, key=key, run_id="one", end=True)
    return accepted.turn.duplicate


async def _say_several(app: App, person: str, text: str, key: str) -> bool:
    return (await app.say(AGENT, person, [Utterance(text, key=key)], run_id="one")).turn.duplicate


async def _accept(app: App, person: str, text: str, key: str) -> bool:
    target = app.access.own_target(AGENT)
    [accepted] = await app.accept([a_turn(text, event_id=key, person=Person(name=person), target_id=target)])
    return accepted.duplicate


WAYS: dict[str, Callable[[App, str, str, str], Awaitable[bool]]] = {
    "say": _say,
    "say several": _say_several,
    "accept": _accept,
}


@pytest.mark.parametrize("way", WAYS)
async def test_a_key_of_one_person_is_unknown_to_another(tmp_path: Path, way: str) -> None:
    async with spine(tmp_path) as app:
        ben, ann, bob = (bound(app, person) for person in ("Ben", "Ann", "Bob"))
        for key in KEYS:
            assert not await WAYS[way](ben, "Ben", f"mine {key}", key)
            assert not await WAYS[way](ann, "Ann", f"other words {key}", key)
            assert not await WAYS[way](bob, "Bob", f"mine {key}", key)
            assert await WAYS[way](ben, "Ben", f"mine {key}", key)
            with pytest.raises(InvalidInput, match="other content"):
                await WAYS[way](ben, "Ben", "something else", key)


@pytest.mark.parametrize("key", ["", " 1", "x" * 201, "a\nb", "\ud800", "a\x00b"])
async def test_what_is_no_key_is_refused(tmp_path: Path, key: str) -> None:
    async with spine(tmp_path) as app:
        with pytest.raises(InvalidInput):
            await app.say(AGENT, "Ben", "hello", key=key)


async def test_a_key_of_a_turn_from_before_is_recognised_for_its_person_alone(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        [old] = await app.accept([a_turn("it was said under the old way", event_id="hook/1", run="one")])
        again = await app.say(AGENT, LUO, "it was said under the old way", key="hook/1", run_id="one")
        assert (again.turn.seq, again.turn.duplicate) == (old.seq, True)
        others = await app.say(AGENT, "Ben", "it was said under the old way", key="hook/1", run_id="one")
        assert not others.turn.duplicate
        with pytest.raises(InvalidInput, match="other content"):
            await app.say(AGENT, LUO, "other words", key="hook/1", run_id="one")


async def test_what_was_erased_stays_erased_when_its_key_comes_again(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.accept([a_turn("the old canary", event_id="hook/1", run="one")])
        await app.say(AGENT, LUO, "the new canary", key="hook/2", run_id="one", end=True)
        await app.drain()
        await app.forget(Meant(Scope(TENANT, AGENT, TARGET)), erase=True)
        for key, text in (("hook/1", "the old canary"), ("hook/2", "the new canary")):
            assert (await app.say(AGENT, LUO, text, key=key, run_id="one", end=True)).turn.duplicate
        await app.drain()
        assert not await app.memories(Selection(Scope(TENANT, AGENT, TARGET), limit=ALL))


async def test_the_python_memory_keeps_keys_apart_by_person(tmp_path: Path) -> None:
    async with AsyncMemory(path=tmp_path / "data") as memory:
        for person in ("Tom", "Ann"):
            added = await memory.add(f"My name is {person}", user_id=person, key="1", infer=False)
            assert [event.memory for event in added.results] == [f"My name is {person}"]
            assert await memory.add(f"My name is {person}", user_id=person, key="1", infer=False) == added
        for person in ("Tom", "Ann"):
            assert len((await memory.list(user_id=person, layers=[MemoryType.CONVERSATION])).results) == 1
