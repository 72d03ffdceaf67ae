"""Turns are taken in on a direct way, which answers every request as the framework's way does."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from agentmem.domain.scope import Scope as MemoryScope
from agentmem.interfaces.http.audit import NAME
from agentmem.interfaces.http.callers import CALLER
from agentmem.interfaces.http.direct import Direct
from agentmem.retrieval.query import RecallQuery
from tests.support.nodes import AGENT, TENANT
from tests.support.served import served

TURNS = f"/v1/agents/{AGENT}/turns"
ROUND = {"round": "about"}
"""A query that no route knows sends a request round the framework's way."""

PLAIN: dict[str, Any] = {"person": "Tom", "text": "I live in Oslo."}
BODIES: dict[str, bytes] = {
    "a turn": json.dumps(PLAIN).encode(),
    "a turn with everything": json.dumps(
        {
            **PLAIN,
            "title": "Dr",
            "byAgent": True,
            "run": "r",
            "at": "2026-01-01T10:00:00Z",
            "meta": {"a": [1]},
            "end": True,
        }
    ).encode(),
    "nobody speaks": b'{"text": "I live in Oslo."}',
    "an unknown field": json.dumps({**PLAIN, "tenant": "other"}).encode(),
    "no time zone": json.dumps({**PLAIN, "at": "2026-01-01T10:00:00"}).encode(),
    "a number for a text": json.dumps({**PLAIN, "text": 5}).encode(),
    "no number there is": b'{"person": "Tom", "text": "x", "meta": {"a": NaN}}',
    "half a surrogate pair": b'{"person": "Tom", "text": "\\ud800"}',
    "NUL": b'{"person": "Tom", "text": "a\\u0000b"}',
    "no JSON": b"{",
    "no UTF-8": b'{"person": "\xff", "text": "x"}',
    "a list": b"[]",
    "nothing": b"",
    "much too deep": b'{"meta": ' + b"[" * 100_000,
}


async def both(client: httpx.AsyncClient, path: str, body: bytes, **headers: str | bytes) -> list[tuple[int, Any]]:
    """How it is answered on the direct way and round about."""
    answers: list[tuple[int, Any]] = []
    for query in (None, ROUND):
        sent: dict[str, Any] = {"Content-Type": "application/json", **headers}
        answer = await client.post(path, params=query, content=body, headers=sent)
        told = answer.json()
        answers.append((answer.status_code, told if answer.status_code >= 400 else sorted(told)))
    return answers


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
async def test_both_ways_answer_a_turn_alike(tmp_path: Path, body: bytes) -> None:
    async with served(tmp_path) as server, server.client() as client:
        direct, round_about = await both(client, TURNS, body)
        assert direct == round_about


@pytest.mark.parametrize(
    "path", [TURNS, f"{TURNS}/batch", "/v1/agents/nobody/turns", f"/v1/agents/{'a' * 65}/turns", "/v1/agents//turns"]
)
@pytest.mark.parametrize("key", ["42", "", " ", "k" * 201, "caf\xe9".encode("latin-1")])
async def test_both_ways_know_the_same_agents_keys_and_batches(tmp_path: Path, path: str, key: str | bytes) -> None:
    body = json.dumps({"person": "Tom", "turns": [{"text": "Hi"}]} if path.endswith("batch") else PLAIN).encode()
    async with served(tmp_path) as server, server.client() as client:
        direct, round_about = await both(client, path, body, **{"Idempotency-Key": key})
        assert direct == round_about


async def test_a_turn_is_one_under_its_key_whichever_way_it_comes(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        keyed = {"Idempotency-Key": "42"}
        direct, again = [
            (await client.post(TURNS, json=PLAIN, params=query, headers=keyed)).json() for query in (None, ROUND)
        ]
        assert direct["eventId"] == again["eventId"]
        assert (direct["duplicate"], again["duplicate"]) == (False, True)


async def test_the_audit_log_tells_of_both_ways_alike(tmp_path: Path) -> None:
    async with served(tmp_path) as server, server.client() as client:
        await both(client, TURNS, BODIES["a turn"])
        await both(client, TURNS, BODIES["no JSON"])
        folder = server.app.settings.data
    lines = [json.loads(line) for line in (folder / NAME).read_text().splitlines()]
    told = [{name: line[name] for name in ("method", "route", "of", "status")} for line in lines]
    assert told[0] == told[1]
    assert told[2] == told[3]
    assert [line["status"] for line in told] == [202, 202, 422, 422]
    assert told[0]["route"] == "/v1/agents/{agent}/turns"


async def test_only_what_is_not_plain_goes_round(tmp_path: Path) -> None:
    round_about: list[str] = []

    async def framework(scope: Scope, receive: Receive, send: Send) -> None:
        round_about.append(scope["query_string"].decode())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async with served(tmp_path) as server:
        direct = Direct(framework)
        caller = await server.callers.of(f"Bearer {server.owner}", "127.0.0.1")

        async def let_in(scope: Scope, receive: Receive, send: Send) -> None:
            await direct({**scope, CALLER: caller}, receive, send)

        async with httpx.AsyncClient(transport=httpx.ASGITransport(let_in), base_url="http://here") as client:
            assert (await client.post(TURNS, json=PLAIN)).status_code == 202
            assert round_about == []
            await client.post(TURNS, json=PLAIN, params={"wait": "read"})
            assert round_about == ["wait=read"]


@pytest.mark.parametrize("query", [b"", b"round=about"])
async def test_a_request_that_is_broken_off_stores_nothing_though_what_came_is_whole(
    tmp_path: Path, query: bytes
) -> None:
    async with served(tmp_path) as server:
        came: list[Message] = [
            {"type": "http.disconnect"},
            {"type": "http.request", "body": BODIES["a turn"], "more_body": True},
        ]
        sent: list[Message] = []

        async def receive() -> Message:
            return came.pop() if len(came) > 1 else came[0]

        async def send(message: Message) -> None:
            sent.append(message)

        headers = {"host": "127.0.0.1:8420", "authorization": f"Bearer {server.owner}"}
        headers |= {"content-type": "application/json", "transfer-encoding": "chunked"}
        scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http"}
        scope |= {"path": TURNS, "raw_path": TURNS.encode(), "root_path": "", "query_string": query}
        scope |= {"headers": [(name.encode(), value.encode()) for name, value in headers.items()]}
        scope |= {"client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8420)}
        await server.program(scope, receive, send)
        assert [message["status"] for message in sent if "status" in message] == [400]
        found = await server.app.recall(RecallQuery(MemoryScope(TENANT, AGENT), "Who lives in Oslo?"))
        assert found.hits == ()
