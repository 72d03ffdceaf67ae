"""Forgetting waits for nobody who works on the same person, and what was thought before brings nothing back."""

import asyncio
from pathlib import Path

import pytest

from agentmem.adapters.cognition.rules import RulesCognition
from agentmem.domain.episode import blotted_whole, is_blotted
from agentmem.domain.event import Person
from agentmem.domain.memory import MemoryType
from agentmem.domain.scope import Scope
from agentmem.domain.statement import Window
from agentmem.memory.forget_plan import Meant
from agentmem.ports.cognition import Read
from agentmem.runtime.facade.app import App
from tests.support.nodes import AGENT, TARGET, TENANT
from tests.support.spine import SCOPE, memories, spine

LUO = Person(name="罗小东")
PERSON = Scope(TENANT, AGENT, TARGET)
PHONE = "555-0142"
WISH = Meant(PERSON, query="forget my phone number")
SAID = f"My phone number is {PHONE}. I live in Oslo."


class Stuck(RulesCognition):
    """Thinks what it thinks, and does not answer before it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.thinking, self.go = asyncio.Event(), asyncio.Event()
        self.seen: list[str] = []

    async def read(self, window: Window) -> Read:
        read = await super().read(window)
        self.seen.append(" ".join(turn.text for turn in window.turns))
        self.thinking.set()
        await self.go.wait()
        return read


@pytest.mark.parametrize("meant", [WISH, Meant(PERSON)], ids=["wish", "person"])
async def test_what_is_being_read_is_forgotten_at_once_and_does_not_come_back(tmp_path: Path, meant: Meant) -> None:
    stuck = Stuck()
    async with spine(tmp_path, stuck) as app:
        await app.say(AGENT, LUO, SAID, end=True)
        working = asyncio.create_task(app.drain())
        await stuck.thinking.wait()
        told = await asyncio.wait_for(app.forget(meant), 10)
        assert told.run
        assert not working.done(), "the worker is stuck all the while"
        assert await telling(app) == []
        stuck.go.set()
        await working
        await app.drain()
        assert await telling(app) == []
        assert PHONE not in " ".join(stuck.seen[1:]), "nobody is asked about it again"
        assert any("Oslo" in node.content for node in await memories(app)) is not meant.everything


async def test_a_talk_forgets_an_old_number_while_a_worker_holds_the_person(tmp_path: Path) -> None:
    stuck = Stuck()
    async with spine(tmp_path, stuck) as app:
        stuck.go.set()
        for text in ("我的电话是13800138000", "我的电话换成13911112222了"):
            await app.say(AGENT, LUO, text)
            await app.talks.end(AGENT, LUO)
            await app.drain()
        stuck.go.clear()
        stuck.thinking.clear()
        await app.say(AGENT, LUO, "我喜欢喝茶", end=True)
        working = asyncio.create_task(app.drain())
        await stuck.thinking.wait()
        told = await asyncio.wait_for(app.talks.forget(AGENT, LUO, "忘掉我的旧电话"), 10)
        assert told is not None
        assert [node.value for node in told.gone if node.value] == ["13800138000"]
        assert not working.done()
        stuck.go.set()
        await working
        contents = [node.content for node in await memories(app)]
        assert not [text for text in contents if "13800138000" in text]
        assert [text for text in contents if "13911112222" in text]
        assert [text for text in contents if "喝茶" in text]


async def test_looking_what_would_be_forgotten_lets_work_go_on(tmp_path: Path) -> None:
    stuck = Stuck()
    async with spine(tmp_path, stuck) as app:
        await app.say(AGENT, LUO, SAID, end=True)
        working = asyncio.create_task(app.drain())
        await stuck.thinking.wait()
        assert (await app.forget(WISH, dry_run=True)).edited
        stuck.go.set()
        await working
        assert len(stuck.seen) == 1
        assert await telling(app)


async def test_a_turn_that_was_forgotten_before_anybody_read_it_returns_by_an_undo(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        await app.say(AGENT, LUO, SAID)
        told = await app.forget(WISH)
        assert told.run
        assert await telling(app) == []
        await app.undo(told.run)
        await app.talks.end(AGENT, LUO)
        await app.drain()
        assert [node.value for node in await memories(app, MemoryType.OBSERVATION) if node.attribute == "phone"] == [
            PHONE
        ]


async def test_what_was_said_again_under_its_key_is_the_same_turn_after_it_was_forgotten(tmp_path: Path) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        first = await app.say(AGENT, LUO, SAID, key="a")
        await app.forget(WISH)
        assert (await app.say(AGENT, LUO, SAID, key="a")).turn.seq == first.turn.seq
        await app.forget(Meant(PERSON))
        assert (await app.say(AGENT, LUO, SAID, key="a")).turn.duplicate
        assert await telling(app) == []


async def telling(app: App) -> list[str]:
    """What any reader of the journal finds of it: memories, and the turns as they wait."""
    nodes = [node.content for node in await memories(app)]
    lanes = await app.journal.events.lanes(SCOPE)
    events = [repr(item.event) for lane in lanes for item in await app.journal.events.of_lane(lane, after=0, limit=99)]
    return [text for text in (*nodes, *events) if PHONE in text]


@pytest.mark.parametrize("text", ["I work at {} and I live in Oslo.", "My name is {}. I live in Oslo."])
async def test_nothing_is_remembered_of_words_that_were_taken_out_before_they_were_read(
    tmp_path: Path, text: str
) -> None:
    async with spine(tmp_path, RulesCognition()) as app:
        await app.say(AGENT, LUO, text.format(blotted_whole("Nordwind")), end=True)
        await app.drain()
        derived = [node for node in await memories(app) if node.memory_type is not MemoryType.CONVERSATION]
        assert [node.content for node in derived if is_blotted(f"{node.content}{node.value}")] == []
        assert any("Oslo" in node.content for node in derived)
