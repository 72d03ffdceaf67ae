"""The SDK's own client of the Model Context Protocol, at a server in this process."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from tests.support.served import BASE, Served


@asynccontextmanager
async def connected(server: Served, secret: str) -> AsyncGenerator[Client]:
    """A client at /mcp with this token."""
    transport = httpx2.ASGITransport(server.program)
    headers = {"Authorization": f"Bearer {secret}"}
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers, base_url=BASE) as http,
        Client(streamable_http_client(f"{BASE}/mcp", http_client=http)) as client,
    ):
        yield client


async def called(client: Client, tool: str, **given: object) -> Any:
    """What a tool answers; an error as its text."""
    answer = await client.call_tool(tool, dict(given))
    assert isinstance(answer.content[0], TextContent)
    return answer.content[0].text if answer.is_error else answer.structured_content
