"""Queue: how much work waits, what was given up and why; try it again, or drop it."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from starlette.responses import Response

from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import InvalidInput
from agentmem.interfaces.http.streams import EventStream, event
from agentmem.interfaces.web.page import Page, get, post
from agentmem.interfaces.web.sign_in import Notice
from agentmem.ports.work_queue import Depth

LETTERS: Final = 100
"""Of those that were given up so many are shown, the newest."""

LOOK_SECONDS: Final = 1.0
"""Between two looks for how much waits."""


async def queue(page: Page) -> Response:
    """Of one agent, or of one person's talks with it."""
    persona, scope = await _scope(page)
    depth = await page.app.upkeep.depth_of(scope)
    letters = await page.app.upkeep.dead(agent=persona.id, target=scope.target, limit=LETTERS)
    return page.show(
        "queue.html",
        agent=persona,
        depth=depth,
        letters=letters,
        more=max(0, depth.dead - len(letters)),
        may_mend=page.app.access.may(Grant.ADMIN, scope),
        live=f"/agents/{persona.id}/queue/live?since={_told(depth)}",
    )


async def mended(page: Page) -> Response:
    """Try what was chosen again, or drop it."""
    form = await page.form()
    persona, _ = await _scope(page)
    jobs = [job for job in form.getlist("job") if isinstance(job, str)]
    if not jobs:
        return page.go(f"/agents/{persona.id}/queue", Notice("queue.none_chosen"))
    match form.get("what"):
        case "retry":
            notice = Notice("queue.retried", {"count": await page.app.upkeep.retry_dead(jobs)})
        case "drop":
            notice = Notice("queue.dropped", {"count": await page.app.upkeep.drop_dead(jobs)})
        case _:
            raise InvalidInput("what: must be retry or drop")
    return page.go(f"/agents/{persona.id}/queue", notice)


async def queue_live(page: Page) -> Response:
    """Events `changed` whenever more or less waits."""
    _, scope = await _scope(page)
    assert page.caller is not None
    return EventStream(page.caller, _changed(page, scope, page.asked("since")))


async def _changed(page: Page, scope: Scope, seen: str | None) -> AsyncGenerator[bytes]:
    yield event("", kind="begun")
    while True:
        now = _told(await page.app.upkeep.depth_of(scope))
        if seen not in (None, now):
            yield event("", kind="changed")
        seen = now
        await asyncio.sleep(LOOK_SECONDS)


def _told(depth: Depth) -> str:
    """How much waits, as it stands in an address."""
    return f"{depth.ready}.{depth.delayed}.{depth.leased}.{depth.dead}"


async def _scope(page: Page) -> tuple[Persona, Scope]:
    persona = await page.app.records.agent(page.of_path("agent"))
    return persona, Scope(page.app.tenant, persona.id, page.app.access.own_target(persona.id))


ROUTES: Final = (
    get("/agents/{agent}/queue", queue),
    post("/agents/{agent}/queue", mended),
    get("/agents/{agent}/queue/live", queue_live),
)
