"""The tools at `/mcp`, behind the guard that everything over HTTP has: each message is answered for its own token."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import cast

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.routing import BaseRoute

from agentmem.interfaces.http.callers import Bearer
from agentmem.interfaces.http.guard import CALLER
from agentmem.interfaces.mcp.tools import Call, memory_server
from agentmem.runtime.facade.app import App

PATH = "/mcp"


@asynccontextmanager
async def mcp_routes() -> AsyncGenerator[list[BaseRoute]]:
    """What answers at `/mcp`, while the body runs. Nothing is kept between two messages, so no session can be taken."""
    server: MCPServer = memory_server(_app_of)
    # Host and Origin are the guard's, on whatever address it listens.
    checked_before = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    program = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=checked_before
    )
    async with server.session_manager.run():
        yield list(program.routes)


def _app_of(ctx: Call) -> App:
    request = cast(Request, ctx.request_context.request)
    return cast(Bearer, request.scope[CALLER]).app
