"""The graph between memories: an entity, its neighbourhood, ways, communities, and all of it as a file."""

import asyncio
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from agentmem.graph.export import graphml, jsonld
from agentmem.interfaces.http import agent_bodies as bodies
from agentmem.interfaces.http.asking import AgentPath, Asking, AsOf, JsonResponse, KnownAt
from agentmem.interfaces.lookup import known_agent, scope_of
from agentmem.interfaces.wire import communities_data, drawing_data
from agentmem.runtime.facade import graphs

router = APIRouter(prefix="/v1/agents/{agent}/graph", tags=["graph"])

EntityName = Annotated[str, Query(min_length=1, max_length=200, examples=["李雷"])]
Hops = Annotated[int, Query(ge=1, le=3, description="How many steps to walk at most.")]

_MEDIA: Final = {"graphml": "application/xml", "jsonld": "application/ld+json"}
_FILE_OUT: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The file",
        "content": {
            "application/xml": {"schema": {"type": "string"}},
            "application/ld+json": {"schema": {"type": "object"}},
        },
    }
}


@router.get("", response_model=bodies.GraphLines)
async def show(agent: AgentPath, entity: EntityName, app: Asking, hops: Hops = 1) -> Response:
    """What is said of somebody or something, and what that links to, in lines as a prompt shows them."""
    lines = await app.graph.show(await scope_of(app, agent, None), entity, hops=hops)
    return JsonResponse({"entity": entity, "graph": lines})


@router.get("/neighbourhood", response_model=bodies.GraphPart)
async def neighbourhood(
    agent: AgentPath,
    entity: EntityName,
    app: Asking,
    hops: Hops = 1,
    limit: Annotated[int, Query(ge=1, le=1_000, description="Memories to walk over at most.")] = 200,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> Response:
    """Whom and what an entity is linked to, step by step, the nearest first; as true at `asOf`, as known at `knownAt`.
    `more` says that there may be others, which `limit` left out. Names, and which of them are one, are today's."""
    scope = await scope_of(app, agent, None)
    found = await app.graph.neighbourhood(scope, entity, hops=hops, limit=limit, as_of=as_of, known_at=known_at)
    return JsonResponse(drawing_data(found))


@router.get("/path", response_model=bodies.GraphPath)
async def path(agent: AgentPath, one: EntityName, other: EntityName, app: Asking) -> Response:
    """A shortest way from one to another, over at most six memories; empty where there is none."""
    trail = await app.graph.path(await scope_of(app, agent, None), one, other)
    if trail is None:
        return JsonResponse({"names": [], "memories": []})
    return JsonResponse({"names": trail.names, "memories": [node.model_dump(mode="json") for node in trail.memories]})


@router.get("/communities", response_model=bodies.CommunityList)
async def communities(agent: AgentPath, app: Asking) -> Response:
    """Who and what belong together, and what is said of each community."""
    await known_agent(app, agent)
    return JsonResponse({"communities": communities_data(await app.graph.communities(agent))})


@router.get("/export", response_class=Response, responses=_FILE_OUT)
async def export(
    agent: AgentPath,
    app: Asking,
    form: Annotated[Literal["graphml", "jsonld"], Query(alias="format")] = "graphml",
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> Response:
    """What an agent holds to be true as a graph of at most 100,000 edges, for programs that draw or query one. Names,
    and which of them are one, are today's."""
    scope = await scope_of(app, agent, None)
    drawn = await app.graph.drawn(scope, as_of=as_of, known_at=known_at, most=graphs.MAX_EDGES)
    text = await asyncio.to_thread(graphml if form == "graphml" else jsonld, drawn)
    return Response(text.encode(errors="replace"), media_type=_MEDIA[form])
