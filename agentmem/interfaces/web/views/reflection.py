"""Reflection: the runs that there were, what each changed, what one would change now; run it, take it back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from agentmem.domain.change import Change
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.interfaces.lookup import scope_of
from agentmem.interfaces.web.differences import FieldChange, field_changes
from agentmem.interfaces.web.page import Page, get, post, text_of
from agentmem.interfaces.web.session import Notice
from agentmem.ports.ledger import RunSummary
from agentmem.runtime.facade.app import App

RUNS: Final = 30
MAX_CHANGES: Final = 200
"""Changes of one run that are shown."""

MAX_CURSOR: Final = 18


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run, and by id what those are called whom it is about."""

    run: RunSummary
    people: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ShownChange:
    """What became of one memory, field by field, and why. `node` is it as it is or, where it is gone, as it was."""

    act: str
    node: MemoryNode
    fields: Sequence[FieldChange]
    reason: str


async def reflection(page: Page) -> Response:
    """The runs, the latest first."""
    persona = await _agent(page)
    before = page.asked("before")
    if before is not None and not (before.isascii() and before.isdigit() and len(before) < MAX_CURSOR):
        raise InvalidInput("before: is no place in this list")
    scope = await scope_of(page.app, persona.id, None)
    runs = await page.app.records.reflections(scope, before=int(before) if before else None, limit=RUNS)
    names = await _names(page.app, {target for run in runs for target in run.targets})
    return page.show(
        "reflection.html",
        agent=persona,
        runs=[ShownRun(run, {key: names[key] for key in run.targets if key in names}) for run in runs],
        paged=before is not None,
        older=runs[-1].seq if len(runs) == RUNS else None,
        may_write=page.app.access.may(Grant.WRITE, scope),
        changes=None,
        live=f"/agents/{persona.id}/live",
    )


async def previewed(page: Page) -> Response:
    """What reflecting now would change; nothing is written."""
    form = await page.form()
    persona = await _agent(page)
    previews = await page.app.preview_reflection(await _about(page.app, persona, text_of(form, "about")))
    changes = [change for preview in previews for change in preview.changes]
    return page.show(
        "reflection_changes.html",
        agent=persona,
        run=None,
        may_write=False,
        at=None,
        **shown_changes(changes),
    )


async def back_to_all(page: Page) -> Response:
    """A preview is asked for by a form."""
    return page.go(f"/agents/{(await _agent(page)).id}/reflection")


async def reflected(page: Page) -> Response:
    """Reflect now."""
    form = await page.form()
    persona = await _agent(page)
    done = await page.app.reflect(await _about(page.app, persona, text_of(form, "about")))
    count = sum(sum(report.acts.values()) for report in done)
    notice = Notice("reflection.done", {"runs": len(done), "changes": count}) if done else Notice("reflection.nothing")
    return page.go(f"/agents/{persona.id}/reflection", notice)


async def run(page: Page) -> Response:
    """What one run changed."""
    persona = await _agent(page)
    entries = await page.app.records.of_run(page.of_path("run"))
    own = [entry for entry in entries if all(node.agent_id == persona.id for node in entry.change.states)]
    scopes = {Scope(node.tenant, node.agent_id, node.target_id) for entry in own for node in entry.change.states}
    return page.show(
        "reflection_changes.html",
        agent=persona,
        run=page.of_path("run"),
        may_write=bool(own) and all(page.app.access.may(Grant.WRITE, scope) for scope in scopes),
        at=own[0].at if own else None,
        **shown_changes([entry.change for entry in own]),
    )


async def _agent(page: Page) -> Persona:
    return await page.app.records.agent(page.of_path("agent"))


async def _about(app: App, persona: Persona, name: str) -> Scope:
    try:
        return await scope_of(app, persona.id, name or None)
    except NotFound as error:
        raise InvalidInput(str(error)) from error


async def _names(app: App, targets: set[str]) -> Mapping[str, str]:
    """What they are called, as far as the reader may know it: entities have the ids of those they stand for."""
    known = await app.records.get(targets)
    return {key: (known[key].value or "") if key in known else "" for key in targets}


def shown_changes(changes: Sequence[Change]) -> Mapping[str, Any]:
    """The first `MAX_CHANGES` of which a reader sees anything, and how many memories were only looked at."""
    told = [(change, field_changes(change)) for change in changes[:MAX_CHANGES]]
    shown = [ShownChange(change.act, change.states[-1], fields, change.reason) for change, fields in told if fields]
    return {"changes": shown, "looked_at": len(told) - len(shown), "more": max(0, len(changes) - MAX_CHANGES)}


ROUTES: Final = (
    get("/agents/{agent}/reflection", reflection),
    post("/agents/{agent}/reflection", reflected),
    post("/agents/{agent}/reflection/preview", previewed),
    get("/agents/{agent}/reflection/preview", back_to_all),
    get("/agents/{agent}/reflection/{run}", run),
)
