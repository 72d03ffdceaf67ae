"""Whoever calls: recognised by a token, let in as its principal, and put out within a second of its end; and how much
one may do, at a time, and by and by."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from typing import Final
from urllib.parse import urlsplit

import structlog

from agentmem.domain.access_token import PREFIX, AccessToken, digest_of
from agentmem.errors import AgentMemError, BackendUnavailable, InvalidInput, NotFound, without_content
from agentmem.interfaces.http.issued import KEYS_SECONDS, Issuer
from agentmem.interfaces.http.problems import RefusedRequest
from agentmem.runtime.configuration.settings import ServerSettings
from agentmem.runtime.facade.app import App

log = structlog.get_logger()

CALLER: Final = "agentmem.caller"
"""Where in the scope of a request its caller stands."""

LOOK_SECONDS: Final = 0.5
"""Between two looks whether those who were let in still may be."""

MAX_CALLERS: Final = 10_000
WRONG_PER_SECOND, WRONG_AT_ONCE = 5.0, 20.0
"""Wrong tokens that one address may try."""

METADATA: Final = "/.well-known/oauth-protected-resource/mcp"
"""Where programs that speak MCP are told who issues tokens for it (RFC 9728)."""

_UNSHOWN: Final = "a token is needed: Authorization: Bearer TOKEN; `agentmem token create` makes one"
_UNKNOWN: Final = "this token opens nothing: it is mistyped, has expired or was revoked; see `agentmem token list`"


@dataclass(slots=True)
class Bucket:
    """Fills by `rate` a second up to `size`; what is done takes one out."""

    rate: float
    size: float
    clock: Callable[[], float] = time.monotonic
    _held: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._held, self._at = self.size, self.clock()

    def wait(self) -> float:
        """Take one out, and 0; or the seconds until there is one."""
        if self.is_left():
            self._held -= 1
            return 0.0
        return (1 - self._held) / self.rate

    def is_left(self) -> bool:
        """Whether there is one to take out."""
        now = self.clock()
        self._held = min(self.size, self._held + (now - self._at) * self.rate)
        self._at = now
        return self._held >= 1


@dataclass(slots=True)
class Share:
    """What one caller may have under way: `most` requests at a time, and as many as its bucket gives."""

    most: int
    bucket: Bucket
    under_way: int = 0

    @contextmanager
    def taken(self) -> Generator[None]:
        """One request more, while the body runs. Raises `RefusedRequest` beyond the limits."""
        if self.under_way >= self.most:
            raise RefusedRequest(429, "Busy", f"{self.most} requests of this token are under way", {"Retry-After": "1"})
        if (wait := self.bucket.wait()) > 0:
            raise RefusedRequest(
                429, "Busy", "too many requests of this token", {"Retry-After": str(max(1, round(wait)))}
            )
        self.under_way += 1
        try:
            yield
        finally:
            self.under_way -= 1


@dataclass(eq=False, slots=True)
class Bearer:
    """Somebody who was let in: the app on his behalf, what he may have under way, and an event set when that ends.
    `issued` by somebody else (`issued.Issuer`) as `text`, found good at that time of the server's clock; else by us."""

    app: App
    token: AccessToken | None
    requests: Share
    streams: Share
    stopping: asyncio.Event
    issued: float | None = None
    text: str = field(default="", repr=False)
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
        self._issuer = Issuer(options.issuer, app.tenant, app.clock) if options.issuer else None
        self.anybody = self._caller(app, None) if insecure else None
        self._known: OrderedDict[bytes, Bearer] = OrderedDict()
        self._wrong: OrderedDict[str, Bucket] = OrderedDict()
        self._looked = True

    async def of(self, authorization: str | None, address: str) -> Bearer:
        """Who shows this. Raises `RefusedRequest` with 401 for what is no token, and with 429 where an address goes on
        trying; and what the journal raises."""
        if authorization is None and self.anybody is not None:
            return self.anybody
        scheme, _, secret = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip():
            raise self._refusal(_UNSHOWN)
        if self._issuer is not None and not secret.strip().startswith(PREFIX):
            return await self._issued(self._issuer, secret.strip(), address)
        return await self.showing(secret.strip(), address)

    async def _issued(self, issuer: Issuer, text: str, address: str) -> Bearer:
        """Who shows this token of the issuer's. Raises as `of` does."""
        digest = sha256(text.encode(errors="replace")).digest()
        caller = self._known.get(digest)
        if caller is None:
            try:
                token = await issuer.token(text)
            except NotFound:
                raise self._count_wrong(address) from None
            caller = self._known.get(digest) or self._let_in(digest, text, token)
        self._known.move_to_end(digest)
        return caller

    def _let_in(self, digest: bytes, text: str, token: AccessToken) -> Bearer:
        caller = self._caller(self._app.for_principal(token.principal), token)
        caller.issued, caller.text = self._clock(), text
        self._share_with_earlier(caller)
        self._known[digest] = caller
        self._make_room()
        return caller

    def _share_with_earlier(self, caller: Bearer) -> None:
        """Have somebody who comes with a new token no more under way than with the one before."""
        mine = self._subject(caller)
        for earlier in self._known.values():
            if earlier.issued is not None and self._subject(earlier) == mine:
                caller.requests, caller.streams = earlier.requests, earlier.streams
                return

    @staticmethod
    def _subject(caller: Bearer) -> tuple[str, str] | None:
        return None if caller.token is None else (caller.token.tenant, caller.token.name)

    def _refusal(self, reason: str, error: str = "") -> RefusedRequest:
        """Somebody who shows a token is told that it is none (`error` of RFC 6750), and not whether it ever was one."""
        issuer = self._options.issuer
        challenge = f'Bearer realm="agentmem"{error}'
        if issuer is not None and issuer.resource is not None:
            challenge += f', resource_metadata="{metadata_url(issuer.resource)}"'
        return RefusedRequest(401, "NoToken", reason, {"WWW-Authenticate": challenge})

    async def showing(self, secret: str, address: str) -> Bearer:
        """Who shows this token. Raises as `of` does."""
        try:
            return await self.holding(digest_of(secret))
        except (NotFound, InvalidInput):
            raise self._count_wrong(address) from None

    async def holding(self, digest: bytes) -> Bearer:
        """Who was let in by the token of this digest. Raises `NotFound` where there is none any more."""
        caller = self._known.get(digest)
        if caller is None or caller.app.access.has_ended or (caller.issued is None and not self._looked):
            token = await self._app.tokens.bearer(digest)
            caller = self._known.setdefault(digest, self._caller(self._app.for_principal(token.principal), token))
        self._known.move_to_end(digest)
        self._make_room()
        return caller

    @property
    def known(self) -> Collection[Bearer]:
        """Who called lately."""
        return self._known.values()

    async def watch(self) -> None:
        """Look after those who were let in, until cancelled. An issuer that is slow holds up nothing of ours."""
        async with asyncio.TaskGroup() as tasks:
            for look in (self.look, self.look_at_keys):
                tasks.create_task(self._again(look), name=look.__name__)

    async def _again(self, look: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await look()
            except AgentMemError as error:
                log.warning("tokens_not_looked_at", reason=without_content(error))
                self._looked = False  # whoever comes is looked up anew until a look succeeds

    async def look(self) -> None:
        """Put out whoever's token is gone or has expired."""
        now = self._app.clock.now()
        for digest, caller in list(self._known.items()):
            if caller.issued is not None and caller.token is not None and not caller.token.is_valid(now):
                self._put_out(digest, caller)
        held = [each.token for each in self._known.values() if each.token is not None and each.issued is None]
        over = {token.token_id for token in await self._app.tokens.end_revoked(held)}
        self._looked = True
        for digest, caller in list(self._known.items()):
            if caller.token is not None and caller.token.token_id in over:
                self._put_out(digest, caller)

    async def look_at_keys(self) -> None:
        """Recognise anew, now and then, whoever holds a token of the issuer's, as keys may have been withdrawn: who has
        a stream open here, anybody else when he comes again."""
        for digest, caller in list(self._known.items()):
            if self._issuer is None or caller.issued is None or self._clock() - caller.issued <= KEYS_SECONDS:
                continue
            if not caller.streams.under_way:
                self._known.pop(digest, None)
                continue
            try:
                await self._issuer.token(caller.text)
            except (NotFound, BackendUnavailable):
                self._put_out(digest, caller)
            else:
                caller.issued = self._clock()

    def _put_out(self, digest: bytes, caller: Bearer) -> None:
        caller.ended.set()
        if self._known.get(digest) is caller:
            del self._known[digest]

    def _make_room(self) -> None:
        """Forget who has not called for longest, but for the last one, who calls now; who has a stream open must be
        there when his token ends."""
        if len(self._known) > MAX_CALLERS:
            others = islice(self._known.items(), len(self._known) - 1)
            quiet = (digest for digest, caller in others if not caller.streams.under_way)
            if (oldest := next(quiet, None)) is not None:
                del self._known[oldest]

    def _caller(self, app: App, token: AccessToken | None) -> Bearer:
        options = self._options
        bucket = Bucket(options.requests_per_second, options.requests_per_second * 2, self._clock)
        streams = Share(options.streams, Bucket(options.streams, options.streams, self._clock))
        return Bearer(app, token, Share(options.concurrency, bucket), streams, self.stopping)

    def _count_wrong(self, address: str) -> RefusedRequest:
        """How a wrong token from there is answered."""
        bucket = self._wrong.get(address)
        if bucket is None:
            bucket = self._wrong[address] = Bucket(WRONG_PER_SECOND, WRONG_AT_ONCE, self._clock)
            if len(self._wrong) > MAX_CALLERS:
                self._wrong.popitem(last=False)
        return self._refusal(_UNKNOWN, ', error="invalid_token"') if bucket.wait() == 0 else _tried_enough()


def _tried_enough() -> RefusedRequest:
    return RefusedRequest(429, "Busy", "too many wrong tokens from this address", {"Retry-After": "1"})


def metadata_url(resource: str) -> str:
    """Where the metadata of `/mcp`, reached by this address, is."""
    split = urlsplit(resource)
    return f"{split.scheme}://{split.netloc}{METADATA}"
