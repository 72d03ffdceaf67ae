"""Talks over HTTP, in our own words and in those of the OpenAI API; and what changes, as it changes."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import httpx2
import openai
import pytest

from agentmem.domain.scope import Grant
from tests.fixtures.talking_model import Says, Speaker
from tests.support.nodes import AGENT
from tests.support.served import BASE, Served, served
from tests.support.socketed import answering

TALK = f"/v1/agents/{AGENT}/talk"


def echoing() -> Speaker:
    """A model that says the number of its request."""
    return Speaker(lambda number, _: Says(f"Answer {number}, in two pieces."))


@asynccontextmanager
async def program(server: Served, secret: str | None = None) -> AsyncGenerator[openai.AsyncOpenAI]:
    """The SDK of OpenAI at this server."""
    transport = httpx2.ASGITransport(server.program)
    async with httpx2.AsyncClient(transport=transport) as http:
        yield openai.AsyncOpenAI(
            api_key=secret or server.owner, base_url=f"{BASE}/openai/v1", http_client=http, max_retries=0
        )


def events(text: str) -> list[tuple[str, Any]]:
    """The events of a stream, by kind."""
    found: list[tuple[str, Any]] = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != ":")
        if "data" in lines:
            found.append((lines.get("event", ""), json.loads(lines["data"])))
    return found


async def test_an_agent_answers_piece_by_piece_and_says_why(tmp_path: Path) -> None:
    async with served(tmp_path, speaks=echoing().chat) as server, server.client() as client:
        await client.post(f"/v1/agents/{AGENT}/turns", json={"person": "Tom", "text": "I live in Oslo.", "end": True})
        await server.app.drain()
        answer = await client.post(TALK, json={"person": "Tom", "text": "Where do I live?"})
        assert answer.headers["content-type"].startswith("text/event-stream")
        told = events(answer.text)
        done = told[-1][1]
        assert (told[-1][0], done["text"], done["complete"]) == ("done", "Answer 1, in two pieces.", True)
        assert "".join(data["text"] for kind, data in told if kind == "piece") == done["text"]
        assert any("Oslo" in each["memory"]["content"] for each in done["why"])


async def test_who_cannot_be_talked_with_is_a_problem_and_no_stream(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        async with server.client() as client:
            answer = await client.post(TALK, json={"person": "Tom", "text": "hello"})
            assert (answer.status_code, answer.json()["code"]) == (422, "InvalidInput")
            assert "whoever runs this server sets chat_model" in answer.json()["detail"]
            assert "agentmem run" not in answer.text  # what helps at a terminal
        async with server.client(await server.token({AGENT: [Grant.READ]})) as client:
            assert (await client.post(TALK, json={"person": "Tom", "text": "hello"})).status_code == 404


@pytest.mark.parametrize("model", [AGENT, "nobody"])
async def test_a_chat_program_that_cannot_talk_finds_out_why(tmp_path: Path, model: str) -> None:
    why = {
        AGENT: "no chat model is configured; whoever runs this server",
        "nobody": "no agent 'nobody'; PUT /v1/agents/",
    }
    said: list[Any] = [{"role": "user", "content": "hello"}]
    async with served(tmp_path) as server, program(server) as chat:
        for answering in (
            chat.chat.completions.create(model=model, messages=said, user="Tom"),
            chat.responses.create(model=model, input="hello", user="Tom"),
        ):
            with pytest.raises(openai.APIStatusError) as refused:
                await answering
            assert cast("dict[str, str]", refused.value.body)["message"].startswith(why[model])
            assert "know_agent" not in str(refused.value)


async def test_a_chat_program_talks_with_an_agent_that_remembers(tmp_path: Path) -> None:
    speaker = echoing()
    async with served(tmp_path, speaks=speaker.chat) as server, program(server) as chat:
        assert [model.id async for model in chat.models.list()] == [AGENT]
        assert (await chat.models.retrieve(AGENT)).id == AGENT
        said: list[Any] = [{"role": "system", "content": "You are a pirate."}, {"role": "user", "content": "I am Tom."}]
        whole = await chat.chat.completions.create(model=AGENT, messages=said, user="Tom")
        assert whole.choices[0].message.content == "Answer 1, in two pieces."
        assert whole.usage is not None
        again: list[Any] = [{"role": "user", "content": [{"type": "text", "text": "And I live in Oslo."}]}]
        pieces = [
            chunk.choices[0].delta.content or ""
            async for chunk in await chat.chat.completions.create(model=AGENT, messages=again, user="Tom", stream=True)
        ]
        assert "".join(pieces) == "Answer 2, in two pieces."
        assert "pirate" not in "".join(speaker.seen)
        assert "I am Tom." in speaker.seen[-1]


async def test_responses_are_told_whole_or_as_events(tmp_path: Path) -> None:
    async with served(tmp_path, speaks=echoing().chat) as server, program(server) as chat:
        whole = await chat.responses.create(model=AGENT, input="I am Tom.", user="Tom")
        assert whole.output_text == "Answer 1, in two pieces."
        kinds: list[str] = []
        text = ""
        async for each in await chat.responses.create(model=AGENT, input="Hello", user="Tom", stream=True):
            kinds.append(each.type)
            text += each.delta if each.type == "response.output_text.delta" else ""
        assert text == "Answer 2, in two pieces."
        assert (kinds[0], kinds[-1]) == ("response.created", "response.completed")


async def test_a_chat_program_is_refused_as_everybody_is(tmp_path: Path) -> None:
    said: list[Any] = [{"role": "user", "content": "hello"}]
    async with served(tmp_path, speaks=echoing().chat) as server:
        async with program(server, "agm_wrong") as chat:
            with pytest.raises(openai.AuthenticationError):
                await chat.models.list()
        async with program(server, await server.token({"other": [Grant.TALK]})) as chat:
            with pytest.raises(openai.NotFoundError):
                await chat.chat.completions.create(model=AGENT, messages=said, user="Tom")
            with pytest.raises(openai.NotFoundError):
                await chat.chat.completions.create(model=AGENT, messages=said, user="Tom", stream=True)
            with pytest.raises(openai.UnprocessableEntityError):
                await chat.chat.completions.create(model=AGENT, messages=[{"role": "system", "content": "x"}])


async def heard(lines: AsyncIterator[str]) -> tuple[str, Any]:
    """The next event of a stream that goes on: its number and its data."""
    number = ""
    async with asyncio.timeout(20):
        async for line in lines:
            number = line.removeprefix("id: ") if line.startswith("id: ") else number
            if line.startswith("data: "):
                return number, json.loads(line.removeprefix("data: "))
    raise AssertionError("the stream ended")


async def test_what_changes_is_told_and_can_be_gone_on_with(tmp_path: Path) -> None:
    async with served(tmp_path) as server, answering(server) as client:
        feed = {"agent": AGENT}
        async with client.stream("GET", "/v1/changes", params=feed) as stream:
            lines = stream.aiter_lines()
            _, begun = await heard(lines)
            said = {"person": "Tom", "text": "I live in Oslo."}
            await client.post(f"/v1/agents/{AGENT}/turns", params={"wait": "read"}, json=said)
            number, changed = await heard(lines)
            assert changed["memory"]["content"] == said["text"]
        async with client.stream("GET", "/v1/changes", params={**feed, "after": begun["cursor"]}) as stream:
            lines = stream.aiter_lines()
            await heard(lines)
            assert (await heard(lines))[0] == number
        await client.post("/v1/forget", json={"agent": AGENT, "id": changed["memoryId"]})
        async with client.stream("GET", "/v1/changes", params=feed, headers={"Last-Event-ID": number}) as stream:
            lines = stream.aiter_lines()
            await heard(lines)
            assert (await heard(lines))[1] == {"memoryId": changed["memoryId"], "memory": None}
        assert (await client.get("/v1/changes", params={**feed, "after": "x"})).status_code == 422


async def test_a_stream_ends_with_its_token(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        secret = await server.token(name="brief")
        async with (
            answering(server, secret) as client,
            client.stream("GET", "/v1/changes", params={"agent": AGENT}) as stream,
        ):
            lines = stream.aiter_lines()
            await heard(lines)
            await server.app.tokens.revoke("brief")
            async with asyncio.timeout(5):
                told = [json.loads(line[6:]) async for line in lines if line.startswith("data: ")]
            assert [each.get("code") for each in told] in ([], ["NotFound"])


async def test_streams_are_counted_beside_requests(tmp_path: Path) -> None:
    async with served(tmp_path, concurrency=1, streams=2) as server, answering(server) as client:
        feed: dict[str, Any] = {"params": {"agent": AGENT}}
        async with (
            client.stream("GET", "/v1/changes", **feed) as one,
            client.stream("GET", "/v1/changes", **feed) as two,
        ):
            assert (one.status_code, two.status_code) == (200, 200)
            assert (await client.get("/v1/agents")).status_code == 200
            assert (await client.get("/v1/changes", **feed)).status_code == 429
