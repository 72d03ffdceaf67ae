"""The pages as one program, and what the guard asks of it: whose page it is, and how a refusal looks."""

from collections.abc import Mapping
from typing import Any, Final, cast
from urllib.parse import quote, urlencode

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from agentmem.errors import AgentMemError
from agentmem.interfaces.http.callers import Bearer, Callers
from agentmem.interfaces.http.problems import FAULT, RefusedRequest, refusal
from agentmem.interfaces.web.page import SESSION, Page, get
from agentmem.interfaces.web.rendering import ASSETS
from agentmem.interfaces.web.sign_in import Sessions
from agentmem.interfaces.web.views import (
    agents,
    ask,
    context,
    documents,
    entering,
    graph,
    live,
    memories,
    people,
    queue,
    recall,
    reflection,
    talk,
    talk_record,
)
from agentmem.interfaces.web.views.entering import NEXT

ELSEWHERE: Final = ("/v1", "/mcp", "/openai", "/healthz", "/readyz", "/metrics", "/openapi.json", "/.well-known")
_BELOW: Final = tuple(f"{start}/" for start in ELSEWHERE)
"""Where no page is: what programs ask for."""

OPEN_TO_ALL: Final = ("/enter", "/static/")
FORMS: Final = (b"application/x-www-form-urlencoded", b"multipart/form-data")

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"content-security-policy", _POLICY.encode()),
    (b"referrer-policy", b"same-origin"),  # with no-referrer a browser names no origin with a form
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_FRESH: Final = (b"cache-control", b"no-store")


class Site:
    """Answers whatever `is_page`."""

    def __init__(self, callers: Callers) -> None:
        self.sessions = Sessions(callers)
        self.program = Starlette(
            routes=[
                *agents.ROUTES,
                *people.ROUTES,
                *memories.ROUTES,
                *talk_record.ROUTES,
                *live.ROUTES,
                *recall.ROUTES,
                *ask.ROUTES,
                *context.ROUTES,
                *graph.ROUTES,
                *reflection.ROUTES,
                *documents.ROUTES,
                *queue.ROUTES,
                *talk.ROUTES,
                *entering.routes(self.sessions),
                *entering.ROUTES,
                get("/static/{file}", _asset),
            ],
            exception_handlers={AgentMemError: _of_ours, HTTPException: _of_http, Exception: _fault},
        )

    async def caller(self, scope: Scope, headers: Mapping[bytes, bytes]) -> Bearer | None:
        """Who has this page open; None where anybody may look. Raises `RefusedRequest` with 401."""
        path = scope["path"]
        if path == OPEN_TO_ALL[0] or path.startswith(OPEN_TO_ALL[1]):
            return None
        caller, scope[SESSION] = await self.sessions.of(headers)
        return caller

    def refused(self, scope: Scope, problem: RefusedRequest) -> Response:
        """The page that tells why there is none; whoever has not entered is led to where he can, a stream is not."""
        request = Request(scope)
        looks = scope["method"] in ("GET", "HEAD") and "event-stream" not in request.headers.get("accept", "")
        if problem.code == "NoSession" and looks:
            return RedirectResponse(f"/enter{_leading_on(request)}", 303)
        return _told(Page.of(request), problem)


def _leading_on(request: Request) -> str:
    """What has the page where one enters lead on to what was asked for."""
    query = request.url.query
    asked = quote(request.url.path) + (f"?{query}" if query else "")
    return "" if asked == "/" else f"?{urlencode({NEXT: asked})}"


def is_page(path: str) -> bool:
    """Whether a page answers there, with a session, and nothing that takes tokens."""
    return not (path in ELSEWHERE or path.startswith(_BELOW))


def page_headers(path: str) -> list[tuple[bytes, bytes]]:
    """What every answer there says. Of what is kept by the browser the answer itself says how long."""
    return _HEADERS if path.startswith(OPEN_TO_ALL[1]) else [*_HEADERS, _FRESH]


async def _asset(page: Page) -> Response:
    return await ASSETS.answer(page.request)


def _told(page: Page, problem: RefusedRequest) -> Response:
    line = page.words.known(f"error.{problem.code}", page.words("error.other"))
    detail, own_words = ("", "") if problem.code in _SAID else page.reason(problem.code, problem.detail)
    shown = {"line": line, "detail": "" if own_words else detail, "own_words": own_words}
    answer = page.show("error.html", problem.status_code, **shown)
    if retry := (problem.headers or {}).get("Retry-After"):
        answer.headers["Retry-After"] = retry
    return answer


_SAID: Final = frozenset({"NotFound", "NoToken", "NoSession", "InternalError", "ForeignForm"})
"""Of these the line says everything."""


async def _of_ours(request: Request, error: Exception) -> Response:
    return _told(Page.of(request), refusal(cast(AgentMemError, error)))


async def _of_http(request: Request, error: Exception) -> Response:
    problem: Any = error
    if not isinstance(error, RefusedRequest):
        code = "NotFound" if problem.status_code == 404 else "other"
        problem = RefusedRequest(problem.status_code, code, str(problem.detail), problem.headers)
    return _told(Page.of(request), problem)


async def _fault(request: Request, _: Exception) -> Response:
    return _told(Page.of(request), RefusedRequest(500, "InternalError", FAULT))
