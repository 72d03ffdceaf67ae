"""The model that speaks over real HTTP: streamed, broken off, refused, and asked again."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest
from pydantic import SecretStr

from agentmem.adapters.cognition.llm.model_connection import LlmOptions
from agentmem.adapters.models.provider_chat import PydanticAIChatModel
from agentmem.domain.statement import Usage
from agentmem.errors import BackendUnavailable, BadAnswer
from agentmem.ports.models import ChatRequest, Message
from tests.fixtures.openai_server import Reply, Server, serving

ASKED = ChatRequest("be kind", (Message(False, "你好"),))


def streamed(*pieces: str, reason: str = "stop", cut: bool = False) -> Reply:
    """A chat completion as server-sent events."""
    base: dict[str, Any] = {
        "id": "x",
        "object": "chat.completion.chunk",
        "created": 1_770_000_000,
        "model": "test-model",
    }
    chunks = [{**base, "choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    chunks.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    chunks.append({**base, "choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}})
    body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"
    return Reply(body=body.encode(), content_type="text/event-stream", cut=cut)


@asynccontextmanager
async def talking(*replies: Reply, retries: int = 0) -> AsyncGenerator[tuple[PydanticAIChatModel, Server]]:
    async with serving(*replies) as server:
        options = LlmOptions(
            model="openai-chat:test-model", base_url=server.base_url, api_key=SecretStr("k"), timeout=5, retries=retries
        )
        async with PydanticAIChatModel(options) as model:
            yield model, server


async def told(model: PydanticAIChatModel) -> list[str | Usage]:
    async with aclosing(model.reply(ASKED)) as pieces:
        return [piece async for piece in pieces]


async def test_pieces_come_as_the_service_sends_them() -> None:
    async with talking(streamed("您好", ",李", "先生")) as (model, server):
        assert await told(model) == ["您好", ",李", "先生", Usage(calls=1, tokens_in=9, tokens_out=4)]
    (request,) = server.requests
    assert request["stream"] is True
    assert [message["role"] for message in request["messages"]] == ["system", "user"]


async def test_a_stream_that_is_cut_is_an_outage_and_not_a_short_reply() -> None:
    async with talking(streamed(*["字" * 50] * 20, cut=True)) as (model, _):
        with pytest.raises(BackendUnavailable):
            await told(model)


async def test_a_filtered_answer_is_a_refusal() -> None:
    async with talking(streamed("我", reason="content_filter")) as (model, _):
        with pytest.raises(BadAnswer, match="refused"):
            await told(model)


async def test_a_passing_failure_is_asked_again_before_anything_was_said() -> None:
    async with talking(Reply(status=503), streamed("好"), retries=2) as (model, server):
        assert (await told(model))[0] == "好"
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [401, 429, 500])
async def test_a_service_that_does_not_answer_is_named_with_its_status_and_nothing_else(status: int) -> None:
    body = json.dumps({"error": {"message": "secret sk-1234", "type": "x", "code": "y"}}).encode()
    async with talking(Reply(status=status, body=body)) as (model, _):
        with pytest.raises(BackendUnavailable) as failed:
            await told(model)
    assert str(status) in str(failed.value)
    assert "sk-1234" not in str(failed.value)
