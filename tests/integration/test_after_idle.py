"""The first request after nobody came for long: the database has closed its connections, the token has expired, a proxy
has cut the stream."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from agentmem.adapters.cognition.rules.engine import RulesCognition
from agentmem.errors import BackendUnavailable
from agentmem.interfaces.http.serving import GONE_SECONDS, bound
from agentmem.runtime.configuration.settings import ServerSettings
from agentmem.runtime.host.clocks import ManualClock
from tests.fixtures.talking_model import Says, Speaker
from tests.support.journals import until
from tests.support.nodes import AGENT
from tests.support.postgres import POSTGRES, schema, unreachable
from tests.support.served import Served, served
from tests.support.socketed import answering

HERE = f"/v1/agents/{AGENT}"
SAID = {"person": "Tom", "text": "I live in Oslo."}
PATIENCE = 20.0


def close_connections(namespace: str) -> int:
    """Have PostgreSQL end all connections to this schema, as it does to those that were idle for too long; how many."""
    mine = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = %s"
    with psycopg.connect(POSTGRES, autocommit=True) as admin:
        row = admin.execute(mine, (f"agentmem {namespace}",)).fetchone()
    return row[0] if row else 0


FIRST = {
    "a turn": ("POST", f"{HERE}/turns", SAID, 202),
    "a talk": ("POST", f"{HERE}/talk", SAID, 200),
    "a recall": ("POST", "/v1/recall", {"agent": AGENT, "query": "Where does Tom live?"}, 200),
    "a listing": ("GET", f"/v1/memories?agent={AGENT}", None, 200),
}


@pytest.mark.external
@pytest.mark.skipif(unreachable() is not None, reason="no PostgreSQL")
async def test_the_first_request_after_the_database_closed_its_connections_is_answered(tmp_path: Path) -> None:
    speaker = Speaker(lambda number, _: Says("How nice."))
    with schema() as namespace:
        store = {"journal": {"kind": "postgres", "url": POSTGRES, "schema": namespace}}
        async with (
            served(tmp_path, RulesCognition(), speaks=speaker.chat, store=store) as server,
            server.client() as client,
        ):
            for what, (method, path, body, status) in FIRST.items():
                assert close_connections(namespace) > 0, what
                answer = await client.request(method, path, json=body)
                assert (answer.status_code, "event: error" in answer.text) == (status, False), (what, answer.text)
            assert close_connections(namespace) > 0
            await server.app.drain()  # and the workers go on
            found = await client.post("/v1/recall", json={"agent": AGENT, "query": "Where does Tom live?"})
            assert "Oslo" in found.json()["hits"][0]["memory"]["content"]


async def test_whose_token_expired_meanwhile_is_told_so_and_comes_back_with_another(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        clock = server.app.clock
        assert isinstance(clock, ManualClock)
        async with server.client(await server.token(name="brief", lifetime=timedelta(hours=1))) as client:
            assert (await client.post(f"{HERE}/turns", json=SAID)).status_code == 202
            clock.advance(timedelta(hours=2))
            await server.callers.look()
            late = await client.post(f"{HERE}/turns", json=SAID)
            assert (late.status_code, 'error="invalid_token"' in late.headers["WWW-Authenticate"]) == (401, True)
            assert "expired" in late.json()["detail"]
            client.headers["Authorization"] = f"Bearer {await server.token(name='next')}"
            assert (await client.post(f"{HERE}/turns", json=SAID)).status_code == 202


async def told(lines: AsyncIterator[str]) -> tuple[str, Any]:
    """The next event: its number and what it says."""
    number = ""
    async with asyncio.timeout(PATIENCE):
        async for line in lines:
            number = line.removeprefix("id: ") if line.startswith("id: ") else number
            if line.startswith("data: "):
                return number, json.loads(line.removeprefix("data: "))
    raise AssertionError("the stream ended")


@asynccontextmanager
async def cut_off(
    server: Served, client: httpx.AsyncClient, path: str, secret: str
) -> AsyncGenerator[AsyncIterator[str]]:
    """The lines of a stream over a connection that is reset at the end of the body, in the middle of the answer."""
    reader, writer = await asyncio.open_connection(client.base_url.host, client.base_url.port)
    head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {secret}\r\n\r\n"
    writer.write(head.encode())

    async def lines() -> AsyncIterator[str]:
        while line := await reader.readline():
            yield line.decode().strip()

    try:
        yield lines()
    finally:
        writer.transport.abort()
        await until(lambda: not any(each.streams.under_way for each in server.callers.known))  # it is given back


async def test_a_stream_that_a_proxy_cut_is_given_back_and_gone_on_with_where_it_was(tmp_path: Path) -> None:
    async with served(tmp_path, RulesCognition(), streams=2) as server, answering(server) as client:
        feed = f"/v1/changes?agent={AGENT}"
        async with cut_off(server, client, feed, server.owner) as lines:
            _, begun = await told(lines)
        await client.post(f"{HERE}/turns", params={"wait": "read"}, json=SAID)
        headers = {"Last-Event-ID": begun["cursor"]}
        async with client.stream("GET", feed, headers=headers) as stream:
            assert stream.status_code == 200
            again = stream.aiter_lines()
            await told(again)
            assert (await told(again))[1]["memory"]["content"] == SAID["text"]


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="of Linux")
def test_who_is_gone_without_a_word_is_given_up_in_time() -> None:
    with bound(ServerSettings(port=0)) as listening, socket.create_connection(listening.getsockname()[:2]):
        taken, _ = listening.accept()
        with taken:
            assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == GONE_SECONDS * 1_000
            assert taken.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1


def test_a_port_that_is_taken_is_refused_with_how_to_name_another() -> None:
    with ExitStack() as stack:
        listening = stack.enter_context(bound(ServerSettings(port=0)))
        taken = ServerSettings(port=listening.getsockname()[1])
        with pytest.raises(BackendUnavailable, match=r"--port or server\.port names another"):
            stack.enter_context(bound(taken))
