"""Agents made from others, and agents in files."""

import asyncio
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse

from agentmem.domain.ids import Name
from agentmem.domain.persona import AgentId
from agentmem.domain.scope import Grant
from agentmem.errors import InvalidInput
from agentmem.interfaces.http import agent_bodies as bodies
from agentmem.interfaces.http.asking import AgentPath, Asking, JsonResponse
from agentmem.interfaces.http.transfers import opened, received, sent, transfer
from agentmem.interfaces.lookup import check_agent_id, known_agent
from agentmem.interfaces.wire import hire_data, hired_data, imported_data

router = APIRouter(prefix="/v1", tags=["copies"])

Form = Literal["bundle", "markdown", "card"]

_MEDIA: Final[dict[Form, tuple[str, str]]] = {
    "bundle": ("application/zip", "zip"),
    "markdown": ("text/markdown; charset=utf-8", "md"),
    "card": ("application/json", "json"),
}
_BINARY: Final = {"schema": {"type": "string", "format": "binary"}}
_FILE_OUT: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The file",
        "content": {
            "application/zip": _BINARY,
            "text/markdown": {"schema": {"type": "string"}},
            "application/json": {"schema": {"type": "object"}},
        },
        "headers": {"Content-Disposition": {"schema": {"type": "string"}}},
    }
}
_FILE_IN: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/octet-stream": _BINARY,
            "application/zip": _BINARY,
            "application/json": {"schema": {}},
        },
    }
}


@router.post(
    "/agents/{agent}/clone",
    status_code=201,
    response_model=bodies.CloneResponse,
    responses={200: {"model": bodies.CloneResponse, "description": "Made before"}},
)
async def clone(agent: AgentPath, asked: bodies.CloneRequest, app: Asking) -> Response:
    """Make an agent that knows all this one knows. 200 where it was made before."""
    cloned = await app.copies.clone(agent, asked.new_id, name=asked.name)
    return JsonResponse({"lineage": cloned.lineage.model_dump(mode="json")}, 201 if cloned.made else 200)


@router.post(
    "/agents/{agent}/hire",
    status_code=201,
    response_model=bodies.HireResponse,
    responses={200: {"model": bodies.HireResponse, "description": "Hired before, or a preview"}},
)
async def hire(agent: AgentPath, asked: bodies.HiringRequest, app: Asking) -> Response:
    """Hire another tenant's agent: a copy with what its owner's contract lets go, and nothing else; for the token of
    who runs the store."""
    if asked.dry_run:
        seen = await app.copies.preview_hire(
            agent, asked.new_id, tenant=app.tenant, from_tenant=asked.from_tenant, name=asked.name
        )
        return JsonResponse({"hired": False, **hire_data(seen)})
    hired = await app.copies.hire(
        agent, asked.new_id, tenant=app.tenant, from_tenant=asked.from_tenant, name=asked.name
    )
    return JsonResponse({"hired": True, **hired_data(hired)}, 200 if hired.prospect is None else 201)


@router.post("/agents/{agent}/release", response_model=bodies.ReleaseResponse)
async def release(agent: AgentPath, app: Asking) -> Response:
    """Give a hired agent back: it goes with everything it has, also what it learned here; for the token of who runs
    the store."""
    lineage, gone = await app.copies.release(agent, tenant=app.tenant)
    return JsonResponse({"released": True, "memories": gone, "lineage": lineage.model_dump(mode="json")})


@router.post("/bundles/{agent}", response_class=StreamingResponse, responses=_FILE_OUT)
async def export(
    agent: AgentPath,
    app: Asking,
    form: Annotated[
        Form,
        Query(alias="format", description="A bundle can be imported whole; Markdown is to read; a card is shared."),
    ] = "bundle",
) -> Response:
    """An agent as a file, with all it knows and how it came to know it. What waits to be read is read first, and that
    a bundle left is written down."""
    await known_agent(app, agent)
    media, suffix = _MEDIA[form]
    async with transfer(app.settings.data, f"agent.{suffix}") as file:
        match form:
            case "bundle":
                await app.bundles.export(agent, file)
            case "markdown":
                await app.bundles.export_markdown(agent, file)
            case "card":
                await app.bundles.export_card(agent, file)
        content, size = await asyncio.to_thread(opened, file)
    told = {"Content-Length": str(size), "Content-Disposition": f'attachment; filename="{agent}.{suffix}"'}
    return StreamingResponse(sent(content), headers=told, media_type=media)


@router.post("/bundles", status_code=201, response_model=bodies.ImportResponse, openapi_extra=_FILE_IN)
async def bring_in(
    request: Request,
    app: Asking,
    agent: Annotated[
        AgentId | None, Query(alias="as", description="The new agent's id, if not as in the file.")
    ] = None,
    person: Annotated[Name, Query(description="Who the user is, in files that do not name theirs.")] = "user",
    accept: Annotated[
        bool,
        Query(alias="acceptInstructions", description="Take over what files of other systems order a model to do."),
    ] = False,
) -> Response:
    """Make an agent of a file: a bundle, or a Letta, Character Card, Mem0 or ChatGPT file, told by its content. What it
    asks for beyond words is left behind, and told."""
    app.access.demand_tenant(Grant.ADMIN)  # before the file is taken in, which costs a disk its room
    if agent is not None:
        check_agent_id(agent)
    async with transfer(app.settings.data, "file") as file:
        await received(request, file)
        try:
            done = await app.bundles.import_(file, agent_id=agent, person=person, accept_instructions=accept)
        except InvalidInput as error:
            raise InvalidInput(str(error).replace(str(file), "the file")) from error
    return JsonResponse(imported_data(done), 201)
