"""Memories one by one and page by page: read, corrected, forgotten, taken back."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Body, Path, Query
from starlette.responses import Response

from agentmem.domain.memory import MemoryNode, MemoryType
from agentmem.domain.scope import Scope
from agentmem.errors import Conflict, NotFound
from agentmem.interfaces.http import bodies
from agentmem.interfaces.http.asking import (
    Asking,
    AsOf,
    Cursor,
    IfMatch,
    JsonResponse,
    KnownAt,
    PageLimit,
    demand_match,
    etag,
)
from agentmem.interfaces.lookup import known_agent, scope_of
from agentmem.interfaces.wire import forgotten_data, history_data, memory_data, page_data
from agentmem.ledger.listing import place_at
from agentmem.memory.forget_plan import Meant
from agentmem.ports.ledger import Selection
from agentmem.runtime.facade.app import App

router = APIRouter(prefix="/v1", tags=["memories"])

MemoryPath = Annotated[str, Path(max_length=64, description="The memory's id.")]


@router.get("/memories", response_model=bodies.MemoryList)
async def memories(
    agent: Annotated[str, Query(max_length=64)],
    app: Asking,
    about: Annotated[str | None, Query(max_length=200)] = None,
    type: Annotated[tuple[MemoryType, ...], Query(max_length=7)] = (),
    all: Annotated[bool, Query(description="Also what ended.")] = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    cursor: Cursor = None,
    limit: PageLimit = 100,
) -> Response:
    """One page of memories, newest first."""
    after = None if cursor is None else place_at(cursor)
    scope = await scope_of(app, agent, about)
    selection = Selection(scope, type, after=after, limit=limit, as_of=as_of, known_at=known_at)
    return JsonResponse(page_data(await app.memories(selection, valid=not all)))


@router.get("/memories/{memory}", response_model=bodies.MemoryDetail)
async def memory(memory: MemoryPath, app: Asking, known_at: KnownAt = None) -> Response:
    """One memory with the words it rests on."""
    return await _shown(app, await _node(app, memory, known_at), known_at)


@router.get("/memories/{memory}/history", response_model=bodies.MemoryHistory)
async def history(memory: MemoryPath, app: Asking) -> Response:
    """Every change of one memory."""
    entries = await app.records.history(memory)
    if not entries:
        raise _unknown(memory)
    return JsonResponse(history_data(entries))


@router.patch("/memories/{memory}", response_model=bodies.MemoryDetail)
async def edit(memory: MemoryPath, edit: bodies.EditRequest, app: Asking, match: IfMatch = None) -> Response:
    """Give a memory other words by hand, or with `since` one that replaces it."""
    demand_match(match, _tag(await _node(app, memory)))
    return await _shown(app, await app.editing.edit(memory, edit.content, edit.meta or None, since=edit.since))


@router.post("/memories/{memory}/end", response_model=bodies.MemoryDetail)
async def end(
    memory: MemoryPath,
    end: Annotated[bodies.EndRequest, Body(default_factory=bodies.EndRequest)],
    app: Asking,
    match: IfMatch = None,
) -> Response:
    """Say that a memory does not hold any more, since then or since now: it was true until it ended."""
    demand_match(match, _tag(await _node(app, memory)))
    return await _shown(app, await app.editing.end(memory, since=end.since))


@router.post("/memories/{memory}/bring-back", response_model=bodies.MemoryDetail)
async def bring_back(
    memory: MemoryPath,
    body: Annotated[bodies.BringBackRequest, Body(default_factory=bodies.BringBackRequest)],
    app: Asking,
    match: IfMatch = None,
) -> Response:
    """Have a memory that has ended hold again, it alone; another value of its slot disputes it then."""
    del body
    demand_match(match, _tag(await _node(app, memory)))
    return await _shown(app, await app.editing.bring_back(memory))


@router.post("/memories/{memory}/settle", response_model=bodies.MemoryDetail)
async def settle(memory: MemoryPath, settle: bodies.SettleRequest, app: Asking, match: IfMatch = None) -> Response:
    """Decide a dispute of a memory with another: one of the two was never true, or they concern different things."""
    demand_match(match, _tag(await _node(app, memory)))
    await app.editing.settle(memory, settle.other, wrong=settle.wrong)
    return await _shown(app, await _node(app, memory))


@router.delete("/memories/{memory}", response_model=bodies.ForgetResponse)
async def delete(memory: MemoryPath, app: Asking, match: IfMatch = None) -> Response:
    """Forget a memory, the words it was made of, and what was made of it alone."""
    node = await _node(app, memory)
    demand_match(match, _tag(node))
    told = await app.forget(Meant(Scope(app.tenant, node.agent_id, app.access.own_target(node.agent_id)), (memory,)))
    return JsonResponse(forgotten_data(told, dry_run=False))


@router.post("/forget", response_model=bodies.ForgetResponse)
async def forget(wish: bodies.ForgetRequest, app: Asking) -> Response:
    """Forget memories by id, person, question or source: end them, or erase them with a receipt."""
    ids = (wish.id,) if isinstance(wish.id, str) else wish.id
    await known_agent(app, wish.agent)
    meant = Meant(await scope_of(app, wish.agent, wish.about), ids, wish.source, wish.query)
    told = await app.forget(meant, erase=wish.erase, dry_run=wish.dry_run)
    return JsonResponse(forgotten_data(told, dry_run=wish.dry_run))


@router.post("/undo", response_model=bodies.UndoResponse)
async def undo(wish: bodies.UndoRequest, app: Asking) -> Response:
    """Take a run back, exactly. 409 where later runs changed the same, unless it is to cascade."""
    report = await app.undo(wish.run, cascade=wish.cascade)
    if report.blocked and not wish.cascade:
        raise Conflict(f"nothing was taken back: later runs changed what it had changed: {', '.join(report.blocked)}")
    return JsonResponse({"run": report.run, "restored": list(report.restored), "blocked": list(report.blocked)})


async def _node(app: App, memory: str, known_at: datetime | None = None) -> MemoryNode:
    node = (await app.records.get([memory], known_at=known_at)).get(memory)
    if node is None:
        raise _unknown(memory)
    return node


async def _shown(app: App, node: MemoryNode, known_at: datetime | None = None) -> Response:
    """The memory with the words it rests on."""
    sources = await app.records.get(node.source_ids, known_at=known_at)
    return JsonResponse(memory_data(node, sources), headers={"ETag": _tag(node)})


def _tag(node: MemoryNode) -> str:
    return etag(node.memory_id, node.revision)


def _unknown(memory: str) -> NotFound:
    return NotFound(f"no memory {memory!r}")
