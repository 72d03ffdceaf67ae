"""From a template and what it is to show to HTML: everything escaped, control characters shown as their codes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, tzinfo
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response

from agentmem.domain.bounds import in_zone
from agentmem.interfaces.http.problems import RefusedRequest
from agentmem.language.safe_text import safe_text

MAX_LISTED: Final = 320
"""Characters of a memory in a list."""

_KINDS: Final[Mapping[str, str]] = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_KEEP: Final = {"Cache-Control": "public, max-age=31536000, immutable"}


def moment(at: datetime, zone: tzinfo, beside: Iterable[datetime] = ()) -> str:
    """A time to the minute; to the second where another of these times `beside` it is within the same minute."""
    told = f"{in_zone(at, zone):%Y-%m-%d %H:%M}"
    alike = any(each != at and f"{in_zone(each, zone):%Y-%m-%d %H:%M}" == told for each in beside)
    return f"{in_zone(at, zone):%Y-%m-%d %H:%M:%S}" if alike else told


@pass_context
def _moment(context: Context, at: datetime | None, beside: Iterable[datetime] = ()) -> str:
    return "" if at is None else moment(at, context["zone"], beside)


@pass_context
def _day(context: Context, at: datetime | None) -> str:
    return "" if at is None else f"{in_zone(at, context['zone']):%Y-%m-%d}"


def clipped(text: str, most: int = MAX_LISTED) -> str:
    """The text, or its beginning where it is longer than `most` characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def coded(text: str) -> Markup:
    """A line of the engine with what stands between backticks as code."""
    pieces = [escape(safe_text(piece)) for piece in text.split("`")]
    if len(pieces) % 2 == 0:  # the last of them opens nothing
        pieces[-2:] = [pieces[-2] + "`" + pieces[-1]]
    pieces[1::2] = [Markup("<code>{}</code>").format(piece) for piece in pieces[1::2]]
    return Markup("").join(pieces)


def at_slashes(path: str) -> Markup:
    """A path that may be broken after each of its slashes."""
    return Markup("/<wbr>").join(escape(safe_text(part)) for part in path.split("/"))


def _shown(value: Any) -> Any:
    """What is put into a page: text without anything that moves or hides other text."""
    return safe_text(value) if isinstance(value, str) and not isinstance(value, Markup) else value


class Assets:
    """The files beside the pages, read once; each is asked for under a name that changes with its content."""

    def __init__(self) -> None:
        there = [
            file for file in (files("agentmem.interfaces.web") / "static").iterdir() if _ending(file.name) in _KINDS
        ]
        self._files = {file.name: file.read_bytes() for file in there}

    def link(self, name: str) -> str:
        """Where a file is found."""
        return f"/static/{name}?{sha256(self._files[name]).hexdigest()[:12]}"

    async def answer(self, request: Request) -> Response:
        """One of the files."""
        name = str(request.path_params["file"])
        if name not in self._files:
            raise RefusedRequest(404, "NotFound", "no such file")
        return Response(self._files[name], 200, _KEEP, _KINDS[_ending(name)])


def _ending(name: str) -> str:
    return name.rpartition(".")[2]


ASSETS: Final = Assets()


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("agentmem.interfaces.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
        auto_reload=False,
    )
    filters: dict[str, Callable[..., Any]] = {
        "moment": _moment,
        "day": _day,
        "clipped": clipped,
        "asset": ASSETS.link,
        "coded": coded,
        "at_slashes": at_slashes,
    }
    made.filters.update(filters)
    return made


_TEMPLATES: Final = _environment()


def prepare() -> Iterator[str]:
    """Read all templates, one with each step, so that none is read when its page is first shown."""
    for name in _TEMPLATES.list_templates():
        _TEMPLATES.get_template(name)
        yield name


def rendered(template: str, model: Mapping[str, Any]) -> str:
    """The page. Raises what a template raises that asks for what the model has not."""
    return _TEMPLATES.get_template(template).render(model)
