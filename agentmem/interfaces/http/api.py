"""The program that answers over HTTP: its routes, its errors, and the guard before them."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, cast

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from starlette.exceptions import HTTPException
from starlette.responses import Response

from agentmem.errors import AgentMemError, in_tree
from agentmem.interfaces.http.asking import PROBLEMS
from agentmem.interfaces.http.audit import Audit, Metrics
from agentmem.interfaces.http.callers import Callers
from agentmem.interfaces.http.direct import Direct
from agentmem.interfaces.http.guard import Guard
from agentmem.interfaces.http.problems import ProblemDetails, RefusedRequest, invalid_request, note_fault, refusal
from agentmem.interfaces.http.routes import (
    agents,
    calls,
    copies,
    documents,
    graph,
    memories,
    openai,
    recall,
    state,
    talks,
    turns,
    upkeep,
)
from agentmem.interfaces.installed import installed_version
from agentmem.interfaces.mcp.transports import mcp_routes
from agentmem.interfaces.web.site import Site
from agentmem.runtime.configuration.settings import ServerSettings

ROUTERS: Final = (
    turns.router,
    recall.router,
    memories.router,
    agents.router,
    copies.router,
    documents.router,
    graph.router,
    talks.router,
    calls.router,
    openai.router,
    upkeep.router,
    state.router,
)
ABOUT: Final = """Memory that lasts, corrects itself and can be asked, for agents with a persona.

Every request but `GET /healthz` shows a token: `Authorization: Bearer TOKEN`. The token says whose agents these are and
what may be done; nothing in a request can widen that. What is forbidden is answered as what is not there."""


@asynccontextmanager
async def guarded(options: ServerSettings, callers: Callers, audit: Audit) -> AsyncGenerator[Guard]:
    """The whole program, for those who are let in, while the body runs."""
    metrics = Metrics()
    inner = routes()
    inner.state.metrics = metrics
    async with mcp_routes(options.issuer) as more:
        inner.router.routes.extend(more)
        yield Guard(Direct(inner), Site(callers), callers, options, audit, metrics)


def routes() -> FastAPI:
    """What can be asked for, with its document at `/openapi.json`."""
    api = FastAPI(
        title="agentmem",
        version=installed_version(),
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # it logs errors with their words; we trace
        separate_input_output_schemas=True,
        routes=_included().routes,
    )
    for kind, answer in _ANSWERS.items():
        api.add_exception_handler(kind, answer)
    api.openapi = lambda: _document(api)
    return api


@lru_cache(1)
def _included() -> APIRouter:
    """All routes, as every program has them: FastAPI reads the signature of each anew wherever it is included."""
    whole = APIRouter(responses=cast("dict[int | str, dict[str, Any]]", PROBLEMS))
    for router in ROUTERS:
        whole.include_router(router)
    return whole


def _document(api: FastAPI) -> dict[str, Any]:
    """The OpenAPI document: of FastAPI, with the one way to show a token."""
    if api.openapi_schema is None:
        made = get_openapi(
            title=api.title,
            version=api.version,
            description=api.description,
            routes=api.routes,
            separate_input_output_schemas=True,
        )
        made["components"]["schemas"]["ProblemDetails"] = TypeAdapter(ProblemDetails).json_schema()
        made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        made["security"] = [{"token": []}]
        api.openapi_schema = made
    return api.openapi_schema


async def _of_ours(request: Request, error: Exception) -> Response:
    note_fault(error)
    return refusal(cast(AgentMemError, error)).answer(request.url.path)


async def _unforeseen(request: Request, error: Exception) -> Response:
    """What a route does not expect, such as a full disk; it goes on to the guard, which logs it."""
    return refusal(in_tree(error)).answer(request.url.path)


async def _of_the_request(request: Request, error: Exception) -> Response:
    return invalid_request(cast(RequestValidationError, error)).answer(request.url.path)


async def _refused(request: Request, error: Exception) -> Response:
    return cast(RefusedRequest, error).answer(request.url.path)


async def _of_http(request: Request, error: Exception) -> Response:
    """No such route, or no such method of it."""
    told = cast(HTTPException, error)
    phrase = HTTPStatus(told.status_code).phrase
    code = "NotFound" if told.status_code == 404 else phrase.title().replace(" ", "")
    return RefusedRequest(told.status_code, code, phrase.lower(), dict(told.headers or {})).answer(request.url.path)


_ANSWERS: Final[dict[type[Exception], Callable[[Request, Exception], Awaitable[Response]]]] = {
    AgentMemError: _of_ours,
    RequestValidationError: _of_the_request,
    RefusedRequest: _refused,
    HTTPException: _of_http,
    Exception: _unforeseen,
}
