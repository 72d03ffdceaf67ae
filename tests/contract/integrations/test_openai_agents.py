"""A session gives back what it was given, to the SDK's own runner too, and what is said in it is remembered."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest
from agents import Agent, Model, ModelResponse, RunConfig, Runner, SQLiteSession, Usage
from agents.items import TResponseInputItem
from agents.memory import Session, SessionSettings
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from agentmem import AsyncMemory
from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.scope import Grant
from agentmem.errors import InvalidInput, NotFound
from agentmem.interfaces.integrations.openai_agents import MemorySession
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import AGENT, NOON
from tests.support.served import remote, served
from tests.support.spine import quick_settings

ITEMS: list[Any] = [
    {"role": "user", "content": "I live in Oslo. 我喜欢喝茶"},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": None},
    {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Oslo"}', "id": "fc_1"},
    {"type": "function_call_output", "call_id": "c1", "output": '{"t": -3.5, "ok": true}'},
    {
        "type": "message",
        "id": "m1",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "It is cold in Oslo.", "annotations": []}],
    },
    {
        "role": "user",
        "content": [{"type": "input_text", "text": "I like snow."}, {"type": "input_image", "image_url": "x"}],
    },
]


def a_house(folder: Path) -> AsyncMemory:
    return AsyncMemory(quick_settings(folder), clock=ManualClock(NOON))


def items(*given: Any) -> list[TResponseInputItem]:
    return cast("list[TResponseInputItem]", list(given))


class Saying(Model):
    """Says the same to everything, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    async def get_response(self, system_instructions: Any, input: Any, *args: Any, **given: Any) -> ModelResponse:
        self.asked.append(input)
        text = ResponseOutputText(text="Very well.", type="output_text", annotations=[])
        said = ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **given: Any) -> AsyncIterator[Any]:
        raise AssertionError("nobody streams here")


async def test_every_item_comes_back_as_it_was_and_survives_a_restart(tmp_path: Path) -> None:
    theirs = SQLiteSession("one")
    async with a_house(tmp_path) as memory:
        ours = MemorySession(memory, "one", user_id="Tom")
        assert isinstance(ours, Session)
        for session in (ours, theirs):
            await session.add_items(items(*ITEMS[:2]))
            await session.add_items(items(*ITEMS[2:]))
            await session.add_items([])
        assert await ours.get_items() == await theirs.get_items() == ITEMS
        for limit in (0, 1, 3, 99):
            assert await ours.get_items(limit) == await theirs.get_items(limit)
        ours.session_settings = SessionSettings(limit=2)
        assert await ours.get_items() == ITEMS[-2:]
        assert await MemorySession(memory, "one", user_id="Eve").get_items() == []
        assert await MemorySession(memory, "two", user_id="Tom").get_items() == []
    async with a_house(tmp_path) as memory:
        ours = MemorySession(memory, "one", user_id="Tom")
        assert await ours.get_items() == ITEMS
        assert await ours.pop_item() == await theirs.pop_item() == ITEMS[-1]
        await ours.clear_session()
        assert await ours.get_items() == []
        assert await ours.pop_item() is None
    theirs.close()


async def test_what_is_said_is_remembered_and_the_rest_is_not(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await MemorySession(memory, "one", user_id="Tom").add_items(items(*ITEMS))
        await memory.flush()
        known = [one.memory for one in (await memory.list(user_id="Tom", run_id="one", everything=True)).results]
        assert any("Oslo" in one for one in known)
        assert not any("call_id" in one or "rs_1" in one for one in known)
        found = await memory.search("call_id c1 weather", user_id="Tom")
        assert not any("call_id" in one.memory for one in found.results)


async def test_what_is_taken_back_is_forgotten_and_what_is_cleared_is_not(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        session = MemorySession(memory, "one", user_id="Tom")
        await session.add_items(items({"role": "user", "content": "I live in Oslo."}))
        await session.add_items(items({"role": "user", "content": "I own 3 bikes."}))
        await session.pop_item()
        await session.clear_session()
        await memory.flush()
        assert [one.memory for one in (await memory.list(user_id="Tom")).results] == ["Tom lives in Oslo"]


async def test_the_runner_goes_on_where_it_was_and_the_next_session_knows(tmp_path: Path) -> None:
    model = Saying()
    agent, quiet = Agent(name="ada", model=model), RunConfig(tracing_disabled=True)
    async with a_house(tmp_path) as memory:
        session = MemorySession(memory, "one", user_id="Tom", agent_id="ada")
        await Runner.run(agent, "My phone number is 555-0142.", session=session, run_config=quiet)
        done = await Runner.run(agent, "Thanks.", session=session, run_config=quiet)
        assert done.final_output == "Very well."
        assert model.asked[1][0]["content"] == "My phone number is 555-0142."
        assert len(await session.get_items()) == 4
        assert "555-0142" in (await memory.context("phone", user_id="Tom", agent_id="ada")).text
    async with a_house(tmp_path) as memory:
        found = await memory.search("How do I reach Tom?", user_id="Tom", agent_id="ada")
        assert found.results[0].memory == "Tom's phone number is 555-0142"


async def test_blank_ids_are_refused(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        for session_id, user_id in (("", "Tom"), ("one", " ")):
            with pytest.raises(InvalidInput):
                MemorySession(memory, session_id, user_id=user_id)


async def test_a_server_may_hold_the_session(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, remote(server) as client:
        session = MemorySession(client, "one", user_id="Tom", agent_id=AGENT)
        await session.add_items(items(*ITEMS))
        assert await session.get_items() == ITEMS
        assert await session.get_items(2) == ITEMS[-2:]
        await server.app.drain()
        assert "Oslo" in (await client.context("Where does Tom live?", user_id="Tom", agent_id=AGENT)).text
        assert await session.pop_item() == ITEMS[-1]
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None


async def test_whose_token_is_about_one_person_has_his_sessions_alone(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        secret = await server.token({AGENT: [Grant.TALK, Grant.READ, Grant.WRITE]}, about="Tom")
        async with remote(server, secret) as client:
            session = MemorySession(client, "one", user_id="Tom", agent_id=AGENT)
            await session.add_items(items(ITEMS[0]))
            assert await session.pop_item() == ITEMS[0]
            with pytest.raises(NotFound):
                await MemorySession(client, "one", user_id="Eve", agent_id=AGENT).get_items()


async def test_looking_into_a_session_makes_no_agent(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition()) as server, remote(server) as client:
        session = MemorySession(client, "one", user_id="Tom", agent_id="nobody")
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.clear_session()
        assert [persona.id for persona in await server.app.records.agents()] == [AGENT]
