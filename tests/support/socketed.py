"""The memory over HTTP behind a socket of this machine, in this process: for what goes on while it is read."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx

from agentmem.interfaces.http.serving import address_of, bound, listener_of
from agentmem.runtime.configuration.settings import ServerSettings
from tests.support.served import Served


@asynccontextmanager
async def answering(server: Served, secret: str | None = None) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of the server, which listens while the body runs, and looks after its tokens."""
    listener = listener_of(server.program, server.program.options, 1.0)
    with bound(ServerSettings(port=0)) as socket:
        serving = asyncio.ensure_future(listener.serve(sockets=[socket]))
        watching = asyncio.ensure_future(server.callers.watch())
        headers = {"Authorization": f"Bearer {secret or server.owner}"}
        try:
            async with httpx.AsyncClient(base_url=address_of(socket), headers=headers, trust_env=False) as client:
                yield client
        finally:
            server.callers.stopping.set()
            listener.should_exit = True
            await serving
            watching.cancel()
