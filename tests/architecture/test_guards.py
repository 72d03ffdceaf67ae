"""The guards of the test suite itself: a guard that does not bite is worse than none."""

import asyncio
import socket
from pathlib import Path

import pytest

from tests.conftest import NetworkBlocked


def test_other_machines_are_out_of_reach() -> None:
    with socket.socket() as unconnected, pytest.raises(NetworkBlocked, match="connects to"):
        unconnected.connect(("192.0.2.1", 80))


def test_names_of_other_machines_are_not_looked_up() -> None:
    with pytest.raises(NetworkBlocked, match="looks up"):
        socket.getaddrinfo("example.org", 443)


async def test_nor_through_asyncio() -> None:
    with pytest.raises(NetworkBlocked):
        await asyncio.open_connection("192.0.2.1", 80)


async def test_this_machine_is_within_reach(tmp_path: Path) -> None:
    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        writer.close()

    by_port = await asyncio.start_server(greet, "127.0.0.1", 0)
    by_path = await asyncio.start_unix_server(greet, tmp_path / "door")
    async with by_port, by_path:
        host, port = by_port.sockets[0].getsockname()
        for reader, writer in (
            await asyncio.open_connection(host, port),
            await asyncio.open_unix_connection(tmp_path / "door"),
        ):
            assert await reader.read() == b"hello"
            writer.close()
            await writer.wait_closed()


def test_every_test_has_an_end(pytestconfig: pytest.Config) -> None:
    assert float(pytestconfig.getini("timeout")) <= 120
