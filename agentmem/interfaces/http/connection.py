"""A connection of the server: what comes over it before a request is known is bounded, in bytes, in time, in number.

Of the body and the answer the guard takes care (`agentmem/interfaces/http/guard.py`), which knows who asks.
"""

import asyncio
from typing import Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS: Final = 10.0
"""For a request to say what it wants; whoever takes longer is let go."""

MAX_HEADERS: Final = 32_768
"""Bytes of an address and its headers."""

CROWD: Final = 2
"""So many times the configured connections there may be before whoever comes is let go at once: each may hold
`MAX_HEADERS` bytes."""

MAX_AHEAD: Final = 16
"""Requests that may be sent before the one under way is answered."""


class Connection(HttpToolsProtocol):
    """Lets go of whoever does not say what he wants, says it at too great length, or sends too much ahead. What offers
    to go on in another protocol is answered in this one."""

    _late: asyncio.TimerHandle | None = None
    _head: int | None = None
    """Bytes that came of a head that has not ended; None between heads."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self._late = self.loop.call_later(HEADER_SECONDS, self._let_go)
        if self.limit_concurrency is not None and len(self.connections) > CROWD * self.limit_concurrency:
            self._let_go()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._in_time()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        self._unset_keepalive_if_required()
        try:
            try:
                self.parser.feed_data(data)
            except httptools.HttpParserUpgrade as offer:
                self._stay(data[offer.args[0] :])
            self._count(data)
        except (httptools.HttpParserError, ValueError):
            self.send_400_response("Invalid HTTP request received.")
        if self._late is None and not self._is_answering:
            self._late = self.loop.call_later(HEADER_SECONDS, self._let_go)

    def on_message_begin(self) -> None:
        """See `httptools.HttpRequestParser`."""
        self._head = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """See `httptools.HttpRequestParser`. What comes after a body was not there to be checked, and is left out."""
        if self._head is not None:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """See `httptools.HttpRequestParser`. Raises `ValueError`, which ends the connection with 400."""
        self._head = None
        self._in_time()
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MAX_HEADERS:
            raise ValueError("the headers are too large")
        if len(self.pipeline) >= MAX_AHEAD:
            raise ValueError("too many requests are sent ahead")
        if self.parser.get_method() == b"CONNECT":
            raise ValueError("this is no proxy")
        if not self.parser.should_upgrade():  # else it comes again, without the offer
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        """See `httptools.HttpRequestParser`."""
        if not self.parser.should_upgrade():
            super().on_message_complete()

    def _stay(self, rest: bytes) -> None:
        """Read the request whose head is there without its offer of another protocol, and `rest` after it: the parser
        takes what comes after an offer for something else than the body. Raises `HttpParserError`."""
        method, version = self.parser.get_method(), self.parser.get_http_version().encode()
        lines = [name + b": " + value for name, value in self.headers if name != b"upgrade"]
        self.parser = httptools.HttpRequestParser(self)
        self.parser.feed_data(b"\r\n".join([b"%s %s HTTP/%s" % (method, self.url, version), *lines, b"", rest]))

    def _count(self, data: bytes) -> None:
        """Raise `ValueError` where a head does not end."""
        if self._head is not None:
            self._head += len(data)
            if self._head > MAX_HEADERS:
                raise ValueError("the headers are too large")

    @property
    def _is_answering(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete

    def _in_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _let_go(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
