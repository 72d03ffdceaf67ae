"""The pages with a past to look into: served in a thread for a browser, or called in this process without a socket."""

import asyncio
import re
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, DeltaToolCall

from agentmem.domain.ids import entity_id
from agentmem.domain.naming import canonical_name
from agentmem.domain.scope import Scope
from agentmem.evals.scenarios.scenario_run import run_scenario
from agentmem.interfaces.http.serving import Serving, address_of, bound, serve
from agentmem.runtime.composition.opening import open_app
from agentmem.runtime.configuration.settings import ServerSettings, Settings
from agentmem.runtime.facade.app import App
from tests.fixtures.talking_model import Says, Speaker
from tests.support.index_kind import an_index
from tests.support.served import BASE, Served

T = TypeVar("T")

ROOT: Final = Path(__file__).parents[2]
DEMO: Final = ROOT / "scenarios" / "aip_sales.yaml"
DEMO_AGENT, DEMO_PERSON = "aip_sales", "罗小东"
PATIENCE: Final = 60.0
_CSRF: Final = re.compile(r'name="csrf" value="([^"]+)"')


@dataclass(frozen=True)
class Site:
    """Pages that are served. What `run` is given runs where the server does."""

    address: str
    secret: str
    app: App
    loop: asyncio.AbstractEventLoop

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What it answers."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def scope(self, agent: str, person: str | None = None) -> Scope:
        """Of an agent, or of what it knows about somebody."""
        tenant = self.app.tenant
        return Scope(tenant, agent, None if person is None else entity_id(tenant, agent, canonical_name(person)))

    @property
    def demo_person(self) -> str:
        """The path of the page of the demo's person."""
        return f"/agents/{DEMO_AGENT}/people/{self.scope(DEMO_AGENT, DEMO_PERSON).target}"


def demo_settings(folder: Path) -> Settings:
    """A store in that folder, and the personas of the demo."""
    return Settings.model_validate({"data": folder / "data", "index": an_index(), "personas": ROOT / "personas"})


class SlowSpeaker(Speaker):
    """Answers with the number of its request; slowly where that is asked for, for longer than any test waits."""

    def __init__(self) -> None:
        super().__init__(lambda number, seen: Says(f"Answer {number}. " + "And on. " * (370 * ("slowly" in seen))))

    async def _stream(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        async for piece in super()._stream(messages, info):
            yield piece
            await asyncio.sleep(0.1)


@contextmanager
def site_of_the_demo(folder: Path) -> Generator[Site]:
    """The demo's store, with a model that speaks, served over a real socket until the body ends."""
    settings = demo_settings(folder)
    begun = threading.Event()
    made: list[Site] = []
    ends: list[asyncio.Event] = []

    async def served() -> None:
        stop = asyncio.Event()
        ends.append(stop)
        await run_scenario(DEMO, settings)
        async with open_app(settings, chat=SlowSpeaker().chat) as app:
            secret = (await app.tokens.create("owner", {}, for_owner=True)).secret
            serving = Serving(ServerSettings(port=0))
            with bound(serving.options) as listening:
                made.append(Site(address_of(listening), secret, app, asyncio.get_running_loop()))
                await serve(app, serving, listening, stop, begun.set)

    thread = threading.Thread(target=lambda: asyncio.run(served()), name="site")
    thread.start()
    try:
        assert begun.wait(PATIENCE)
        yield made[0]
    finally:
        if made:
            made[0].loop.call_soon_threadsafe(ends[0].set)
        thread.join(PATIENCE)


def csrf_of(answer: httpx.Response) -> str:
    """What stands in the forms of a page."""
    found = _CSRF.search(answer.text)
    assert found is not None, answer.text[:500]
    return unescape(found[1])


@asynccontextmanager
async def visitor(
    server: Served, secret: str | None = None, *, language: str = "en", address: str = "127.0.0.1"
) -> AsyncGenerator[httpx.AsyncClient]:
    """A browser without scripts, that has entered with this token, or as the owner; with an empty one it has not."""
    shown = server.owner if secret is None else secret
    transport = httpx.ASGITransport(server.program, raise_app_exceptions=False, client=(address, 1))
    headers = {"Accept-Language": language, "Origin": BASE}
    async with httpx.AsyncClient(transport=transport, base_url=BASE, headers=headers) as client:
        if shown:
            answer = await client.post("/enter", data={"token": shown})
            assert answer.status_code == 303, answer.text
        yield client


async def sent(client: httpx.AsyncClient, path: str, fields: Mapping[str, str], *, on: str) -> httpx.Response:
    """A form of the page `on`, sent to `path`."""
    return await client.post(path, data={"csrf": csrf_of(await client.get(on)), **fields})


class Links(HTMLParser):
    """The pages that a page leads to, and what in it could run or load anything but what belongs to every page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.paths: list[str] = []
        self.strange: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        for name, value in given.items():
            if name.startswith("on") or name in ("style", "srcdoc", "http-equiv"):
                self.strange.append(f"{tag} {name}={value}")
            if name in ("href", "src", "action", "formaction") and (
                not value.startswith(("/", "#")) or value.startswith("//")
            ):
                self.strange.append(f"{tag} {name}={value}")
        if tag in ("style", "iframe", "object", "embed", "base") or (tag == "script" and "src" not in given):
            self.strange.append(tag)
        if tag == "a" and given.get("href", "").startswith("/"):
            self.paths.append(given["href"])


async def walked(client: httpx.AsyncClient, start: str = "/", *, most: int = 400) -> dict[str, httpx.Response]:
    """Every page that links lead to, from one on, with its address."""
    found: dict[str, httpx.Response] = {}
    todo = [start]
    while todo and len(found) < most:
        path = todo.pop(0)
        if path not in found:
            found[path] = await client.get(path)
            todo += Links(found[path].text).paths
    return found
