"""Turns on a direct way: what a busy program sends most would spend as long on the framework's way to its route as on
being taken in.

Whatever is not plain (a query, a header or a body that is not as it must be) goes the framework's way, so that one
place says what is wrong with a request. Both ways end in the same functions.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agentmem.domain.ids import Name
from agentmem.domain.value import Value
from agentmem.interfaces.http.bodies import BatchRequest, TurnRequest
from agentmem.interfaces.http.callers import CALLER
from agentmem.interfaces.http.routes import turns


@dataclass(frozen=True, slots=True)
class _Shortcut:
    """What takes such a body in; it is given the agent, the body, the app and the caller's key."""

    body: type[Value]
    endpoint: Callable[..., Awaitable[Response]]

    @property
    def route(self) -> BaseRoute:
        """As the audit log and the metrics name it."""
        return next(each for each in turns.router.routes if getattr(each, "endpoint", None) is self.endpoint)


_SHORTCUTS: Final[Mapping[str, _Shortcut]] = {
    "turns": _Shortcut(TurnRequest, turns.say),
    "turns/batch": _Shortcut(BatchRequest, turns.say_all),
}
_ROUTES: Final = {what: short.route for what, short in _SHORTCUTS.items()}
_BEFORE: Final = "/v1/agents/"
_MAX_AGENT: Final = 64
_KEY: Final = TypeAdapter[str](Name)


@dataclass(frozen=True, slots=True)
class Direct:
    """Answers plain requests to take in turns; `inner` answers all others."""

    inner: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        agent, _, what = scope["path"].removeprefix(_BEFORE).partition("/")
        short = _SHORTCUTS.get(what)
        if short is None or not _is_plain(scope, agent):
            await self.inner(scope, receive, send)
            return
        heard = await _heard(receive)
        try:
            given = short.body.model_validate(json.loads(_body(heard)))
            key = _key(scope)
        except (ValueError, RecursionError):
            await self.inner(scope, _again(heard, receive), send)
            return
        scope["route"], scope["path_params"] = _ROUTES[what], {"agent": agent}
        answer = await short.endpoint(agent, given, scope[CALLER].app, key)
        await answer(scope, receive, send)


def _is_plain(scope: Scope, agent: str) -> bool:
    return (
        scope["method"] == "POST"
        and scope["path"].startswith(_BEFORE)
        and 0 < len(agent) <= _MAX_AGENT
        and not scope["query_string"]
        and (b"content-type", b"application/json") in scope["headers"]
    )


def _key(scope: Scope) -> str | None:
    """What the caller repeats the request under. Raises `ValueError`."""
    sent = next((value for name, value in scope["headers"] if name == b"idempotency-key"), None)
    return None if sent is None else _KEY.validate_python(sent.decode("latin-1"))


async def _heard(receive: Receive) -> list[Message]:
    """All that comes of a body; where the caller went away, that last."""
    heard = [await receive()]
    while heard[-1].get("more_body", False):
        heard.append(await receive())
    return heard


def _body(heard: Sequence[Message]) -> bytes:
    """The whole body. Raises `ValueError` where it was broken off."""
    if heard[-1]["type"] != "http.request":
        raise ValueError("the body was broken off")
    return b"".join(message.get("body", b"") for message in heard)


def _again(heard: Sequence[Message], receive: Receive) -> Receive:
    """The same request from its beginning."""
    sent = list(reversed(heard))

    async def again() -> Message:
        return sent.pop() if sent else await receive()

    return again
