"""How the tools are reached. At `/mcp` they are behind the guard that everything over HTTP has, and each message is
answered for its own token; over standard input and output they are for a program that starts this one."""

import json
from asyncio import StreamReader
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, cast

from anyio import create_task_group
from mcp.server.auth.handlers.metadata import ProtectedResourceMetadataHandler
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared._context_streams import ContextReceiveStream, ContextSendStream, create_context_streams
from mcp.shared.auth import ProtectedResourceMetadata
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import AnyHttpUrl, ValidationError
from starlette.requests import Request
from starlette.routing import BaseRoute, Route

from agentmem.domain.bounds import json_fault
from agentmem.interfaces.http.callers import CALLER, METADATA, Bearer
from agentmem.interfaces.mcp.tools import Call, memory_server
from agentmem.runtime.configuration.settings import IssuerSettings
from agentmem.runtime.facade.app import App

PATH = "/mcp"


Incoming = ContextReceiveStream[SessionMessage | Exception]
Outgoing = ContextSendStream[SessionMessage | Exception]
Answers = ContextSendStream[SessionMessage]


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


class Lines(Protocol):
    """What comes in by line, and what sends words out."""

    @property
    def lines(self) -> StreamReader:
        """Ends when the other side closes."""
        ...

    @property
    def say(self) -> Callable[[str], Awaitable[None]]:
        """Sends."""
        ...


@dataclass(frozen=True, slots=True)
class _Out:
    """As much of a text file as the protocol writes to."""

    say: Callable[[str], Awaitable[None]]

    async def write(self, text: str) -> None:
        await self.say(text)

    async def flush(self) -> None:
        """It is sent as it is written."""


async def speak(app: App, wire: Lines | None = None) -> None:
    """Answer until the other side closes; over `wire` in the place of this process's own input and output."""
    server = memory_server(lambda _: app)
    # the SDK asks for files and reads them by line; the server below its own `run` takes any streams
    files = cast("tuple[Any, Any]", () if wire is None else (wire.lines, _Out(wire.say)))
    inner = server._lowlevel_server  # pyright: ignore[reportPrivateUsage] - the SDK runs over given streams nowhere else
    passing, messages = create_context_streams[SessionMessage | Exception](0)
    async with stdio_server(*files) as (reading, writing), messages, create_task_group() as tasks:
        tasks.start_soon(_sorted_out, reading, passing, writing)
        await inner.run(messages, writing, inner.create_initialization_options())


async def _sorted_out(reading: Incoming, passing: Outgoing, writing: Answers) -> None:
    """Pass on what is a message, and answer what is none, which the SDK drops: its sender would wait for ever."""
    async with reading, passing:
        async for each in reading:
            if isinstance(each, ValidationError):
                await writing.send(SessionMessage(_refused(each)))
            else:
                await passing.send(each)


def _refused(error: ValidationError) -> JSONRPCError:
    """The answer to a line that is no message, with its id where it has one that can be written."""
    seen = [each["input"] for each in error.errors()]  # the line where it is no JSON, else the whole of it and parts
    told = ErrorData(code=INVALID_REQUEST, message="this is no message of the protocol, or no valid text")
    try:
        seen += [json.loads(each) for each in seen if isinstance(each, str | bytes)]
    except (ValueError, RecursionError):
        told = ErrorData(code=PARSE_ERROR, message="this is no JSON")
    keys = (cast("dict[str, object]", each).get("id") for each in seen if isinstance(each, dict) and "jsonrpc" in each)
    key = next((each for each in keys if isinstance(each, str | int) and not isinstance(each, bool)), None)
    return JSONRPCError(jsonrpc="2.0", id=None if json_fault(key) else key, error=told)
