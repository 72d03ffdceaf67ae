"""What somebody sends who has shown nothing yet: heads without end, requests without number, what two readers would
read in two ways. Each ends in one answer or in none, and others are answered meanwhile."""

import asyncio
import re
import resource
import socket
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from urllib.request import urlopen

import httpx
import pytest

from agentmem.interfaces.http import connection, serving
from agentmem.interfaces.http.connection import MAX_AHEAD, MAX_HEADERS
from tests.integration.test_serve import opened
from tests.support.served import Served, served
from tests.support.socketed import answering
from tests.support.spine import AGENT

PATIENCE = 20.0
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"


class Line:
    """A connection to the server that says what it is told to."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def told(self, data: bytes) -> bytes:
        """All that the server answers to this until it ends the connection."""
        self.writer.write(data)
        return await asyncio.wait_for(self.rest(), PATIENCE)

    async def rest(self) -> bytes:
        """What comes until the connection ends, however it does."""
        parts: list[bytes] = []
        try:
            while part := await self.reader.read(65_536):
                parts.append(part)
        except ConnectionError:
            pass
        return b"".join(parts)


@asynccontextmanager
async def line(client: httpx.AsyncClient) -> AsyncGenerator[Line]:
    """A connection to the server of this client."""
    reader, writer = await asyncio.open_connection(client.base_url.host, client.base_url.port)
    try:
        yield Line(reader, writer)
    finally:
        writer.close()


@asynccontextmanager
async def listening(folder: Path, *, connections: int = 2_000) -> AsyncGenerator[tuple[Served, httpx.AsyncClient]]:
    """A server behind a socket, which answers still when the body ends."""
    async with served(folder, connections=connections) as server, answering(server) as client:
        yield server, client
        assert (await client.get("/healthz", timeout=PATIENCE)).status_code == 200


FLOODS = {
    "one header": HEALTH + b"X: " + b"x" * (MAX_HEADERS + 1) + b"\r\n\r\n",
    "many headers": HEALTH + b"X: x\r\n" * MAX_HEADERS + b"\r\n",
    "an address": b"GET /" + b"x" * (MAX_HEADERS + 1) + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "one header without an end": HEALTH + b"X: " + b"x" * (MAX_HEADERS + 1),
    "headers without an end": HEALTH + b"X: x\r\n" * MAX_HEADERS,
}


@pytest.mark.parametrize("what", FLOODS)
async def test_a_head_has_an_end(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HEADER_SECONDS", 30 * PATIENCE)
    async with listening(tmp_path) as (_, client), line(client) as own:
        assert b"HTTP/1.1 200 " not in await own.told(FLOODS[what])


async def test_a_head_within_the_bound_is_answered(tmp_path: Path) -> None:
    async with listening(tmp_path) as (_, client), line(client) as own:
        told = await own.told(HEALTH + b"X: " + b"x" * (MAX_HEADERS // 2) + b"\r\nConnection: close\r\n\r\n")
        assert told.startswith(b"HTTP/1.1 200 ")


async def quiet(own: Line) -> bool:
    """Whether nothing comes for a while, not even an end."""
    try:
        await asyncio.wait_for(own.reader.read(1), 0.3)
    except TimeoutError:
        return True
    return False


async def test_what_has_come_of_a_head_may_be_as_long_as_a_head(tmp_path: Path) -> None:
    async with listening(tmp_path) as (_, client), line(client) as own:
        begun = HEALTH + b"X: "
        own.writer.write(begun + b"x" * (MAX_HEADERS - len(begun)))
        assert await quiet(own)
        assert (await own.told(b"\r\nConnection: close\r\n\r\n")).startswith(b"HTTP/1.1 200 ")


async def test_a_head_is_as_long_as_it_may_be_and_no_longer(tmp_path: Path) -> None:
    others = len("/healthzHost127.0.0.1XConnectionclose")
    async with listening(tmp_path) as (_, client):
        answers: list[bytes] = []
        for length in (MAX_HEADERS - others, MAX_HEADERS - others + 1):
            async with line(client) as own:
                answers.append(await own.told(HEALTH + b"X: " + b"x" * length + b"\r\nConnection: close\r\n\r\n"))
        assert [b"HTTP/1.1 200 " in answer for answer in answers] == [True, False]


@pytest.mark.parametrize("said", [b"", HEALTH, b"\r\n"])
async def test_who_does_not_say_what_he_wants_is_let_go(
    said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.05)
    async with listening(tmp_path) as (_, client), line(client) as own:
        assert await own.told(said) == b""


@pytest.mark.parametrize("said", [HEALTH, b"\r\n"])
async def test_nor_is_he_waited_for_longer_who_was_answered_once(
    said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(tmp_path) as (_, client), line(client) as own:
        own.writer.write(HEALTH + b"\r\n")
        assert (await own.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        monkeypatch.setattr(connection, "HEADER_SECONDS", 0.05)
        assert b"HTTP/1.1" not in await own.told(said)


async def test_whose_head_has_come_may_take_his_time_over_the_body(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.05)
    body = b'{"person": "Ben", "text": "I like tea."}'
    async with listening(tmp_path) as (server, client), line(client) as own:
        head = (
            f"POST /v1/agents/{AGENT}/turns HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {server.owner}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        own.writer.write(head.encode())
        assert await quiet(own)
        assert (await own.told(body)).startswith(b"HTTP/1.1 202 ")


async def test_who_has_begun_to_ask_again_is_not_taken_for_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "IDLE_SECONDS", 0.1)
    async with listening(tmp_path) as (_, client), line(client) as own:
        own.writer.write(HEALTH + b"\r\n" + HEALTH)
        told = await own.reader.readuntil(b"\r\n\r\n")
        assert told.startswith(b"HTTP/1.1 200 ")
        own.writer.write(b"X: x\r\n")
        assert b"ok" in await own.reader.read(100)
        assert await quiet(own)
        assert b"HTTP/1.1 200 " in await own.told(b"Connection: close\r\n\r\n")


async def test_who_holds_many_connections_holds_up_nobody_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.5)
    async with listening(tmp_path, connections=50) as (_, client), AsyncExitStack() as held:
        idle = [await held.enter_async_context(line(client)) for _ in range(60)]
        async with line(client) as own:
            told = await own.told(HEALTH + b"Connection: close\r\n\r\n")
            assert told.startswith(b"HTTP/1.1 503 ")
        for one in idle:
            assert await asyncio.wait_for(one.rest(), PATIENCE) == b""  # let go, as nothing was said


async def test_who_comes_into_a_crowd_is_let_go_at_once(tmp_path: Path) -> None:
    async with listening(tmp_path, connections=5) as (_, client), AsyncExitStack() as held:
        crowd = [await held.enter_async_context(line(client)) for _ in range(2 * 5)]
        for one in crowd:
            one.writer.write(HEALTH)
        async with line(client) as own:
            assert await own.told(HEALTH + b"\r\n") == b""
        assert await quiet(crowd[-1])
        await held.aclose()


@pytest.mark.thorough
def test_ten_thousand_connections_cost_little_and_who_comes_after_them_is_answered(tmp_path: Path) -> None:
    process, address, _ = opened(tmp_path)
    host, port = address.removeprefix("http://").split(":")
    with process, ExitStack() as held:
        for _ in range(min(10_000, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 200)):
            own = held.enter_context(socket.create_connection((host, int(port)), PATIENCE))
            with suppress(OSError):  # he may be let go already
                own.sendall(HEALTH + b"X: " + b"x" * (MAX_HEADERS - 1_000))
        peak = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text())
        assert peak is not None
        assert int(peak.group(1)) < 512 << 10
        held.close()
        until = monotonic() + PATIENCE
        while True:
            with suppress(OSError), urlopen(f"{address}/healthz", timeout=PATIENCE) as answer:
                assert answer.status == 200
                break
            assert monotonic() < until
        process.terminate()
        assert process.wait(60) == 0


async def test_few_requests_are_sent_ahead(tmp_path: Path) -> None:
    async with listening(tmp_path) as (server, client), line(client) as own:
        asked = b"GET /v1/agents HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + server.owner.encode()
        told = await own.told((asked + b"\r\n\r\n") * MAX_AHEAD * 100)
        assert told.count(b"HTTP/1.1 200 ") <= MAX_AHEAD + 1


@pytest.mark.parametrize("ahead", [MAX_AHEAD, MAX_AHEAD + 1])
async def test_as_many_requests_as_may_be_sent_ahead_are_answered(ahead: int, tmp_path: Path) -> None:
    async with listening(tmp_path) as (_, client), line(client) as own:
        told = await own.told((HEALTH + b"\r\n") * ahead + HEALTH + b"Connection: close\r\n\r\n")
        assert (told.count(b"HTTP/1.1 200 ") == ahead + 1) is (ahead == MAX_AHEAD)


async def test_requests_that_are_sent_ahead_are_answered_in_order(tmp_path: Path) -> None:
    async with listening(tmp_path) as (_, client), line(client) as own:
        other = HEALTH.replace(b"/healthz", b"/v1/agents")
        told = await own.told(HEALTH + b"\r\n" + other + b"\r\n" + HEALTH + b"Connection: close\r\n\r\n")
        assert [part[:3] for part in told.split(b"HTTP/1.1 ")[1:]] == [b"200", b"401", b"200"]


TWICE = {
    "two lengths": b"Content-Length: 2\r\nContent-Length: 44\r\n\r\n{}",
    "a length and pieces": b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "pieces in other words": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "a header on two lines": b"X: a\r\n b\r\n\r\n",
    "a blank before the colon": b"Content-Length : 2\r\n\r\n{}",
    "a line without its return": b"X: a\nContent-Length: 2\n\n{}",
    "a return alone": b"X: a\rY: b\r\n\r\n",
    "nothing in a value": b"X: a\x00b\r\n\r\n",
}


@pytest.mark.parametrize("what", TWICE)
async def test_what_can_be_read_in_two_ways_is_no_request(what: str, tmp_path: Path) -> None:
    async with listening(tmp_path) as (server, client), line(client) as own:
        head = (
            f"POST /v1/agents/{AGENT}/turns HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {server.owner}\r\n"
        )
        inside = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        told = await own.told(head.encode() + TWICE[what] + inside)
        assert told.count(b"HTTP/1.1 ") == 1, told
        assert told.startswith(b"HTTP/1.1 400 "), told


async def test_what_comes_after_a_body_is_no_header(tmp_path: Path) -> None:
    turn = b'{"person": "Ben", "text": "I like tea."}'
    async with listening(tmp_path) as (server, client), line(client) as own:
        head = (
            f"POST /v1/agents/{AGENT}/turns HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {server.owner}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        )
        body = b"%x\r\n%s\r\n0\r\nIdempotency-Key: theirs\r\n\r\n" % (len(turn), turn)
        assert (await own.told(head.encode() + body)).startswith(b"HTTP/1.1 202 ")
        again = await client.post(
            f"/v1/agents/{AGENT}/turns",
            json={"person": "Ben", "text": "I like coffee."},
            headers={"Idempotency-Key": "theirs"},
        )
        assert again.status_code == 202


async def test_a_client_that_offers_another_protocol_is_answered_in_this_one(tmp_path: Path) -> None:
    offer = {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMAAABkAAQAoAAAAAIAAAAA"}
    async with listening(tmp_path) as (_, client):
        said = await client.post(
            f"/v1/agents/{AGENT}/turns", json={"person": "Ben", "text": "I like tea."}, headers=offer, timeout=PATIENCE
        )
        assert said.status_code == 202
        async with line(client) as own:
            assert (await own.told(b"CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")).startswith(
                b"HTTP/1.1 400 "
            )
