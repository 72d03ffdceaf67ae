"""Agents: who there is, and who somebody is to be."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from agentmem.domain.persona import AgentId, Persona
from agentmem.errors import InvalidInput, NotFound
from agentmem.interfaces.http import bodies
from agentmem.interfaces.http.asking import Asking, IfMatch, JsonResponse, demand_match, etag
from agentmem.interfaces.lookup import check_agent_id
from agentmem.runtime.configuration.personas import persona_of_text
from agentmem.runtime.facade.app import App

router = APIRouter(prefix="/v1", tags=["agents"])

OwnPath = Annotated[AgentId, Path(description="The agent's id.", examples=["aip_sales"])]

_EXAMPLE: Final = {"id": "aip_sales", "name": "AIP导购销售专员", "language": "zh", "goals": ["了解客户的预算"]}
_PERSONA: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            kind: {"schema": {"$ref": "#/components/schemas/Persona"}, "example": _EXAMPLE}
            for kind in ("application/json", "application/yaml")
        },
    }
}


@router.get("/agents", response_model=bodies.AgentList)
async def agents(app: Asking) -> Response:
    """The agents with which the caller may do anything."""
    return JsonResponse({"agents": [persona.model_dump(mode="json") for persona in await app.records.agents()]})


@router.get("/agents/{agent}", response_model=Persona)
async def agent(agent: OwnPath, app: Asking) -> Response:
    """One of them."""
    return _persona(await app.records.agent(agent))


@router.put(
    "/agents/{agent}",
    response_model=Persona,
    responses={201: {"model": Persona, "description": "Made known"}},
    openapi_extra=_PERSONA,
)
async def put(agent: OwnPath, request: Request, app: Asking, match: IfMatch = None) -> Response:
    """Make an agent known, or give it another persona. What is wrong is told with its line."""
    check_agent_id(agent)
    persona = persona_of_text(await request.body(), "persona")
    if persona.id != agent:
        raise InvalidInput(f"persona: id: must be {agent!r}, as in the path, not {persona.id!r}")
    before = await _known(app, agent)
    demand_match(match, _tag(before) if before else "")
    await app.know_agent(persona)
    return _persona(persona, 200 if before else 201)


@router.delete("/agents/{agent}", status_code=204)
async def remove(agent: OwnPath, app: Asking, match: IfMatch = None) -> Response:
    """Remove an agent with everything it has, for good."""
    demand_match(match, _tag(await app.records.agent(agent)))
    await app.forget_agent(agent)
    return Response(status_code=204)


async def _known(app: App, agent: str) -> Persona | None:
    try:
        return await app.records.agent(agent)
    except NotFound:
        return None


def _persona(persona: Persona, status: int = 200) -> Response:
    return JsonResponse(persona.model_dump(mode="json"), status, {"ETag": _tag(persona)})


def _tag(persona: Persona) -> str:
    return etag(persona.model_dump_json())
