"""Documents that an agent reads: sent, listed with their versions, and ended."""

from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from agentmem.assets.document_record import documents_of
from agentmem.domain.memory import MemoryNode, RecordType
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import NotFound
from agentmem.interfaces.http import agent_bodies as bodies
from agentmem.interfaces.http.asking import Asking, Cursor, JsonResponse, PageLimit
from agentmem.interfaces.http.transfers import received, transfer
from agentmem.interfaces.lookup import known_agent, scope_of
from agentmem.interfaces.wire import document_data
from agentmem.ledger.listing import place_at
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.ingesting import MAX_SENT_NAME, check_sent_name

router = APIRouter(prefix="/v1", tags=["documents"])

DocumentPath = Annotated[str, Path(max_length=64, description="The document's id.")]
AgentName = Annotated[str, Query(max_length=64, description="The agent's id.", examples=["aip_sales"])]

_KINDS: Final = ("application/octet-stream", "text/plain", "text/markdown", "text/html", "application/pdf")
_FILE_IN: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in _KINDS},
    }
}


@router.post(
    "/documents",
    status_code=202,
    response_model=bodies.DocumentAccepted,
    responses={200: {"model": bodies.DocumentAccepted, "description": "There in this version already"}},
    openapi_extra=_FILE_IN,
)
async def take_in(
    agent: AgentName,
    name: Annotated[
        str,
        Query(
            min_length=1,
            max_length=MAX_SENT_NAME,
            description="What it is called; the ending says what it is: guide.md",
        ),
    ],
    request: Request,
    app: Asking,
) -> Response:
    """Take a document in. The same name again is another version of it. `GET /v1/events/{eventId}` tells how far it
    is."""
    check_sent_name(name)
    await known_agent(app, agent)
    app.access.demand(Grant.WRITE, Scope(app.tenant, agent))  # before the file is taken in, which costs a disk its room
    async with transfer(app.settings.data, "document") as file:
        await received(request, file)
        done = await app.library.take_in(agent, name, file.read_bytes)
    told = {"id": done.document, "version": done.version}
    if done.accepted is None:
        return JsonResponse({**told, "eventId": None})
    return JsonResponse({**told, "eventId": done.accepted.event_key.hex()}, 202)


@router.get("/documents", response_model=bodies.DocumentList)
async def documents(agent: AgentName, app: Asking, cursor: Cursor = None, limit: PageLimit = 100) -> Response:
    """One page of the documents that an agent has read, newest first."""
    after = None if cursor is None else place_at(cursor)
    scope = await scope_of(app, agent, None)
    page = await app.memories(replace(documents_of(scope), after=after, limit=limit))
    return JsonResponse({"documents": [document_data(node) for node in page], "next": page.next})


@router.get("/documents/{document}", response_model=bodies.DocumentVersions)
async def document(document: DocumentPath, app: Asking) -> Response:
    """A document with its versions, oldest first. One that has ended has no pieces."""
    record = await _record(app, document)
    versions: list[dict[str, object]] = []
    for entry in await app.records.history(document, forgotten=False):
        told = None if entry.change.after is None else document_data(entry.change.after)
        if told is not None and (not versions or versions[-1]["version"] != told["version"]):
            versions.append(told)
    return JsonResponse({"document": document_data(record), "versions": versions})


@router.delete("/documents/{document}", status_code=202, response_model=bodies.DocumentEnded)
async def end(document: DocumentPath, app: Asking) -> Response:
    """End a document: what it says holds no longer. Its history stays; `DELETE /v1/memories/{id}` forgets a piece."""
    done = await app.library.end(await _record(app, document))
    return JsonResponse({"eventId": None if done is None else done.event_key.hex()}, 202)


async def _record(app: App, document: str) -> MemoryNode:
    found = (await app.records.get([document])).get(document)
    if found is None or found.record is not RecordType.DOCUMENT:
        raise NotFound(f"no document {document!r}")
    return found
