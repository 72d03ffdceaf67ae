"""An agent of pydantic-ai that is given the capability is told what it remembers, and remembers what is said."""

import asyncio
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic_ai import Agent, ModelMessage, ModelResponse, RunContext, TextPart, ToolCallPart
from pydantic_ai.messages import ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from agentmem import AsyncClient, AsyncMemory, Client, Memory, MemoryType
from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.domain.event import echoes_of
from agentmem.errors import InvalidInput
from agentmem.interfaces.integrations.pydantic_ai import Remembering
from agentmem.runtime.host.clocks import ManualClock
from tests.support.nodes import NOON
from tests.support.served import served
from tests.support.socketed import answering
from tests.support.spine import quick_settings


def a_house(folder: Path) -> AsyncMemory:
    return AsyncMemory(quick_settings(folder), clock=ManualClock(NOON))


class Listener:
    """A model that says what it was told to, and keeps the instructions and messages it was given."""

    def __init__(self, *answers: str | ToolCallPart) -> None:
        self.told: list[str] = []
        self.heard: list[list[ModelMessage]] = []
        self._answers = list(answers)
        self.model = FunctionModel(self._answer)

    async def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.told.append(info.instructions or "")
        self.heard.append(messages)
        said = self._answers.pop(0) if self._answers else "I see."
        return ModelResponse(parts=[TextPart(said) if isinstance(said, str) else said])


async def test_the_next_run_is_told_what_was_said_and_the_words_are_memory(tmp_path: Path) -> None:
    listener = Listener("Nice to meet you.", "It is red.")
    async with a_house(tmp_path) as memory:
        agent = Agent(listener.model, instructions="Be brief.", capabilities=[Remembering(memory, user_id="Tom")])
        await agent.run("My phone number is 555-0142.")
        await agent.run("What is my phone number?")
        assert "555-0142" not in listener.told[0]
        assert "Be brief." in listener.told[1]
        assert "“My phone number is 555-0142.”" in listener.told[1]
        assert "What is my phone number?" not in listener.told[1]
        await memory.flush()
        assert [one.memory for one in (await memory.list(user_id="Tom")).results] == ["Tom's phone number is 555-0142"]
        turns = (await memory.list(user_id="Tom", layers=[MemoryType.CONVERSATION])).results
        assert [(one.memory, one.metadata["role"]) for one in turns][::-1] == [
            ("My phone number is 555-0142.", "customer"),
            ("Nice to meet you.", "agent"),
            ("What is my phone number?", "customer"),
            ("It is red.", "agent"),
        ]
        assert len({one.run_id for one in turns}) == 2


async def test_a_conversation_that_goes_on_is_one_conversation(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        agent = Agent(Listener().model, capabilities=[Remembering(memory, user_id="Tom")])
        first = await agent.run("Hello there.")
        await agent.run("I live in Oslo.", message_history=first.all_messages())
        await memory.flush()
        turns = (await memory.list(user_id="Tom", layers=[MemoryType.CONVERSATION])).results
        assert len(turns) == 4
        assert len({one.run_id for one in turns}) == 1


async def test_what_is_recalled_is_no_message_and_is_never_said_again(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo.", user_id="Tom")
        listener = Listener()
        agent = Agent(listener.model, capabilities=[Remembering(memory, user_id="Tom")])
        await agent.run("Where do I live?")
        parts = [part for message in listener.heard[0] if isinstance(message, ModelRequest) for part in message.parts]
        assert "Oslo" in listener.told[0]
        assert not any("Oslo" in str(part) for part in parts)
        await memory.flush()
        assert [one.memory for one in (await memory.list(user_id="Tom")).results] == ["Tom lives in Oslo"]


async def test_people_who_share_an_agent_are_told_apart_by_the_run(tmp_path: Path) -> None:
    @dataclass
    class Deps:
        user: str

    def user(ctx: RunContext[Deps]) -> str:
        return ctx.deps.user

    listener = Listener()
    async with a_house(tmp_path) as memory:
        agent = Agent(listener.model, deps_type=Deps, capabilities=[Remembering(memory, user_id=user)])
        places = {"Tom": "Oslo", "Eve": "Rome", "Ann": "Bonn"}
        said = (agent.run(f"I live in {place}.", deps=Deps(name)) for name, place in places.items())
        await asyncio.gather(*said)
        await memory.flush()
        listener.told.clear()
        await agent.run("Where do I live?", deps=Deps("Eve"))
        assert "Rome" in listener.told[0]
        assert "Oslo" not in listener.told[0]


async def test_the_model_may_look_things_up_by_itself(tmp_path: Path) -> None:
    call = ToolCallPart("search_memory", {"query": "Where does Tom live?"})
    listener = Listener(call, "Oslo.")
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo.", user_id="Tom")
        agent = Agent(listener.model, capabilities=[Remembering(memory, user_id="Tom")])
        done = await agent.run("Hm.")
        assert done.output == "Oslo."
        parts = [part for message in done.all_messages() for part in message.parts]
        answers = [part for part in parts if isinstance(part, ToolReturnPart)]
        assert "Oslo" in str(answers[0].content)
        assert listener.told[0] == listener.told[1]


async def test_streamed_answers_are_remembered_too(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        model = TestModel(custom_output_text="How nice.", call_tools=[])
        agent = Agent(model, capabilities=[Remembering(memory, user_id="Tom")])
        async with agent.run_stream("I live in Oslo.") as streamed:
            assert await streamed.get_output() == "How nice."
        await memory.flush()
        turns = (await memory.list(user_id="Tom", layers=[MemoryType.CONVERSATION])).results
        assert [one.memory for one in turns] == ["How nice.", "I live in Oslo."]


async def test_where_memory_is_away_the_agent_talks_on(tmp_path: Path) -> None:
    async with a_house(tmp_path) as memory:
        agent = Agent(Listener("Hello.").model, capabilities=[Remembering(memory, user_id=" blank ")])
        assert (await agent.run("Hi.")).output == "Hello."
        with pytest.raises(InvalidInput):
            await memory.context("Hi.", user_id=" blank ")


@pytest.fixture
def a_loop() -> Generator[None]:
    """A loop for `run_sync`, which would make one and leave it open."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.close()


@pytest.mark.usefixtures("a_loop")
def test_synchronous_agents_share_the_blocking_memory(tmp_path: Path) -> None:
    listener = Listener()
    with Memory(path=tmp_path / "data") as memory:
        agent = Agent(listener.model, capabilities=[Remembering(memory, user_id="Tom")])
        agent.run_sync("I live in Oslo.")
        agent.run_sync("Where do I live?")
        assert "Oslo" in listener.told[1]


async def test_nobody_is_told_what_others_said_of_him(tmp_path: Path) -> None:
    call = ToolCallPart("search_memory", {"query": "Where does Tom, the boss, live?"})
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo.", user_id="Tom")
        await memory.add("My boss Tom lives in Bonn.", user_id="Eve")
        assert "Tom lives in Bonn" in [one.memory for one in (await memory.list(agent_id="default")).results]
        listener = Listener(call, "Oslo.")
        agent = Agent(listener.model, capabilities=[Remembering(memory, user_id="Tom")])
        done = await agent.run("Where do I live?")
        shown = f"{listener.told} {done.all_messages()}"
        assert "Oslo" in shown
        assert "Eve" not in shown
        assert "Bonn" not in shown


async def test_what_the_agent_repeats_of_its_memory_is_not_learned_again(tmp_path: Path) -> None:
    call = ToolCallPart("search_memory", {"query": "Where does Tom work?"})
    answers = "You live in Oslo.", call, "You work at Globex. I will call you tomorrow."
    async with a_house(tmp_path) as memory:
        await memory.add("I live in Oslo. I work at Globex.", user_id="Tom")
        before = (await memory.list(user_id="Tom", everything=True)).results
        agent = Agent(Listener(*answers).model, capabilities=[Remembering(memory, user_id="Tom")])
        await agent.run("Where do I live?")
        await agent.run("Good morning.")
        await memory.flush()
        turns = (await memory.list(user_id="Tom", layers=[MemoryType.CONVERSATION])).results
        echoed = [one.memory[start:end] for one in turns for start, end in echoes_of(one.metadata)]
        assert sorted(echoed) == ["You live in Oslo", "You work at Globex"]
        after = (await memory.list(user_id="Tom", everything=True)).results
        assert [one.memory for one in after] == [one.memory for one in before]


async def test_a_server_may_hold_the_memory(tmp_path: Path) -> None:
    listener = Listener("Nice to meet you.", "It is red.", "Again.")
    async with served(tmp_path, RulesCognition()) as server, answering(server) as http:
        address = str(http.base_url)
        async with AsyncClient(address, server.owner) as client:
            agent = Agent(listener.model, capabilities=[Remembering(client, user_id="Tom")])
            await agent.run("My phone number is 555-0142.")
            await agent.run("What is my phone number?")
            assert "“My phone number is 555-0142.”" in listener.told[1]
        blocking = await asyncio.to_thread(Client, address, server.owner)
        agent = Agent(listener.model, capabilities=[Remembering(blocking, user_id="Tom")])
        await agent.run("And once more, what is my phone number?")
        assert "“My phone number is 555-0142.”" in listener.told[2]
        await asyncio.to_thread(blocking.close)
