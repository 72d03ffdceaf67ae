"""That something has changed, told to open pages as it happens; what it is they load by themselves."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from starlette.responses import Response

from agentmem.domain.scope import Scope
from agentmem.interfaces.http.streams import EventStream, event
from agentmem.interfaces.web.page import Page, get
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.records import Changes

LOOK_SECONDS: Final = 0.5
"""Between two looks for what has changed."""


async def agent_live(page: Page) -> Response:
    """Events `changed` for what an agent remembers, as far as the reader may see it."""
    persona = await page.app.records.agent(page.of_path("agent"))
    return await _stream(page, Scope(page.app.tenant, persona.id, page.app.access.own_target(persona.id)))


async def person_live(page: Page) -> Response:
    """The same for what it remembers of one person."""
    persona = await page.app.records.agent(page.of_path("agent"))
    return await _stream(page, Scope(page.app.tenant, persona.id, page.of_path("person")))


async def _stream(page: Page, scope: Scope) -> Response:
    assert page.caller is not None
    seen = await page.app.records.changes(scope, after=page.asked("since"))
    return EventStream(page.caller, _changed(page.app, scope, seen))


async def _changed(app: App, scope: Scope, seen: Changes) -> AsyncGenerator[bytes]:
    """Tells that, not what: one event for all that changed between two looks, and since the page was made."""
    yield event("", kind="begun")
    while True:
        if seen.changes:
            yield event("", kind="changed")
        await asyncio.sleep(0 if seen.more else LOOK_SECONDS)
        seen = await app.records.changes(scope, after=seen.cursor)


ROUTES: Final = (get("/agents/{agent}/live", agent_live), get("/agents/{agent}/people/{person}/live", person_live))
