"""What stands before every request: whose host and page it names, how large it is, who sends it, and how long it takes.

Nothing behind it runs for somebody who was not let in. What is refused here is answered without looking what is asked.
"""

import asyncio
import ipaddress
import time
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from agentmem.errors import in_tree
from agentmem.interfaces.http.audit import Audit, Metrics, method_of, route_of
from agentmem.interfaces.http.callers import CALLER, METADATA, Bearer, Callers
from agentmem.interfaces.http.problems import RefusedRequest, note_fault, refusal
from agentmem.interfaces.web.site import FORMS, Site, is_page, page_headers
from agentmem.runtime.configuration.settings import ServerSettings
from agentmem.tracing import TraceSpan, span

OPEN: Final = frozenset({"/healthz", METADATA})
"""What is answered without a token, beside what `Site` opens."""

LARGE: Final[Mapping[str, int]] = {"/v1/bundles": 256 << 20, "/v1/documents": 32 << 20}
"""Bytes of a body where more than `ServerSettings.body_mb` may come, by how the path begins."""

_LOCAL: Final = ("localhost", "127.0.0.1", "::1")
_JSON: Final = (b"application/json",)
_BODIES: Final[Mapping[str, tuple[bytes, ...]]] = {
    "/v1/agents": (b"application/json", b"application/yaml", b"application/x-yaml"),
    "/v1/bundles": (b"application/octet-stream", b"application/zip"),
    "/v1/documents": (b"application/octet-stream", b"text/plain", b"text/markdown", b"text/html", b"application/pdf"),
}
"""What a body may be, by how the path begins; JSON everywhere."""

_DECIDING: Final = (
    *(b"host", b"origin", b"authorization", b"cookie"),
    *(b"content-length", b"content-type", b"content-encoding"),
)
_HEADERS: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
]

_PREFLIGHT: Final = {
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type, idempotency-key, if-match, last-event-id",
    "access-control-max-age": "600",
}


@dataclass(slots=True)
class _Answered:
    """What became of a request."""

    status: int = 0


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets requests through: for pages to `site`, with a session; for all else to `inner`, with a token. The id of each
    is the server's own name and its number."""

    inner: ASGIApp
    site: Site
    callers: Callers
    options: ServerSettings
    audit: Audit
    metrics: Metrics
    name: str = field(default_factory=lambda: uuid4().hex[:12])
    numbers: Iterator[int] = field(default_factory=count)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            raise ValueError(f"no {scope['type']!r} is spoken here")
        began, number, told = time.perf_counter(), f"{self.name}-{next(self.numbers)}", _Answered()
        bind_contextvars(request=number)
        headers = dict(scope["headers"])
        more = page_headers(scope["path"]) if is_page(scope["path"]) else [*_HEADERS, *self._cross_origin(headers)]
        answer = _telling(send, told, [*more, (b"x-request-id", number.encode())])
        caller: Bearer | None = None
        try:
            self._check(scope, headers)
            if self._is_preflight(scope, headers):
                await Response(None, 204, _PREFLIGHT)(scope, receive, answer)
                return
            caller = await self._caller(scope, headers)
            scope[CALLER] = caller
            causes = [_text(headers.get(b"traceparent"))]
            with span(method_of(scope), "SERVER", causes=causes, agentmem__request=number) as answering:
                try:
                    await self._let_through(scope, self._bounded(scope, receive), answer, caller)
                finally:
                    _describe(answering, scope, told.status)
        except Exception as error:  # noqa: BLE001 - the request ends here; whatever went wrong in it is answered
            await self._tell(error, told, scope, receive, answer)
        finally:
            seconds = time.perf_counter() - began
            self.metrics.answered(scope, told.status, seconds)
            self.audit.note(scope, number, caller.name if caller else None, told.status, seconds)

    async def _caller(self, scope: Scope, headers: Mapping[bytes, bytes]) -> Bearer | None:
        """Who asks; None for what is open to all. A token opens no page, and a session nothing else."""
        if is_page(scope["path"]):
            return await self.site.caller(scope, headers)
        if scope["path"] in OPEN:
            return None
        return await self.callers.of(_text(headers.get(b"authorization")), _address(scope))

    async def _let_through(self, scope: Scope, receive: Receive, send: Send, caller: Bearer | None) -> None:
        """What streams is neither bounded in time nor counted as a request, once it has begun. Of a file on its way
        in or out, the time between two pieces is bounded."""
        with ExitStack() as held:
            if caller is not None:
                held.enter_context(caller.requests.taken())
            async with asyncio.timeout(self.options.request_seconds) as limit:

                def goes_on() -> None:
                    if _under(LARGE, scope["path"], 0) and not limit.expired():
                        limit.reschedule(asyncio.get_running_loop().time() + self.options.request_seconds)

                async def heard() -> Message:
                    message = await receive()
                    goes_on()
                    return message

                async def watched(message: Message) -> None:
                    if message["type"] == "http.response.start" and _is_stream(message):
                        limit.reschedule(None)
                        held.close()
                    await send(message)
                    goes_on()

                answering = self.site.program if is_page(scope["path"]) else self.inner
                await answering(scope, heard, watched)

    async def _tell(self, error: Exception, told: _Answered, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with what went wrong, unless an answer was begun; then it ends in the middle."""
        problem = self._problem(error)
        if not told.status:
            answer = self.site.refused(scope, problem) if is_page(scope["path"]) else problem.answer(scope["path"])
            await answer(scope, receive, send)

    def _problem(self, error: Exception) -> RefusedRequest:
        match error:
            case RefusedRequest():
                return error
            case TimeoutError():
                return RefusedRequest(504, "TooSlow", f"took longer than {self.options.request_seconds:g} seconds")
            case _:
                note_fault(error)
                return refusal(in_tree(error))

    def _check(self, scope: Scope, headers: Mapping[bytes, bytes]) -> None:
        """Raise `RefusedRequest` for what no honest client sends here."""
        _check_once(scope["headers"])
        self._check_host(scope, headers)
        origin = headers.get(b"origin")
        if origin is not None and not self._is_ours(scope, headers, _text(origin) or ""):
            raise RefusedRequest(403, "ForeignOrigin", "pages of this origin may not call: see server.origins")
        if headers.get(b"content-encoding", b"identity") != b"identity":
            raise RefusedRequest(415, "UnknownEncoding", "a body must come as it is, not compressed")
        self._check_body(scope, headers)

    def _check_host(self, scope: Scope, headers: Mapping[bytes, bytes]) -> None:
        name = _host(_text(headers.get(b"host")) or "")
        local = (scope.get("server") or ("", None))[0]
        own = {local, self.options.host, *self.options.hosts}
        if _is_loopback(local):
            own.update(_LOCAL)
        if name not in own:
            raise RefusedRequest(421, "ForeignHost", "this server is not called by that name: see server.hosts")

    def _is_ours(self, scope: Scope, headers: Mapping[bytes, bytes], origin: str) -> bool:
        """Whether a page of this origin may ask; of our own pages, which know a session, only they themselves."""
        host = _text(headers.get(b"host"))
        own = (f"{scope['scheme']}://{host}", *(each for each in self.options.origins if _after_scheme(each) == host))
        return origin in (own if is_page(scope["path"]) else (*own, *self.options.origins))

    def _check_body(self, scope: Scope, headers: Mapping[bytes, bytes]) -> None:
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._most(scope):
            raise RefusedRequest(413, "TooLarge", f"a body may have {self._most(scope):,} bytes here")
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        if length == b"0" and b"transfer-encoding" not in headers:
            return
        kinds = FORMS if is_page(scope["path"]) else _under(_BODIES, scope["path"], _JSON)
        if kind not in kinds and (kinds is FORMS or kind not in _JSON):
            wanted = "a form" if kinds is FORMS else "application/json"
            raise RefusedRequest(415, "UnknownMediaType", f"a body must be {wanted}, and say so")

    def _most(self, scope: Scope) -> int:
        return _under(LARGE, scope["path"], self.options.body_mb << 20)

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """The body, as long as it keeps to its bound, however it is sent."""
        most, size = self._most(scope), 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > most:
                raise RefusedRequest(413, "TooLarge", f"a body may have {most:,} bytes here")
            return message

        return counted

    def _cross_origin(self, headers: Mapping[bytes, bytes]) -> list[tuple[bytes, bytes]]:
        origin = headers.get(b"origin")
        if origin is None or _text(origin) not in self.options.origins:
            return []
        return [(b"access-control-allow-origin", origin), (b"vary", b"Origin")]

    def _is_preflight(self, scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
        """Whether the browser of a page that may call asks what it may send."""
        if is_page(scope["path"]):
            return False
        asks = scope["method"] == "OPTIONS" and b"access-control-request-method" in headers
        return asks and _text(headers.get(b"origin")) in self.options.origins


def _describe(answering: TraceSpan, scope: Scope, status: int) -> None:
    """What kind of request it was and how it was answered, never what it named."""
    method, route = method_of(scope), route_of(scope)
    answering.call(f"{method} {route}")
    answering.tell(http__request__method=method, http__route=route, http__response__status_code=status or None)


def _telling(send: Send, told: _Answered, more: Sequence[tuple[bytes, bytes]]) -> Send:
    """The same with headers that every answer has, and the status noted."""

    async def tell(message: Message) -> None:
        if message["type"] == "http.response.start":
            told.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *more]
        await send(message)

    return tell


def _is_stream(message: MutableMapping[str, Any]) -> bool:
    headers = message.get("headers", ())
    return any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in headers)


def _check_once(headers: Sequence[tuple[bytes, bytes]]) -> None:
    """Raise `RefusedRequest` where a header that decides anything stands there twice."""
    named = [name for name, _ in headers]
    for name in _DECIDING:
        if named.count(name) > 1:
            raise RefusedRequest(400, "TwoHeaders", f"{name.decode()} is there twice")


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("latin-1")


def _after_scheme(origin: str) -> str:
    return origin.partition("://")[2]


@lru_cache(16)
def _host(value: str) -> str:
    """The name in a Host header, without its port; empty for what is none."""
    try:
        split = urlsplit(f"//{value}")
        _ = split.port
        return split.hostname or "" if split.netloc == value and "@" not in value else ""
    except ValueError:
        return ""


@lru_cache(16)
def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _address(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _under(by_beginning: Mapping[str, Any], path: str, otherwise: Any) -> Any:
    return next((value for start, value in by_beginning.items() if path.startswith(start)), otherwise)
