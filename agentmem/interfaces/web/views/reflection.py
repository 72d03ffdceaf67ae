"""Reflection: the runs that there were, what each changed, what one would change now; run it, take it back."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import groupby
from typing import Any, Final

from starlette.responses import Response

from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.memory import MemoryNode
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import InvalidInput
from agentmem.interfaces.lookup import scope_of
from agentmem.interfaces.web.differences import FieldChange, field_changes
from agentmem.interfaces.web.page import FormFault, Page, get, post, text_of
from agentmem.interfaces.web.question_page import about_whom, people_known, whole_name
from agentmem.interfaces.web.sign_in import Notice
from agentmem.interfaces.web.views.memories import successors
from agentmem.interfaces.web.wording import Words
from agentmem.ledger.undo import taken_back_by
from agentmem.ports.ledger import RunSummary
from agentmem.runtime.facade.app import App
from agentmem.runtime.host.scheduler import next_due

RUNS: Final = 30
MAX_CHANGES: Final = 200
"""Changes of one run that are shown."""

MAX_CURSOR: Final = 18
LOOKED_AT: Final = "reflect"
"""The act of which a memory tells no more than that reflection has looked at it."""


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run, by id what those are called whom it is about, how many memories it changed by act, and how many it only
    looked at."""

    run: RunSummary
    people: Mapping[str, str]
    changed: Mapping[str, int]
    looked_at: int


@dataclass(frozen=True, slots=True)
class RunGroup:
    """A run that changed something, or those in a row that changed nothing."""

    quiet: bool
    runs: Sequence[ShownRun]


@dataclass(frozen=True, slots=True)
class ShownChange:
    """What became of one memory, field by field, and why. `node` is it as it is or, where it is gone, as it was."""

    act: str
    node: MemoryNode
    fields: Sequence[FieldChange]
    reason: str


async def reflection(page: Page, fault: FormFault | None = None) -> Response:
    """The runs, the latest first."""
    persona = await _agent(page)
    before = page.asked("before")
    if before is not None and not (before.isascii() and before.isdigit() and len(before) < MAX_CURSOR):
        raise InvalidInput("before: is no place in this list")
    scope = await scope_of(page.app, persona.id, None)
    live = await page.live(f"/agents/{persona.id}/live", scope)
    runs = await page.app.records.reflections(scope, before=int(before) if before else None, limit=RUNS)
    names = await _names(page.app, {target for run in runs for target in run.targets})
    return page.show(
        "reflection.html",
        200 if fault is None else fault.status,
        fault=fault,
        agent=persona,
        groups=grouped([_shown_run(run, names) for run in runs]),
        people=await people_known(page.app, persona.id),
        paged=before is not None,
        older=runs[-1].seq if len(runs) == RUNS else None,
        may_write=page.app.access.may(Grant.WRITE, scope),
        held_back=any(run.taken_back for run in runs),
        policy=persona.memory.reflect,
        next_due=_next_due(persona, page.app.clock.now()),
        last=runs[0].at if runs and before is None else None,
        changes=None,
        live=live,
    )


def _next_due(persona: Persona, now: datetime) -> datetime | None:
    """When the clock has the agent reflect next."""
    line = persona.memory.reflect.cron
    return None if line is None else next_due(line, now)


async def previewed(page: Page) -> Response:
    """What reflecting now would change; nothing is written."""
    return await _of_form(page, _previewed)


async def reflected(page: Page) -> Response:
    """Reflect now."""
    return await _of_form(page, _reflected)


async def _of_form(page: Page, done: Callable[[Page, Persona, Scope], Awaitable[Response]]) -> Response:
    """What is done of the person whom the form names, or of everybody; the form again where nobody is called so."""
    form = await page.form()
    persona = await _agent(page)
    try:
        name = await whole_name(page.app, persona.id, text_of(form, "about"))
        scope = await about_whom(page.app, persona.id, name)
    except InvalidInput as error:
        return await reflection(page, page.fault("reflect", ("about",), form, error))
    return await done(page, persona, scope)


async def _previewed(page: Page, persona: Persona, scope: Scope) -> Response:
    previews = await page.app.preview_reflection(scope)
    changes = [change for preview in previews for change in preview.changes]
    return page.show(
        "reflection_changes.html",
        agent=persona,
        run=None,
        about=text_of(await page.form(), "about"),
        may_write=False,
        at=None,
        undone=False,
        undone_by=None,
        held_back=any(past.taken_back for past in await page.app.records.reflections(scope, limit=RUNS)),
        successors=await successors(page, changes),
        **shown_changes(changes, page.words, page.zone),
    )


async def _reflected(page: Page, persona: Persona, scope: Scope) -> Response:
    done = await page.app.reflect(scope)
    acts: Counter[str] = Counter()
    for report in done:
        acts.update(report.acts)
    told = {"runs": len(done), "changes": sum(changed(acts).values()), "looked": acts[LOOKED_AT]}
    news = [report.run for report in done if changed(report.acts)]
    undoes = news[0] if len(news) == 1 else None
    notice = Notice("reflection.done", told, undoes, "reflection.undo") if done else Notice("reflection.nothing")
    return page.go(f"/agents/{persona.id}/reflection", notice)


async def back_to_all(page: Page) -> Response:
    """A preview is asked for by a form."""
    return page.go(f"/agents/{(await _agent(page)).id}/reflection")


async def run(page: Page) -> Response:
    """What one run changed."""
    persona = await _agent(page)
    entries = (await page.app.records.of_run(page.of_path("run"))).entries
    own = [entry for entry in entries if all(node.agent_id == persona.id for node in entry.change.states)]
    changes = [entry.change for entry in own]
    scopes = {Scope(node.tenant, node.agent_id, node.target_id) for entry in own for node in entry.change.states}
    return page.show(
        "reflection_changes.html",
        agent=persona,
        run=page.of_path("run"),
        may_write=bool(own) and all(page.app.access.may(Grant.WRITE, scope) for scope in scopes),
        at=own[0].at if own else None,
        undone=(undone_by := await _undone_by(page, own)) is not None,
        undone_by=undone_by,
        held_back=False,
        successors=await successors(page, changes),
        **shown_changes(changes, page.words, page.zone),
    )


async def _agent(page: Page) -> Persona:
    return await page.app.records.agent(page.of_path("agent"))


async def _names(app: App, targets: set[str]) -> Mapping[str, str]:
    """What they are called, as far as the reader may know it: entities have the ids of those they stand for."""
    known = await app.records.get(targets)
    return {key: (known[key].value or "") if key in known else "" for key in targets}


def _shown_run(run: RunSummary, names: Mapping[str, str]) -> ShownRun:
    people = {key: names[key] for key in run.targets if key in names}
    return ShownRun(run, people, changed(run.acts), run.acts.get(LOOKED_AT, 0))


def grouped(runs: Sequence[ShownRun]) -> list[RunGroup]:
    """In the same order: what changed something by itself, what changed nothing with its neighbours."""
    found: list[RunGroup] = []
    for quiet, neighbours in groupby(runs, key=lambda run: not run.changed):
        some = list(neighbours)
        found += [RunGroup(True, some)] if quiet else [RunGroup(False, [run]) for run in some]
    return found


async def _undone_by(page: Page, entries: Sequence[LedgerEntry]) -> str | None:
    """The run that took these changes back."""
    history = await page.app.records.history(entries[0].memory_id) if entries else []
    return taken_back_by(history, entries[0].run) if entries else None


def changed(acts: Mapping[str, int]) -> dict[str, int]:
    """Of what a run did, by act, that which changed a memory."""
    return {act: count for act, count in acts.items() if act != LOOKED_AT}


def shown_changes(changes: Sequence[Change], words: Words, zone: tzinfo) -> Mapping[str, Any]:
    """The first `MAX_CHANGES`, and how many memories were only looked at."""
    told = [change for change in changes if change.act != LOOKED_AT]
    shown = [
        ShownChange(change.act, change.states[-1], field_changes(change, words, zone), change.reason)
        for change in told[:MAX_CHANGES]
    ]
    return {"changes": shown, "looked_at": len(changes) - len(told), "more": max(0, len(told) - MAX_CHANGES)}


ROUTES: Final = (
    get("/agents/{agent}/reflection", reflection),
    post("/agents/{agent}/reflection", reflected),
    post("/agents/{agent}/reflection/preview", previewed),
    get("/agents/{agent}/reflection/preview", back_to_all),
    get("/agents/{agent}/reflection/{run}", run),
)
