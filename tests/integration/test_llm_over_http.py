"""The engine and the embedder against a real server on this machine: what each failure of HTTP becomes."""

import asyncio
import json
import sys
import time
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from agentmem.adapters.cognition.llm.engine import LlmCognition
from agentmem.adapters.cognition.llm.model_connection import LlmOptions
from agentmem.adapters.embedder.provider_embedder import PydanticAIEmbedder
from agentmem.errors import BackendUnavailable, BadAnswer, InvalidInput, Unreachable
from tests.fixtures.openai_server import Reply, Server, completion, embeddings, prose, serving
from tests.fixtures.windows import window

FACT = {"text": "软件工程师罗小东的电话是13800138000", "turn": 2, "quote": "电话是13800138000", "mode": "stated"}
GOOD = completion({"facts": [FACT], "names": [], "rejected": []})
BUSY = Reply(500, b'{"error": {"message": "boom"}}', {"Retry-After": "0"})


def engine(base_url: str, **options: Any) -> LlmCognition:
    settings: dict[str, Any] = {"timeout": 5.0, "retries": 1, "max_wait": 0.2, "structured": "tool"} | options
    return LlmCognition(
        LlmOptions(model="openai-chat:test-model", base_url=base_url, api_key=SecretStr("sk-secret"), **settings)
    )


def embedding(model: str, server: Server) -> PydanticAIEmbedder:
    return PydanticAIEmbedder(model, base_url=server.base_url, api_key=SecretStr("k"))


async def test_a_compatible_server_is_read_with_its_key_and_its_usage_is_counted() -> None:
    async with serving(GOOD) as server, engine(server.base_url) as cognition:
        read = await cognition.read(window())
    assert [item.content for item in read.reading.statements] == [FACT["text"]]
    assert (read.usage.calls, read.usage.tokens_in, read.usage.tokens_out) == (1, 120, 30)
    assert server.paths == ["/v1/chat/completions"]
    assert server.keys == ["Bearer sk-secret"]
    assert server.requests[0]["tools"][0]["function"]["name"] == "answer"


async def test_a_server_without_tools_is_asked_in_text() -> None:
    text = (
        '```json\n{"facts": [{"text": "软件工程师罗小东的电话是13800138000", "turn": 2, "quote": "13800138000"}]}\n```'
    )
    async with serving(prose(text)) as server, engine(server.base_url, structured="text") as cognition:
        read = await cognition.read(window())
    assert len(read.reading.statements) == 1
    assert "tools" not in server.requests[0]


async def test_500_then_200_is_one_answer_after_one_retry() -> None:
    async with serving(BUSY, GOOD) as server, engine(server.base_url) as cognition:
        read = await cognition.read(window())
    assert len(read.reading.statements) == 1
    assert len(server.requests) == 2


async def test_a_short_retry_after_is_waited_for() -> None:
    busy = Reply(429, b"{}", {"retry-after-ms": "150"})
    async with serving(busy, GOOD) as server, engine(server.base_url) as cognition:
        started = time.monotonic()
        await cognition.read(window())
    assert time.monotonic() - started >= 0.15
    assert len(server.requests) == 2


async def test_a_long_retry_after_is_handed_on_and_nothing_is_sent_before() -> None:
    busy = Reply(429, b'{"error": {"message": "slow down"}}', {"Retry-After": "37"})
    async with serving(busy) as server, engine(server.base_url) as cognition:
        with pytest.raises(BackendUnavailable, match="HTTP 429") as caught:
            await cognition.read(window())
    assert caught.value.retry_after == 37
    assert len(server.requests) == 1


async def test_retries_do_not_multiply() -> None:
    async with serving(BUSY) as server, engine(server.base_url, retries=2) as cognition:
        with pytest.raises(BackendUnavailable, match="HTTP 500"):
            await cognition.read(window())
    assert len(server.requests) == 3


async def test_an_outage_costs_ten_requests_and_then_none() -> None:
    async with serving(BUSY) as server, engine(server.base_url, retries=2, concurrency=1) as cognition:
        for _ in range(8):
            with pytest.raises(BackendUnavailable):
                await cognition.read(window())
    assert len(server.requests) <= 10


async def test_a_refused_connection_is_an_outage() -> None:
    async with serving(GOOD) as server:
        gone = server.base_url
    async with engine(gone, retries=0) as cognition:
        with pytest.raises(Unreachable, match=r"the model [^ ]+ cannot be reached: nothing answers"):
            await cognition.read(window())


async def test_a_model_that_is_not_asked_for_a_while_tells_why() -> None:
    async with serving(GOOD) as server:
        gone = server.base_url
    async with engine(gone, retries=0, concurrency=100) as cognition:
        with pytest.raises(Unreachable):
            await cognition.read(window())
        with pytest.raises(BackendUnavailable, match=r"cannot be reached: .* is asked again later"):
            await cognition.read(window())


async def test_a_server_that_hangs_is_left_after_the_time_limit() -> None:
    async with serving(Reply(hang=True)) as server, engine(server.base_url, timeout=0.3) as cognition:
        async with asyncio.timeout(60):  # the server would hang for ever
            with pytest.raises(BackendUnavailable):
                await cognition.read(window())


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body=GOOD.body, cut=True),
        Reply(body=GOOD.body[:80]),
        Reply(body=b"<html>502 Bad Gateway</html>", content_type="text/html"),
        Reply(body=b"not json at all"),
    ],
    ids=["stream cut", "half a body", "an html page", "no json"],
)
async def test_a_broken_body_is_an_outage(reply: Reply) -> None:
    async with serving(reply) as server, engine(server.base_url, retries=0) as cognition:
        with pytest.raises(BackendUnavailable):
            await cognition.read(window())


@pytest.mark.parametrize("body", [b"{}", b'{"choices": []}', b'{"choices": null}', b"[]", b"null", b'{"error": "no"}'])
async def test_json_of_another_shape_changes_nothing(body: bytes) -> None:
    async with serving(Reply(body=body)) as server, engine(server.base_url, retries=0) as cognition:
        with pytest.raises((BackendUnavailable, BadAnswer)):
            await cognition.read(window())
    assert len(server.requests) <= 2


async def test_a_wrong_key_says_so_and_keeps_quiet_about_it() -> None:
    refusal = Reply(401, b'{"error": {"message": "Incorrect API key provided: sk-secret", "code": "invalid_api_key"}}')
    async with serving(refusal) as server, engine(server.base_url) as cognition:
        with pytest.raises(BackendUnavailable, match="refuses the key") as caught:
            await cognition.read(window())
    assert "sk-secret" not in str(caught.value)
    assert len(server.requests) == 1


async def test_ollama_speaks_the_same_way_and_no_schema_is_sent_unless_it_is_wanted() -> None:
    async with serving(prose(json.dumps({"facts": [FACT]}))) as server:
        async with LlmCognition(LlmOptions(model="ollama:qwen3", base_url=server.base_url)) as cognition:
            assert len((await cognition.read(window())).reading.statements) == 1
        assert server.requests[0]["model"] == "qwen3"
        assert "tools" not in server.requests[0]


@pytest.mark.parametrize("model", ["nobody:model", "gpt-unknown-thing", ""])
async def test_an_unknown_model_is_named(model: str) -> None:
    with pytest.raises(InvalidInput, match="model"):
        LlmCognition(LlmOptions(model=model))


@pytest.mark.parametrize(
    ("model", "extra"),
    [("anthropic:claude-test", r"agentmem-framework\[anthropic\]"), ("groq:test", r"pydantic-ai-slim\[groq\]")],
)
async def test_a_missing_package_is_named_with_the_line_that_installs_it(
    model: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("anthropic", "groq", "pydantic_ai.providers.anthropic", "pydantic_ai.providers.groq"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InvalidInput, match=f'pip install "{extra}"'):
        LlmCognition(LlmOptions(model=model, api_key=SecretStr("k")))


async def test_several_windows_share_few_connections() -> None:
    async with serving(GOOD) as server, engine(server.base_url, concurrency=2) as cognition:
        await asyncio.gather(*(cognition.read(window()) for _ in range(6)))
    assert len(server.requests) == 6


async def test_vectors_come_over_http_and_their_size_from_a_probe() -> None:
    replies = embeddings([3.0, 4.0, 0.0]), embeddings([0.0, 2.0, 0.0], [0.0, 0.0, 5.0])
    async with serving(*replies) as server, embedding("openai:test-embedding", server) as embedder:
        assert embedder.fingerprint == "openai:test-embedding@3"
        rows = await embedder.embed(["甲", "乙"], purpose="document")
    assert np.allclose(rows, [[0, 1, 0], [0, 0, 1]])


async def test_vectors_of_another_size_or_number_are_an_outage() -> None:
    replies = embeddings([1.0, 0.0]), embeddings([1.0, 0.0, 0.0]), embeddings([1.0, 0.0])
    async with serving(*replies) as server, embedding("openai:t", server) as embedder:
        with pytest.raises(BackendUnavailable, match=r"shape \(1, 3\)"):
            await embedder.embed(["甲"], purpose="query")
        with pytest.raises(BackendUnavailable, match=r"shape \(1, 2\)"):
            await embedder.embed(["甲", "乙"], purpose="query")


async def test_an_embedding_service_that_is_busy_names_its_wait() -> None:
    busy = Reply(429, b"{}", {"Retry-After": "42"})
    async with serving(embeddings([1.0, 0.0]), busy) as server, embedding("openai:t", server) as embedder:
        with pytest.raises(BackendUnavailable) as caught:
            await embedder.embed(["甲"], purpose="query")
    assert caught.value.retry_after == 42
