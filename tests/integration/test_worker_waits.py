"""A worker that is started before the stores it works on waits for them, says so, and goes on by itself."""

import asyncio
import json
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.support.cli import agentmem
from tests.support.postgres import POSTGRES, schema
from tests.support.worker_process import said, worker

pytestmark = pytest.mark.thorough


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return int(unused.getsockname()[1])


@pytest.mark.external
async def test_a_worker_waits_for_postgresql(tmp_path: Path) -> None:
    server, port = make_url(POSTGRES), free_port()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind, before = await asyncio.open_connection(server.host, server.port or 5432)

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            with suppress(OSError):
                while part := await source.read(65_536):
                    sink.write(part)
                    await sink.drain()
            sink.close()

        await asyncio.gather(pump(reader, before), pump(behind, writer))

    with schema() as name:
        url = server.set(port=port).render_as_string(hide_password=False)
        journal = json.dumps({"kind": "postgres", "url": url, "schema": name})
        options = ("--data", tmp_path / "data", "--set", f"journal={journal}")
        assert (await asyncio.to_thread(agentmem, "worker", "--once", *options)).code == 4
        async with worker(*options) as process:
            await said(process, "waiting: journal at PostgreSQL")
            forwarding = await asyncio.start_server(forward, "127.0.0.1", port)
            await said(process, "0 ready")
        forwarding.close()


async def test_a_worker_waits_for_a_qdrant_server_and_can_be_stopped_meanwhile(tmp_path: Path) -> None:
    index = json.dumps({"kind": "qdrant", "url": f"http://127.0.0.1:{free_port()}"})
    async with worker("--data", tmp_path / "data", "--set", f"index={index}") as process:
        await said(process, "waiting: Qdrant")


async def test_a_worker_does_not_wait_for_what_waiting_does_not_mend(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_text("no database at all, but a text that is long enough to be taken for one")
    ran = await asyncio.to_thread(agentmem, "worker", "--data", tmp_path)
    assert ran.code == 4
    assert "is not a journal" in ran.err
