"""What every route is given: on whose behalf it answers, and under which key a call is repeated."""

import hashlib
import json
from typing import Annotated, Final, cast

from fastapi import Depends, Header, Path, Query, Request
from pydantic import AwareDatetime
from starlette.responses import Response

from agentmem.domain.ids import Name
from agentmem.interfaces.http.callers import CALLER, Bearer
from agentmem.interfaces.http.problems import RefusedRequest
from agentmem.runtime.facade.app import App


async def _caller(request: Request) -> Bearer:
    return cast(Bearer, request.scope[CALLER])


async def _app(request: Request) -> App:
    return cast(Bearer, request.scope[CALLER]).app


Calling = Annotated[Bearer, Depends(_caller)]
"""Who asks."""

Asking = Annotated[App, Depends(_app)]
"""The app on behalf of whoever asks."""

IdempotencyKey = Annotated[
    Name | None, Header(alias="Idempotency-Key", description="A call repeated under it is the same call.")
]
IfMatch = Annotated[
    str | None, Header(alias="If-Match", max_length=200, description="Only where the ETag is still this.")
]

AgentPath = Annotated[str, Path(max_length=64, description="The agent's id.", examples=["aip_sales"])]
Cursor = Annotated[str | None, Query(max_length=100, description="`next` of the page before.")]
PageLimit = Annotated[int, Query(ge=1, le=1_000)]
AsOf = Annotated[AwareDatetime | None, Query(alias="asOf", description="What was true at that time.")]
KnownAt = Annotated[AwareDatetime | None, Query(alias="knownAt", description="What was known at that time.")]

PROBLEMS: Final[dict[int | str, dict[str, object]]] = {
    status: {
        "description": description,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}},
    }
    for status, description in {
        400: "No request that can be read",
        401: "No token, or none that is valid",
        403: "From a page that may not call",
        404: "Not there, or not for you: both are answered in the same words",
        409: "Somebody else changed it first",
        405: "Not with this method",
        412: "It has changed since the ETag was told",
        413: "Too large",
        415: "Of a kind that is not taken",
        421: "For another host",
        422: "Not as it must be",
        429: "Too much at a time: see Retry-After",
        502: "A model's answer cannot be used",
        503: "A store or a service does not answer: see Retry-After",
        504: "Took too long",
        507: "The disk is full",
    }.items()
}


class JsonResponse(Response):
    """Plain data as JSON; what is no text, such as half a surrogate pair, is none of it."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """See `Response`."""
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(errors="replace")


def etag(*parts: object) -> str:
    """A tag that changes with any of these."""
    return f'"{hashlib.blake2b(repr(parts).encode(), digest_size=12).hexdigest()}"'


def demand_match(wanted: str | None, tag: str) -> None:
    """Raise `RefusedRequest` with 412 where somebody wants to change another state than there is."""
    if wanted is not None and wanted.strip() not in ("*", tag):
        raise RefusedRequest(412, "Conflict", "it has changed since: read it anew, then decide")
