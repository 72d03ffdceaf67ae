"""Whoever calls: recognised by a token, let in as its principal, and put out within a second of its end."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

import structlog

from agentmem.domain.access_token import AccessToken, digest_of
from agentmem.errors import AgentMemError, InvalidInput, NotFound, without_content
from agentmem.interfaces.http.limits import Bucket, Share
from agentmem.interfaces.http.problems import RefusedRequest
from agentmem.runtime.configuration.settings import ServerSettings
from agentmem.runtime.facade.app import App

log = structlog.get_logger()

LOOK_SECONDS: Final = 0.5
"""Between two looks whether those who were let in still may be."""

MAX_CALLERS: Final = 10_000
WRONG_PER_SECOND, WRONG_AT_ONCE = 5.0, 20.0
"""Wrong tokens that one address may try."""

_CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="agentmem"'}
_UNKNOWN: Final = "a token is needed: Authorization: Bearer TOKEN; `agentmem token create` makes one"


@dataclass(eq=False, slots=True)
class Bearer:
    """Somebody who was let in: the app on his behalf, what he may have under way, and an event set when that ends."""

    app: App
    token: AccessToken | None
    requests: Share
    streams: Share
    stopping: asyncio.Event
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def over(self) -> None:
        """Return when nothing more may be sent to him: his token has ended, or the server does."""
        ends = [asyncio.ensure_future(each.wait()) for each in (self.ended, self.stopping)]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in ends:
                each.cancel()

    @property
    def name(self) -> str:
        """What the audit log calls him."""
        return self.app.access.principal.name


class Callers:
    """Those who were let in lately, by what they showed; all of them go when `stopping` is set."""

    def __init__(
        self,
        app: App,
        options: ServerSettings,
        stopping: asyncio.Event,
        *,
        insecure: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app, self._options, self._clock = app, options, clock
        self.stopping = stopping
        self._anybody = self._caller(app, None) if insecure else None
        self._known: OrderedDict[bytes, Bearer] = OrderedDict()
        self._wrong: OrderedDict[str, Bucket] = OrderedDict()

    async def of(self, authorization: str | None, address: str) -> Bearer:
        """Who shows this. Raises `RefusedRequest` with 401 for what is no token, and with 429 where an address goes on
        trying; and what the journal raises."""
        if authorization is None and self._anybody is not None:
            return self._anybody
        scheme, _, secret = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            raise RefusedRequest(401, "NoToken", _UNKNOWN, _CHALLENGE)
        try:
            return await self._bearer(secret.strip())
        except (NotFound, InvalidInput):
            self._count_wrong(address)
            raise RefusedRequest(401, "NoToken", _UNKNOWN, _CHALLENGE) from None

    @property
    def known(self) -> Collection[Bearer]:
        """Who called lately."""
        return self._known.values()

    async def watch(self) -> None:
        """Look after those who were let in, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except AgentMemError as error:
                log.warning("tokens_not_looked_at", reason=without_content(error))
                self._known.clear()  # whoever comes is looked up anew

    async def look(self) -> None:
        """Put out whoever's token is gone."""
        held = [caller.token for caller in self._known.values() if caller.token is not None]
        over = {token.token_id for token in await self._app.tokens.end_revoked(held)}
        for digest, caller in list(self._known.items()):
            if caller.token is not None and caller.token.token_id in over:
                caller.ended.set()
                del self._known[digest]

    async def _bearer(self, secret: str) -> Bearer:
        digest = digest_of(secret)
        caller = self._known.get(digest)
        if caller is None:
            token = await self._app.tokens.bearer(secret)
            caller = self._known.setdefault(digest, self._caller(self._app.for_principal(token.principal), token))
            self._make_room()
        self._known.move_to_end(digest)
        return caller

    def _make_room(self) -> None:
        """Forget who has not called for longest; who has a stream open must be there when his token ends."""
        if len(self._known) > MAX_CALLERS:
            quiet = (digest for digest, caller in self._known.items() if not caller.streams.under_way)
            if (oldest := next(quiet, None)) is not None:
                del self._known[oldest]

    def _caller(self, app: App, token: AccessToken | None) -> Bearer:
        options = self._options
        bucket = Bucket(options.requests_per_second, options.requests_per_second * 2, self._clock)
        streams = Share(options.streams, Bucket(options.streams, options.streams, self._clock))
        return Bearer(app, token, Share(options.concurrency, bucket), streams, self.stopping)

    def _count_wrong(self, address: str) -> None:
        bucket = self._wrong.get(address)
        if bucket is None:
            bucket = self._wrong[address] = Bucket(WRONG_PER_SECOND, WRONG_AT_ONCE, self._clock)
            if len(self._wrong) > MAX_CALLERS:
                self._wrong.popitem(last=False)
        if bucket.wait() > 0:
            raise RefusedRequest(429, "Busy", "too many wrong tokens from this address", {"Retry-After": "1"})
