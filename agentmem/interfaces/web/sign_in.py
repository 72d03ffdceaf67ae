"""Who has the page open: a cookie made from a token, which ends with the token, at leaving, and with the process.

The cookie is a random id and nothing else; what it stands for is kept in memory. It opens the page alone: the API takes
tokens, and a token opens the page only by way of `enter`.
"""

import hmac
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final

from starlette.requests import cookie_parser
from starlette.responses import Response

from agentmem.domain.access_token import digest_of
from agentmem.errors import NotFound
from agentmem.interfaces.http.callers import Bearer, Callers
from agentmem.interfaces.http.problems import RefusedRequest

COOKIE: Final = "agentmem"
"""Begins the name of the cookie; the port follows, since a browser shows one host's cookies to all of its ports."""

MAX_NOTICES: Final = 12
"""Notices that wait in one session for the pages they are for."""

LIFETIME: Final = 12 * 60 * 60
"""Seconds until somebody has to enter anew."""

MAX_SESSIONS: Final = 10_000
MAX_KEPT: Final = 12
"""Questions that one session keeps."""

MAX_USED: Final = 100
"""Answers of talks of which one session keeps what they used."""

_BYTES: Final = 32


@dataclass(slots=True)
class Notice:
    """What became of something that was done, told once on the page that follows: a word of the word files with its
    parts, and a run that can be taken back, which `undoes` names by another word; `links` by path, with what each is
    called; and `further` lines, where several things were done."""

    word: str
    parts: Mapping[str, object] = field(default_factory=dict[str, object])
    run: str | None = None
    undoes: str = "base.undo"
    links: Mapping[str, str] = field(default_factory=dict[str, str])
    further: tuple["Notice", ...] = ()

    @property
    def lines(self) -> Sequence["Notice"]:
        """It and what is further told."""
        return (self, *self.further)


@dataclass(frozen=True, slots=True)
class UsedMemory:
    """A memory that an answer was given, and how well it fitted."""

    memory_id: str
    score: float


@dataclass(slots=True)
class PageSession:
    """An open page. `csrf` stands in its forms; `until` is when it ends, by the clock of the sessions."""

    digest: bytes
    csrf: str
    until: float
    notices: OrderedDict[str, Notice] = field(default_factory=OrderedDict[str, Notice])
    questions: OrderedDict[str, Mapping[str, str]] = field(default_factory=OrderedDict[str, Mapping[str, str]])
    used: OrderedDict[bytes, tuple[UsedMemory, ...]] = field(default_factory=OrderedDict[bytes, tuple[UsedMemory, ...]])

    def check_form(self, shown: object) -> None:
        """Raise `RefusedRequest` with 403 for a form that was not made for this session."""
        if not isinstance(shown, str) or not hmac.compare_digest(shown.encode(), self.csrf.encode()):
            raise RefusedRequest(403, "ForeignForm", "this form was not made for you, or long ago: load the page anew")

    def keep(self, question: Mapping[str, str]) -> str:
        """Keep what was asked, at most `MAX_KEPT` times; the id under which the answer's page finds it, so that no
        address holds any of it."""
        kept = token_urlsafe(9)
        self.questions[kept] = question
        if len(self.questions) > MAX_KEPT:
            self.questions.popitem(last=False)
        return kept

    def keep_used(self, run: str, answer: str, used: tuple[UsedMemory, ...]) -> None:
        """Keep what an answer of a talk used; of the answer itself only a digest."""
        self.used[_key(f"{run}\n{answer}")] = used
        if len(self.used) > MAX_USED:
            self.used.popitem(last=False)

    def used_by(self, run: str, answer: str) -> tuple[UsedMemory, ...] | None:
        """What an answer used, None where that is not kept."""
        return self.used.get(_key(f"{run}\n{answer}"))

    def notify(self, path: str, notice: Notice) -> None:
        """Have this told on the page at that path, when it is looked at next."""
        self.notices[path] = notice
        if len(self.notices) > MAX_NOTICES:
            self.notices.popitem(last=False)

    def noticed(self, path: str) -> Notice | None:
        """What there is to be told there, once."""
        return self.notices.pop(path, None)


class Sessions:
    """The pages that are open, at most `MAX_SESSIONS`; beyond that the oldest ends."""

    def __init__(self, callers: Callers, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._callers, self._clock = callers, clock
        self._open: OrderedDict[bytes, PageSession] = OrderedDict()
        anybody, session = callers.anybody, PageSession(b"", token_urlsafe(_BYTES), float("inf"))
        self._anybody = None if anybody is None else (anybody, session)

    @property
    def open_to_all(self) -> bool:
        """Whether nobody has to enter."""
        return self._anybody is not None

    async def enter(self, secret: str, address: str) -> str:
        """A new session of whoever shows this token; its id. Raises as `Callers.showing` does."""
        await self._callers.showing(secret, address)
        opened = token_urlsafe(_BYTES)
        self._open[_key(opened)] = PageSession(digest_of(secret), token_urlsafe(_BYTES), self._clock() + LIFETIME)
        if len(self._open) > MAX_SESSIONS:
            self._open.popitem(last=False)
        return opened

    async def of(self, headers: Mapping[bytes, bytes]) -> tuple[Bearer, PageSession]:
        """Whose page asks. Raises `RefusedRequest` with 401 where none is open, and what the journal raises."""
        if self._anybody is not None:
            return self._anybody
        session = self._open.get(_key(session_id(headers)))
        if session is not None and self._clock() < session.until:
            with suppress(NotFound):
                return await self._callers.holding(session.digest), session
        raise RefusedRequest(401, "NoSession", "this page is not open any more: enter with a token")

    def leave(self, headers: Mapping[bytes, bytes]) -> None:
        """End the session that asks."""
        self._open.pop(_key(session_id(headers)), None)


def session_id(headers: Mapping[bytes, bytes]) -> str:
    """The id that the cookie of a request shows, empty where there is none."""
    return cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(cookie_name(headers), "")


def cookie_name(headers: Mapping[bytes, bytes]) -> str:
    """What the cookie is called at the port that the browser asks."""
    _, _, port = headers.get(b"host", b"").decode("latin-1").rpartition(":")
    return f"{COOKIE}_{port}" if port.isascii() and port.isdigit() else COOKIE


def give(answer: Response, name: str, opened: str, *, secure: bool) -> None:
    """Hand the session out with this answer."""
    answer.set_cookie(name, opened, max_age=LIFETIME, path="/", secure=secure, httponly=True, samesite="strict")


def take(answer: Response, name: str) -> None:
    """Have the browser forget it."""
    answer.delete_cookie(name, path="/", httponly=True, samesite="strict")


def _key(text: str) -> bytes:
    """What something is kept under, such as a session: no comparison tells anything of its id."""
    return sha256(text.encode(errors="replace")).digest()
