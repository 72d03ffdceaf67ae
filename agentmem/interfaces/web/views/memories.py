"""One memory: what it says, why it is believed, what became of it; corrected, forgotten, taken back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from starlette.responses import RedirectResponse, Response

from agentmem.domain.change import LedgerEntry
from agentmem.domain.memory import GRAPH, MemoryNode
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import Conflict, NotFound
from agentmem.interfaces.web.differences import FieldChange, MarkedPart, field_changes, marked
from agentmem.interfaces.web.page import Page, get, own_path, post, text_of
from agentmem.interfaces.web.session import Notice
from agentmem.memory.forget_plan import Meant
from agentmem.runtime.facade.forget_requests import Forgotten

SHOWN: Final = 50
"""Changes, sources, and memories that rest on it, of which a page tells."""


@dataclass(frozen=True, slots=True)
class MarkedSource:
    """What a memory was made from, with the words that it rests on marked."""

    memory: MemoryNode
    parts: Sequence[MarkedPart]


@dataclass(frozen=True, slots=True)
class PastChange:
    """A change with what it did, field by field."""

    entry: LedgerEntry
    fields: Sequence[FieldChange]


async def memory(page: Page) -> Response:
    """All there is to know about it."""
    return await _memory(page, await _node(page))


async def _memory(page: Page, node: MemoryNode, told: Forgotten | None = None, *, erase: bool = False) -> Response:
    app = page.app
    near = await app.records.get(_named(node))
    history = await app.records.history(node.memory_id)
    resting = (await app.records.inspecting.resting_on([node.memory_id])).get(node.memory_id, ())
    scope = Scope(app.tenant, node.agent_id, node.target_id)
    return page.show(
        "memory.html",
        agent=await app.records.agent(node.agent_id),
        live=f"/agents/{node.agent_id}/people/{node.target_id}/live",
        node=node,
        is_known=node.memory_type not in GRAPH,
        sources=_sources(node, near),
        hidden=len({*node.source_ids} - near.keys()),
        replaces=_there(node.supersedes, near),
        successor=near.get(node.superseded_by or ""),
        conflicts=_there(node.conflicts_with, near),
        doubts=_there(node.needs_review or (), near),
        resting=resting[:SHOWN],
        more_resting=max(0, len(resting) - SHOWN),
        history=[PastChange(entry, field_changes(entry.change)) for entry in history[-SHOWN:]][::-1],
        may_write=app.access.may(Grant.WRITE, scope),
        holds=node.is_valid(app.clock.now()),
        told=told,
        erase=erase,
    )


async def edited(page: Page) -> Response:
    """Other words, by hand."""
    form = await page.form()
    node = await _node(page)
    if text_of(form, "revision") != str(node.revision):
        raise Conflict("the memory has changed since the page was loaded")
    await page.app.editing.edit(node.memory_id, text_of(form, "content"))
    history = await page.app.records.history(node.memory_id)
    return page.go(f"/memories/{node.memory_id}", Notice("memory.edited", run=history[-1].run))


async def forgotten(page: Page) -> Response:
    """First what would go along, then it is forgotten; erased for good where that is asked for."""
    form = await page.form()
    node, erase = await _node(page), bool(form.get("erase"))
    own = page.app.access.own_target(node.agent_id)
    meant = Meant(Scope(page.app.tenant, node.agent_id, own), (node.memory_id,))
    done = text_of(form, "step") == "done"
    told = await page.app.forget(meant, erase=erase, dry_run=not done)
    if not done:
        return await _memory(page, node, told, erase=erase)
    word = "memory.erased" if erase else "memory.forgotten"
    notice = Notice(word, {"count": len(told.gone)}, None if erase else told.run)
    return page.go(f"/agents/{node.agent_id}", notice)


async def undone(page: Page) -> Response:
    """A run taken back; where later runs changed the same, that is told first."""
    form = await page.form()
    run = text_of(form, "run")
    report = await page.app.undo(run, cascade=bool(form.get("cascade")))
    back = own_path(text_of(form, "back"))
    if report.run is None and report.blocked:
        blocked = _there(report.blocked[:SHOWN], await page.app.records.get(report.blocked[:SHOWN]))
        return page.show("undo.html", 409, run=run, back=back, blocked=blocked, count=len(report.blocked))
    if report.run is None:
        return page.go(back, Notice("memory.undone_before"))
    return page.go(back, Notice("memory.undone", {"count": len(report.restored)}, report.run))


async def _undo_seen(page: Page) -> Response:
    """Where a browser lands that loads the answer to a form again."""
    return RedirectResponse("/", 303)


async def _node(page: Page) -> MemoryNode:
    memory_id = page.of_path("memory")
    node = (await page.app.records.get([memory_id])).get(memory_id)
    if node is None:
        raise NotFound("there is no such memory")
    return node


def _named(node: MemoryNode) -> set[str]:
    """Every memory that this one names."""
    after = () if node.superseded_by is None else (node.superseded_by,)
    said = (part.memory_id for part in node.evidence)
    doubts = node.needs_review or ()
    return {*node.source_ids, *said, *node.depends_on, *node.supersedes, *after, *node.conflicts_with, *doubts}


def _sources(node: MemoryNode, near: Mapping[str, MemoryNode]) -> list[MarkedSource]:
    """In the order in which they were said."""
    ids = dict.fromkeys((*node.source_ids, *(part.memory_id for part in node.evidence), *node.depends_on))
    there = sorted(_there(tuple(ids), near), key=lambda source: source.valid_at)
    spans = {source.memory_id: list[tuple[int, int]]() for source in there}
    for part in node.evidence:
        if part.memory_id in spans:
            spans[part.memory_id].append((part.start, part.end))
    return [MarkedSource(each, marked(each.content, spans[each.memory_id])) for each in there[:SHOWN]]


def _there(ids: Sequence[str], near: Mapping[str, MemoryNode]) -> list[MemoryNode]:
    return [near[key] for key in ids if key in near]


ROUTES: Final = (
    get("/memories/{memory}", memory),
    post("/memories/{memory}/edit", edited),
    post("/memories/{memory}/forget", forgotten),
    post("/undo", undone),
    get("/undo", _undo_seen),
)
