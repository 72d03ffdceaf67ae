"""One request of a reader: on whose behalf, in which language, and how it is answered."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final, Literal

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope as RequestScope

from agentmem.domain.persona import Persona
from agentmem.domain.scope import Scope
from agentmem.errors import AgentMemError, InvalidInput
from agentmem.interfaces.http.callers import CALLER, Bearer
from agentmem.interfaces.http.problems import refusal
from agentmem.interfaces.web.rendering import rendered
from agentmem.interfaces.web.sign_in import Notice, PageSession
from agentmem.interfaces.web.wording import HTML_LANGUAGE, LANGUAGES, Words, chosen_language, words_of
from agentmem.runtime.facade.app import App

SESSION: Final = "agentmem.session"
"""Where in the scope of a request its session stands."""

LANGUAGE_COOKIE, THEME_COOKIE = "agentmem_language", "agentmem_theme"
THEMES: Final = ("auto", "dark", "light")
RENEWS: Final = "agentmem-renews"
"""The header by which the script of a page says that it looks whether the page has changed."""

MAX_FIELDS: Final = 200
"""Fields of one form."""

_FIELDS: Final[Mapping[str, str]] = {"k": "limit"}
"""Fields of forms by what errors call them, where that is another name."""

AGENT_PAGES: Final = (
    ("agent", ""),
    ("memories", "/memories"),
    ("recall", "/recall"),
    ("ask", "/ask"),
    ("context", "/context"),
    ("graph", "/graph"),
    ("reflection", "/reflection"),
    ("documents", "/documents"),
    ("queue", "/queue"),
    ("talk", "/talk"),
)
"""The pages of an agent in the order in which they are offered: a word of `base.page_…`, and how the path goes on."""


@dataclass(frozen=True, slots=True)
class PageLink:
    """One of the pages of an agent; `here` as `aria-current` says it: the page shown, one that it belongs to, or ""."""

    name: str
    path: str
    here: Literal["page", "true", ""]


@dataclass(frozen=True, slots=True)
class FormFault:
    """Why a form was not done, beside which of its fields that stands, and what had been typed into all of them.
    `detail` is the error's own words, where the reader's language has none for them."""

    form: str
    field: str
    line: str
    detail: str
    typed: Mapping[str, str]
    status: int


@dataclass(frozen=True, slots=True)
class Page:
    """What a view is given. `caller` and `session` are None only where nobody has entered."""

    request: Request
    words: Words
    theme: str
    caller: Bearer | None = None
    session: PageSession | None = None

    @classmethod
    def of(cls, request: Request) -> "Page":
        """From a request that the guard let through, or refused."""
        cookies = request.cookies
        language = chosen_language(cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language", ""))
        theme = cookies.get(THEME_COOKIE, "")
        return cls(
            request,
            words_of(language),
            theme if theme in THEMES else THEMES[0],
            request.scope.get(CALLER),
            request.scope.get(SESSION),
        )

    @property
    def app(self) -> App:
        """On behalf of the reader."""
        assert self.caller is not None
        return self.caller.app

    def of_path(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    def asked(self, name: str) -> str | None:
        """A parameter of the address, None where it is not given or empty."""
        return self.request.query_params.get(name) or None

    def question(self, name: str = "asked") -> Mapping[str, str] | None:
        """What the reader asked, kept under the id in the path; None where it is not kept any more, or not there."""
        return self.session.questions.get(self.request.path_params.get(name, "")) if self.session else None

    async def form(self) -> FormData:
        """What was sent with a form of this session. Raises `RefusedRequest` with 403 for any other form."""
        sent = await self.request.form(max_fields=MAX_FIELDS)
        assert self.session is not None
        self.session.check_form(sent.get("csrf"))
        return sent

    def fault(self, form: str, fields: Sequence[str], sent: Mapping[str, Any], error: AgentMemError) -> FormFault:
        """What is wrong with this form: beside the field that the error names, or else beside the first."""
        typed = {name: value for name in fields if isinstance(value := sent.get(name, ""), str)}
        refused = refusal(error)
        named = refused.detail.replace(":", " ").partition(" ")[0]
        line, detail = self.reason(refused.code, refused.detail)
        told, field = line.removeprefix(f"{named}: "), _FIELDS.get(named, named)
        return FormFault(form, field if field in fields else fields[0], told, detail, typed, refused.status_code)

    def reason(self, code: str, told: str) -> tuple[str, str]:
        """What an error says in the reader's language or, where that has no words for it, what kind it is, and then
        its own words."""
        if line := self.words.of_engine(told, ""):
            return line, ""
        return self.words.known(f"error.{code}", self.words("error.other")), told

    @property
    def zone(self) -> tzinfo:
        """In which all times are told."""
        return self.app.settings.zone

    async def live(self, path: str, scope: Scope) -> str:
        """Where the page hears of what changes in this scope from now on; asked for before the page is read."""
        return f"{path}?since={(await self.app.records.changes(scope)).cursor}"

    def show(self, template: str, status: int = 200, **model: Any) -> Response:
        """The page that this template makes of it."""
        notice = self._noticed() if status < 400 else None
        around: dict[str, Any] = {
            "t": self.words,
            "language": self.words.language,
            "html_language": HTML_LANGUAGE[self.words.language],
            "languages": LANGUAGES,
            "theme": self.theme,
            "next_theme": THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)],
            "path": self.request.url.path,
            "back": self._address(status),
            "reader": self.caller.name if self.caller else None,
            "csrf": self.session.csrf if self.session else None,
            "may_leave": bool(self.session and self.session.digest),
            "notice": notice,
            "zone": self.zone if self.caller else None,
            "now": self.app.clock.now() if self.caller else None,
            "zone_name": _zone_name(self.zone, self.app.clock.now()) if self.caller else None,
            "agent": None,
            "fault": None,
            "agent_nav": self._agent_pages(model.get("agent")),
            "live": None,
        }
        if self.request.method != "GET":
            model["live"] = None  # what answers a form is at no address at which it could be looked at anew
        html = rendered(template, around | model).encode(errors="replace")
        return Response(html, status, None, "text/html; charset=utf-8")

    def _address(self, status: int) -> str:
        """Where this page can be looked at again: what answers a form may be shown where nothing can be looked at. A
        refusal repeats nothing of what was asked."""
        url = self.request.url
        if self.request.method == "GET":
            return f"{url.path}?{url.query}" if url.query and status < 400 else url.path
        path, scope = url.path, {**self.request.scope, "method": "GET"}
        while path and not any(route.matches(scope | {"path": path})[0] is Match.FULL for route in self._routes()):
            path = path.rpartition("/")[0]
        return path or "/"

    def _routes(self) -> Sequence[BaseRoute]:
        return self.request.scope["app"].routes if "app" in self.request.scope else ()

    def _noticed(self) -> Notice | None:
        """What is to be told here; a script that looks whether the page has changed leaves it for a reader."""
        looks = self.session is not None and RENEWS not in self.request.headers
        return self.session.noticed(self.request.url.path) if self.session and looks else None

    def _agent_pages(self, agent: Persona | None) -> list[PageLink]:
        if agent is None:
            return []
        offered = [(self.words(f"base.page_{word}"), f"/agents/{agent.id}{rest}") for word, rest in AGENT_PAGES]
        asked = self.request.url.path
        above = _listing_of(asked, agent.id)
        return [
            PageLink(name, path, "page" if asked == path else "true" if above == path else "") for name, path in offered
        ]

    def go(self, path: str, notice: Notice | None = None, query: str = "") -> Response:
        """On to another page, after something was done, which that page tells."""
        if self.session is not None and notice is not None:
            self.session.notify(path, notice)
        return RedirectResponse(f"{path}?{query}" if query else path, 303)


def _listing_of(path: str, agent: str) -> str:
    """The page of an agent from which one gets to the page at this path."""
    own = f"/agents/{agent}"
    if path.startswith("/memories/"):
        return f"{own}/memories"
    below = f"/{path.removeprefix(own).split('/')[1]}" if path.startswith(f"{own}/") else ""
    return own + below if below in dict(AGENT_PAGES).values() else own


def _zone_name(zone: tzinfo, now: datetime) -> str:
    """What a zone is called, with how far it is from UTC now."""
    name, offset = getattr(zone, "key", None) or str(zone), f"{now.astimezone(zone):%z}"
    return "UTC" if name in ("UTC", "Etc/UTC") else f"{name} (UTC{offset[:3]}:{offset[3:]})"


def text_of(form: FormData, name: str) -> str:
    """A field of a form without outer blanks, its lines ended by \\n and not as forms send them; empty where it is not
    there. Raises `InvalidInput` for a file."""
    value = form.get(name, "")
    if not isinstance(value, str):
        raise InvalidInput(f"{name}: must be a text")
    return value.replace("\r\n", "\n").strip()


def own_path(path: str) -> str:
    """The path where it leads to a page of this server, else that of the first page."""
    leads = path.startswith("/") and path.isascii() and path.isprintable() and path[1:2] not in ("/", "\\")
    return path if leads else "/"


View = Callable[[Page], Awaitable[Response]]


class _PageRoute(Route):
    """A route that tells which it is, for the audit log and the metrics."""

    def matches(self, scope: RequestScope) -> tuple[Match, RequestScope]:
        match, child = super().matches(scope)
        return match, {**child, "route": self} if match is not Match.NONE else child


def get(path: str, view: View) -> Route:
    """A page that is looked at."""
    return _route(path, view, ("GET",))


def post(path: str, view: View) -> Route:
    """Something that is done."""
    return _route(path, view, ("POST",))


def _route(path: str, view: View, methods: Sequence[str]) -> Route:
    async def endpoint(request: Request) -> Response:
        try:
            return await view(Page.of(request))
        finally:
            await request.close()  # files that came with its form

    return _PageRoute(path, endpoint, methods=list(methods), name=view.__name__)
