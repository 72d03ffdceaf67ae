"""Any model as the one that speaks: streamed, bounded, and carried out only as far as it may go."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agentmem.domain.statement import Usage
from agentmem.errors import BackendUnavailable, BadAnswer, InvalidInput
from agentmem.ports.models import Arguments, ChatModel, ChatRequest, Limits, Message, Tool
from tests.fixtures.talking_model import Says, Speaker, calls, chatting, speaker

HI = (Message(False, "hi"),)


class Drawer:
    """A tool that keeps what it was called with."""

    def __init__(self, answer: str = "found") -> None:
        self.answer = answer
        self.given: list[Arguments] = []

    async def call(self, arguments: Arguments) -> str:
        self.given.append(arguments)
        if "query" not in arguments:
            raise InvalidInput("it takes a query")
        return self.answer

    @property
    def tool(self) -> Tool:
        return Tool("look", "Look it up.", {"type": "object", "properties": {"query": {"type": "string"}}}, self.call)


async def said(model: ChatModel, *tools: Tool, limits: Limits | None = None, messages: tuple[Message, ...] = HI) -> str:
    request = ChatRequest("be kind", messages, tools, limits or Limits())
    async with aclosing(model.reply(request)) as pieces:
        return "".join([piece async for piece in pieces if isinstance(piece, str)])


async def test_the_reply_comes_in_pieces_and_its_cost_at_the_end() -> None:
    model = speaker("good morning").chat
    pieces = [piece async for piece in model.reply(ChatRequest("", HI))]

    assert pieces[:-1] == ["goo", "d m", "orn", "ing"]
    assert isinstance(pieces[-1], Usage)
    assert pieces[-1].calls == 1
    assert pieces[-1].tokens_out > 0


async def test_the_model_is_shown_the_conversation_with_turns_of_one_side_joined() -> None:
    told = (Message(False, "a"), Message(False, "b"), Message(True, "c"), Message(False, "d"))
    model = speaker("ok")
    await said(model.chat, messages=told)

    (messages,) = model.messages
    assert [type(message) for message in messages] == [ModelRequest, ModelResponse, ModelRequest]
    assert model.seen == ["be kind\na\n\nb\nc\nd"]


async def test_tools_are_carried_out_and_what_is_said_around_them_is_one_reply() -> None:
    drawer = Drawer("the price is 5")
    model = speaker(Says("One moment.", (("look", {"query": "price"}),)), "It is 5.")

    assert await said(model.chat, drawer.tool) == "One moment.\n\nIt is 5."
    assert drawer.given == [{"query": "price"}]
    assert "the price is 5" in model.seen[1]


async def test_a_model_that_calls_tools_for_ever_is_in_the_end_offered_none() -> None:
    drawer = Drawer()
    model = Speaker(lambda number, _: calls(("look", {"query": "x"})) if model.offered[-1] else Says("enough"))

    assert await said(model.chat, drawer.tool, limits=Limits(requests=4)) == "enough"
    assert len(drawer.given) == 3
    assert model.offered == [["look"], ["look"], ["look"], []]


async def test_one_that_calls_them_even_then_has_said_nothing() -> None:
    drawer = Drawer()
    model = speaker(calls(("look", {"query": "x"})))

    with pytest.raises(BadAnswer, match="said nothing in 3 requests"):
        await said(model.chat, drawer.tool, limits=Limits(requests=3))
    assert len(drawer.given) == 2


async def test_of_many_calls_at_once_only_as_many_are_carried_out_as_allowed() -> None:
    drawer = Drawer()
    model = speaker(calls(*[("look", {"query": str(number)}) for number in range(50)]), "done")

    assert await said(model.chat, drawer.tool, limits=Limits(tool_calls=3)) == "done"
    assert [each["query"] for each in drawer.given] == ["0", "1", "2"]
    assert model.offered[1] == []


@pytest.mark.parametrize(
    "call",
    [("look", {}), ("look", "no json"), ("look", "[1]"), ("look", {"wrong": 1}), ("steal", {"query": "x"}), ("", {})],
)
async def test_a_call_that_cannot_be_carried_out_is_told_why_and_the_talk_goes_on(call: tuple[str, object]) -> None:
    model = speaker(calls(call), "sorry")

    assert await said(model.chat, Drawer().tool) == "sorry"
    assert "not done:" in model.seen[1]


async def test_tokens_end_a_reply_that_goes_on_and_on() -> None:
    model = speaker(Says("word " * 300, (("look", {"query": "x"}),)))

    await said(model.chat, Drawer().tool, limits=Limits(requests=50, tokens=1_000))
    assert len(model.seen) == 2


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
async def test_saying_nothing_is_no_answer(text: str) -> None:
    with pytest.raises(BadAnswer, match="said nothing"):
        await said(speaker(text).chat)


async def test_a_text_without_end_is_cut() -> None:
    assert await said(speaker("x" * 5_000).chat, limits=Limits(characters=100)) == "x" * 99 + "…"


async def test_a_model_that_falls_silent_is_not_waited_for() -> None:
    async def silent(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        yield "well, "
        await asyncio.sleep(30)

    with pytest.raises(BackendUnavailable, match="silent for"):
        await said(chatting(FunctionModel(stream_function=silent), timeout=0.05))


async def test_a_reply_may_be_left_in_the_middle() -> None:
    over: list[str] = []

    async def endless(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        try:
            while True:
                yield "word "
        finally:
            over.append("closed")

    model = chatting(FunctionModel(stream_function=endless))
    async with aclosing(model.reply(ChatRequest("", HI))) as pieces:
        async for _ in pieces:
            break
    assert over == ["closed"]
