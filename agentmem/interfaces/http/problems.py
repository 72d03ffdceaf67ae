"""What went wrong, as `application/problem+json`: a status, the class of the error tree as `code`, and one line."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Final

import structlog
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from agentmem.domain.value import wording
from agentmem.errors import (
    AgentMemError,
    AlreadyThere,
    BackendUnavailable,
    BadAnswer,
    Busy,
    Conflict,
    InternalError,
    InvalidInput,
    Lack,
    LeaseLost,
    NeedsRepair,
    NoRoom,
    NotFound,
    told_from_outside,
    without_content,
)

log = structlog.get_logger()

MEDIA_TYPE: Final = "application/problem+json"
OPENAI: Final = "/openai/"

_STATUS: Final[tuple[tuple[type[AgentMemError], int], ...]] = (
    (AlreadyThere, 409),
    (InvalidInput, 422),
    (NotFound, 404),
    (LeaseLost, 503),
    (Conflict, 409),
    (BadAnswer, 502),
    (Busy, 429),
    (NoRoom, 507),
    (BackendUnavailable, 503),
    (NeedsRepair, 503),
)
_RETRY_AFTER: Final = 1.0
_WAYS: Final[Mapping[Lack, str]] = {
    "agent": "PUT /v1/agents/{agent} introduces one",
    "chat model": "whoever runs this server sets chat_model; "
    "without one what is said is remembered by POST /v1/agents/{agent}/turns",
}
FAULT: Final = "a fault of agentmem; its log says more under the request's id"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemDetails:
    """What every answer that is no success says. `code` is the class of the error, `detail` one line for people."""

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str


class RefusedRequest(HTTPException):
    """A request is answered with this problem, wherever it has come to."""

    def __init__(self, status: int, code: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, detail, dict(headers or {}))
        self.code = code

    def answer(self, path: str) -> Response:
        """The answer to a request of this path. Programs that speak the OpenAI API find the words where that has
        them."""
        status, title = self.status_code, HTTPStatus(self.status_code).phrase
        told = asdict(ProblemDetails(title=title, status=status, code=self.code, detail=self.detail))
        if path.startswith(OPENAI):
            told["error"] = {"message": self.detail, "type": title, "param": None, "code": self.code}
        return Response(json.dumps(told).encode(), status, self.headers, MEDIA_TYPE)


def refusal(error: AgentMemError) -> RefusedRequest:
    """How an error of ours is answered. Of a fault of our own nothing is told: its words may be somebody's."""
    if isinstance(error, InternalError):
        return RefusedRequest(500, InternalError.__name__, FAULT)
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 500)
    headers: dict[str, str] = {}
    if isinstance(error, BackendUnavailable) and status in (429, 503):
        headers["Retry-After"] = str(max(1, round(error.retry_after or _RETRY_AFTER)))
    told = told_from_outside(error, _WAYS)
    if error.of_the_machine:
        log.warning("store_failed", reason=without_content(error))
    return RefusedRequest(status, type(error).__name__, told, headers)


def note_fault(error: Exception, *, event: str = "request_failed") -> None:
    """Have the log say what a fault of our own was; the request's id is bound where it began."""
    if isinstance(error, InternalError) or not isinstance(error, AgentMemError):
        log.error(event, reason=without_content(error))


def invalid_request(error: RequestValidationError) -> RefusedRequest:
    """The first complaint about a request, with where it is."""
    first = error.errors()[0]
    place = ".".join(str(part)[:60] for part in first["loc"])
    return RefusedRequest(422, InvalidInput.__name__, f"{place}: {wording(first)}")
