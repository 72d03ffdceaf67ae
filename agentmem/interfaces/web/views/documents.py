"""Documents: which an agent has read, in which versions; one more, or one less."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import filterfalse
from pathlib import PurePath
from typing import Final

from starlette.datastructures import UploadFile
from starlette.responses import Response

from agentmem.assets.document_record import documents_of, facts_of, pieces_of
from agentmem.assets.file_reading import FORMATS, INSTALLS, is_installed
from agentmem.domain.change import Change, LedgerEntry
from agentmem.domain.memory import MemoryNode, RecordType
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Grant, Scope
from agentmem.errors import InvalidInput, NotFound
from agentmem.interfaces.web.page import FormFault, Page, get, post, text_of
from agentmem.interfaces.web.sign_in import Notice
from agentmem.interfaces.web.versions import (
    MAX_CHANGED,
    SHOWN,
    ComparedPiece,
    PiecePlace,
    changed,
    compared,
    places,
    shown,
)
from agentmem.ledger.listing import place_at

LISTED: Final = 50


@dataclass(frozen=True, slots=True)
class PastVersion:
    """A version of a document, with the ids of its pieces; `seq` is the change that made it the version."""

    seq: int
    shown: "ListedDocument"
    pieces: Sequence[str]


@dataclass(frozen=True, slots=True)
class ComparedVersion:
    """A version beside the one `before` it. Of a long document the pieces that changed, without the `unchanged`;
    `missing` ones were forgotten, or are too many to be shown. `differing` pieces are too many to be compared."""

    version: PastVersion
    before: PastVersion | None
    pieces: Sequence[ComparedPiece]
    unchanged: int = 0
    missing: int = 0
    differing: int | None = None


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document or one of its versions, by its record; one without pieces has ended."""

    document: str
    title: str
    name: str
    version: str
    at: datetime
    trust: str
    pieces: int
    facts: int


async def documents(page: Page, fault: FormFault | None = None) -> Response:
    """The documents, the newest first."""
    persona, scope = await _scope(page)
    live = await page.live(f"/agents/{persona.id}/live", scope)
    cursor = page.asked("after")
    wanted = replace(documents_of(scope), limit=LISTED)
    if cursor is not None:
        wanted = replace(wanted, after=place_at(cursor))
    found = await page.app.memories(wanted)
    depth = await page.app.upkeep.depth_of(scope)
    return page.show(
        "documents.html",
        200 if fault is None else fault.status,
        fault=fault,
        agent=persona,
        documents=[_listed(node) for node in found],
        next=found.next,
        paged=cursor is not None,
        waits=depth.ready + depth.leased + depth.delayed,
        may_write=page.app.access.may(Grant.WRITE, Scope(page.app.tenant, persona.id)),
        formats=", ".join(filter(is_installed, FORMATS)),
        missing=", ".join(filterfalse(is_installed, FORMATS)),
        installs=INSTALLS,
        live=live,
    )


async def sent(page: Page) -> Response:
    """Take a document in."""
    persona, scope = await _scope(page)
    page.app.access.demand(Grant.WRITE, Scope(scope.tenant, scope.agent))  # before a file is taken in
    form = await page.form()
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return page.go(f"/agents/{persona.id}/documents", Notice("documents.none_chosen"))
    name = PurePath(file.filename.replace("\\", "/")).name
    try:
        done = await page.app.library.take_in(persona.id, name, file.file.read)
    except InvalidInput as error:
        return await documents(page, page.fault("document", ("file",), form, error))
    word = "documents.known" if done.accepted is None else "documents.taken"
    return page.go(f"/agents/{persona.id}/documents", Notice(word))


async def document(page: Page) -> Response:
    """One document: what it consists of now, and its versions."""
    persona, scope = await _scope(page)
    return await _document(page, persona, scope, await _record(page, persona))


async def _document(
    page: Page, persona: Persona, scope: Scope, record: MemoryNode, ends: Sequence[MemoryNode] | None = None
) -> Response:
    live = await page.live(f"/agents/{persona.id}/live", scope)
    history = await page.app.records.history(record.memory_id, forgotten=False)
    versions = _versions(history)
    ids = pieces_of(record)
    pieces = await page.app.records.get(ids[:SHOWN])
    return page.show(
        "document.html",
        agent=persona,
        document=_listed(record),
        versions=versions[::-1],
        compared=await _compared(page, versions),
        pieces=[pieces[key] for key in ids[:SHOWN] if key in pieces],
        more=max(0, len(ids) - SHOWN),
        ends=ends,
        ended_by=history[-1].run if history and _ends(history[-1].change) else None,
        may_write=page.app.access.may(Grant.WRITE, Scope(scope.tenant, scope.agent)),
        live=live,
    )


def _versions(history: Sequence[LedgerEntry]) -> list[PastVersion]:
    """Those that the record of a document tells of, the earliest first."""
    versions: list[PastVersion] = []
    for entry in history:
        record = entry.change.after
        told = None if record is None else PastVersion(entry.seq, _listed(record), pieces_of(record))
        if told is not None and (not versions or versions[-1].shown.version != told.shown.version):
            versions.append(told)
    return versions


async def _compared(page: Page, versions: Sequence[PastVersion]) -> ComparedVersion | None:
    """The version that is asked for beside the one before it; None where none is. Raises `NotFound`."""
    if (wanted := page.asked("version")) is None:
        return None
    number = next((number for number, each in enumerate(versions) if str(each.seq) == wanted), None)
    if number is None:
        raise NotFound("the document has no such version")
    return await _beside(page, versions[number], versions[number - 1] if number else None)


async def _beside(page: Page, version: PastVersion, before: PastVersion | None) -> ComparedVersion:
    old, new = before.pieces if before else (), version.pieces
    one_sided = changed(old, new)
    if before is None or len(one_sided) > MAX_CHANGED:
        told = [PiecePlace(None, key) for key in new[:SHOWN]]
        pieces = compared(told, await page.app.records.get(set(new[:SHOWN])))
        differing = len(one_sided) if before else None
        return ComparedVersion(version, before, pieces, missing=len(new) - len(pieces), differing=differing)
    known = await page.app.records.get(one_sided)
    found = places(old, new, known)
    told = shown(found)
    stayed = {place.after for place in told if place.after and place.stayed}
    pieces = compared(told, {**known, **await page.app.records.get(stayed)})
    unchanged = 0 if len(told) == len(found) else sum(place.stayed for place in found)
    return ComparedVersion(version, before, pieces, unchanged, len(found) - unchanged - len(pieces))


async def ended(page: Page) -> Response:
    """First what would end along, then it is said that the document is there no more."""
    form = await page.form()
    persona, scope = await _scope(page)
    record = await _record(page, persona)
    if text_of(form, "step") != "done":
        return await _document(page, persona, scope, record, await page.app.library.preview_end(record))
    await page.app.library.end(record)
    return page.go(f"/agents/{persona.id}/documents/{record.memory_id}", Notice("documents.ended"))


def _ends(change: Change) -> bool:
    """Whether the change of a record ended its document."""
    return bool(pieces_of(change.before)) and not pieces_of(change.after)


async def _scope(page: Page) -> tuple[Persona, Scope]:
    persona = await page.app.records.agent(page.of_path("agent"))
    return persona, Scope(page.app.tenant, persona.id, page.app.access.own_target(persona.id))


async def _record(page: Page, persona: Persona) -> MemoryNode:
    key = page.of_path("document")
    found = (await page.app.records.get([key])).get(key)
    if found is None or found.record is not RecordType.DOCUMENT or found.agent_id != persona.id:
        raise NotFound(f"no document {key!r}")
    return found


def _listed(record: MemoryNode) -> ListedDocument:
    known = record.meta_data
    return ListedDocument(
        record.memory_id,
        record.content,
        str(known.get("assetId") or ""),
        str(known.get("assetVersion") or ""),
        record.valid_at,
        record.trust.value,
        len(pieces_of(record)),
        len(facts_of(record)),
    )


ROUTES: Final = (
    get("/agents/{agent}/documents", documents),
    post("/agents/{agent}/documents", sent),
    get("/agents/{agent}/documents/{document}", document),
    post("/agents/{agent}/documents/{document}/end", ended),
)
