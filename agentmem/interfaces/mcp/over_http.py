"""The tools at `/mcp`, behind the guard that everything over HTTP has: each message is answered for its own token."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import cast

from mcp.server.auth.handlers.metadata import ProtectedResourceMetadataHandler
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.auth import ProtectedResourceMetadata
from pydantic import AnyHttpUrl
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from agentmem.interfaces.http.callers import CALLER, METADATA, Bearer
from agentmem.interfaces.mcp.tools import Call, memory_server
from agentmem.runtime.configuration.settings import IssuerSettings
from agentmem.runtime.facade.app import App

PATH = "/mcp"


@asynccontextmanager
async def mcp_routes(issuer: IssuerSettings | None) -> AsyncGenerator[list[BaseRoute]]:
    """What answers at `/mcp`, while the body runs. Nothing is kept between two messages, so no session can be taken.
    Where an issuer is configured, programs are told that he gives tokens for it."""
    server = _server()
    # Host and Origin are the guard's, on whatever address it listens.
    checked_before = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    program = server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, transport_security=checked_before
    )
    async with server.session_manager.run():
        yield [*program.routes, *_metadata(issuer)]


@lru_cache(1)
def _server() -> MCPServer:
    """The tools, as every program has them: each call says on whose behalf it is answered."""
    return memory_server(_app_of)


def _metadata(issuer: IssuerSettings | None) -> list[BaseRoute]:
    if issuer is None or issuer.resource is None:
        return []
    told = ProtectedResourceMetadata(
        resource=AnyHttpUrl(issuer.resource),
        authorization_servers=[AnyHttpUrl(issuer.url)],
        scopes_supported=sorted(issuer.roles) if issuer.roles_claim == "scope" else None,
    )
    return [Route(METADATA, ProtectedResourceMetadataHandler(told).handle)]


def _app_of(ctx: Call) -> App:
    request = cast(Request, ctx.request_context.request)
    return cast(Bearer, request.scope[CALLER]).app
