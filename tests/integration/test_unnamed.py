"""Whom a caller names by an id is told as the user until his name is known, in every sentence that is made."""

from pathlib import Path

import pytest

from agentmem import AsyncMemory, Person, Scope
from agentmem.adapters.cognition.llm.prompts import read_prompt
from agentmem.memory.intake import window_of
from agentmem.ports.event_log import AFTER_ALL
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import AGENT, NOON, TENANT
from tests.support.spine import SCOPE, quick_settings, quiet_persona, spine

IDS = ("8f14e45f-ceea-467f-9c1d-aa1b2c3d4e5f", "tom.hale@example.org", "user_123")


def a_house(folder: Path) -> AsyncMemory:
    return AsyncMemory(quick_settings(folder), clock=ManualClock(NOON))


async def everything_told(memory: AsyncMemory, user: str, question: str) -> str:
    """Every text that is made of what is known of somebody."""
    found = await memory.search(question, user_id=user)
    block = await memory.context(question, user_id=user)
    reply = await memory.ask(question, user_id=user)
    triples = await memory.graph.get_all(user_id=user)
    entities = await memory.app.graph.entities(Scope(TENANT, "default"))
    said = [*(one.memory for one in found), block.text, reply.text or "", *reply.graph]
    said += [f"{one.source} {one.destination}" for one in triples]
    return "\n".join([*said, *(f"{each.name} {each.aliases} {each.summary}" for each in entities)])


@pytest.mark.parametrize("user", IDS)
async def test_an_id_is_in_no_sentence_and_a_name_that_is_told_takes_its_place(tmp_path: Path, user: str) -> None:
    async with a_house(tmp_path) as memory:
        added = await memory.add("I live in Oslo. My phone number is 555-0142.", user_id=user)
        assert {event.memory for event in added} == {"The user lives in Oslo", "The user's phone number is 555-0142"}
        await memory.add("My name is Tom Hale.", user_id=user)
        assert (await memory.add("I work as a nurse.", user_id=user))[0].memory == "Tom Hale works as a nurse"
        for question in ("Where does the user live?", "Where does Tom Hale live?", "What is the phone number?"):
            told = await everything_told(memory, user, question)
            assert user not in told
            assert "Tom Hale" in told
        assert (await memory.ask("Where does the user live?", user_id=user)).text
        assert {one.user_id for one in await memory.get_all(user_id=user)} == {user}
        by_filter = await memory.get_all(agent_id="default", filters={"AND": [{"user_id": user}]})
        assert len(by_filter) == len(await memory.get_all(user_id=user))


async def test_in_chinese_he_is_told_as_the_user_in_chinese(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        added = await memory.add("我住在奥斯陆,电话是13800138000。", user_id=IDS[0])
        assert {event.memory for event in added} == {"用户住在奥斯陆", "用户的电话是13800138000"}
        await memory.add("我叫王芳。", user_id=IDS[0])
        assert [event.memory for event in await memory.add("我是护士。", user_id=IDS[0])] == ["王芳是护士"]
        told = await everything_told(memory, IDS[0], "他住在哪里?")
        assert IDS[0] not in told
        assert "用户住在奥斯陆" in told


async def test_a_name_that_is_given_is_told(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        said = {"role": "user", "content": "I live in Oslo.", "name": "Tom"}
        assert (await memory.add(said, user_id=IDS[2]))[0].memory == "Tom lives in Oslo"
        added = await memory.app.add("default", Person(name="Ann", id="user_8"), "I live in Rome.")
        assert [change.after.content for change in added.changes if change.after] == ["Ann lives in Rome"]
        assert len(await memory.get_all(user_id="user_8")) == 1


async def test_two_of_them_stay_two(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Rome.", user_id="user_77")
        await memory.add("I live in Bern.", user_id="user_78")
        assert [one.memory for one in await memory.get_all(user_id="user_77")] == ["The user lives in Rome"]
        people = [each for each in await memory.app.graph.entities(Scope(TENANT, "default")) if each.name == "the user"]
        assert len(people) == 2


async def test_nobody_at_all_is_the_user_as_well(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        assert (await memory.add("I live in Oslo.", agent_id="default"))[0].memory == "The user lives in Oslo"


async def test_a_model_is_told_the_user(tmp_path: Path) -> None:
    async with spine(tmp_path) as app:
        await app.say(AGENT, IDS[0], "I live in Oslo.")
        await app.say(AGENT, IDS[1], "我住在奥斯陆。")
        asked: list[str] = []
        for lane in await app.journal.events.lanes(SCOPE):
            window = window_of("w", (), await app.journal.events.uncut(lane, through=AFTER_ALL), quiet_persona())
            asked.append(str(read_prompt(window, window.held, 4_000, lambda: "abcdefgh1234")))
        assert sorted(("the user" in one, "用户" in one) for one in asked) == [(False, True), (True, False)]
        assert not any(one in prompt for prompt in asked for one in IDS)
