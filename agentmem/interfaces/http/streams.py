"""Answers that come by and by, as server-sent events: until they end, or the caller, his token or the server does."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from agentmem.errors import AgentMemError, in_tree
from agentmem.interfaces.http.callers import Bearer
from agentmem.interfaces.http.problems import note_fault, refusal

QUIET_SECONDS: Final = 15.0
"""After so long without an event a comment says that the stream lives."""


_EVENT: Final = {
    "type": "object",
    "required": ["data"],
    "properties": {name: {"type": "string"} for name in ("data", "event", "id")},
    "description": "Each of the events; `data` is JSON",
}
STREAMED: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"text/event-stream": {"schema": _EVENT}}, "description": "Events"}
}
"""How the OpenAPI document tells of such an answer."""


def event(data: object, *, kind: str | None = None, number: str | None = None) -> bytes:
    """One event: its data as JSON, or as it is where it is a text."""
    lines = [f"event: {kind}"] if kind else []
    lines += [f"id: {number}"] if number else []
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, allow_nan=False)
    return "\n".join([*lines, f"data: {text}", "", ""]).encode(errors="replace")


class EventStream(Response):
    """Sends events as they come. What goes wrong before the first is answered as a problem, afterwards as an event."""

    media_type = "text/event-stream"

    def __init__(self, caller: Bearer, events: AsyncGenerator[bytes]) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._caller, self._events = caller, events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See `Response`."""
        with self._caller.streams.taken():
            async with aclosing(self._events):
                first = await anext(self._events, b"")
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await send({"type": "http.response.body", "body": first, "more_body": True})
                await self._until_over(receive, send)
        with suppress(OSError):
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _until_over(self, receive: Receive, send: Send) -> None:
        """Until there are no more events, or one of those is over for whom they are."""
        sending = asyncio.ensure_future(self._send_all(send))
        ends = [asyncio.ensure_future(end) for end in (self._caller.over(), _gone(receive))]
        try:
            await asyncio.wait((sending, *ends), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, *ends):
                task.cancel()
            await asyncio.gather(sending, *ends, return_exceptions=True)

    async def _send_all(self, send: Send) -> None:
        lock = asyncio.Lock()

        async def say(words: bytes) -> None:
            async with lock:
                await send({"type": "http.response.body", "body": words, "more_body": True})

        async def live() -> None:
            while True:
                await asyncio.sleep(QUIET_SECONDS)
                await say(b": \n\n")

        living = asyncio.ensure_future(live())
        try:
            async for words in self._events:
                await say(words)
        except Exception as error:  # noqa: BLE001 - the stream ends here, and its reader is told
            note_fault(error, event="stream_failed")
            await say(event(_problem(in_tree(error)), kind="error"))
        finally:
            living.cancel()


def _problem(error: AgentMemError) -> Mapping[str, object]:
    told = refusal(error)
    return {"status": told.status_code, "code": told.code, "detail": told.detail}


async def _gone(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass
