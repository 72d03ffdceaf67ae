"""Looking after agents: reflections, copies, the graph, what waits and what was given up."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from agentmem.errors import InvalidInput
from agentmem.interfaces.http import bodies
from agentmem.interfaces.http.asking import Asking, IdempotencyKey, JsonResponse
from agentmem.interfaces.lookup import scope_of
from agentmem.interfaces.wire import change_data, dead_letter_data, depth_data

router = APIRouter(prefix="/v1", tags=["upkeep"])

AgentPath = Annotated[str, Path(max_length=64, description="The agent's id.")]
EntityName = Annotated[str, Query(min_length=1, max_length=200)]


@router.post("/agents/{agent}/reflect", response_model=bodies.ReflectResponse)
async def reflect(agent: AgentPath, asked: bodies.ReflectRequest, app: Asking, key: IdempotencyKey = None) -> Response:
    """Reflect now: remove duplicates, settle contradictions, renew insights. With `dryRun` nothing is written."""
    scope = await scope_of(app, agent, asked.about)
    if asked.dry_run:
        previews = await app.preview_reflection(scope)
        changes = [change_data(change) for preview in previews for change in preview.changes]
        return JsonResponse({"runs": [], "changes": changes})
    reports = await app.reflect(scope, key=key)
    runs = [{"run": each.run, "targetId": each.target, "acts": dict(each.acts)} for each in reports]
    return JsonResponse({"runs": runs, "changes": []})


@router.post("/agents/{agent}/clone", status_code=201, response_class=JsonResponse)
async def clone(agent: AgentPath, asked: bodies.CloneRequest, app: Asking) -> Response:
    """Make an agent that knows all this one knows. 200 where it was made before."""
    cloned = await app.copies.clone(agent, asked.new_id, name=asked.name)
    return JsonResponse({"lineage": cloned.lineage.model_dump(mode="json")}, 201 if cloned.made else 200)


@router.delete("/agents/{agent}", status_code=204)
async def remove(agent: AgentPath, app: Asking) -> Response:
    """Remove an agent with everything it has, for good."""
    await app.records.agent(agent)
    await app.forget_agent(agent)
    return Response(status_code=204)


@router.get("/agents/{agent}/graph", response_class=JsonResponse)
async def graph(
    agent: AgentPath, entity: EntityName, app: Asking, hops: Annotated[int, Query(ge=1, le=3)] = 1
) -> Response:
    """What is said of somebody or something, and what that links to."""
    return JsonResponse(
        {"entity": entity, "graph": await app.graph.show(await scope_of(app, agent, None), entity, hops=hops)}
    )


@router.get("/agents/{agent}/graph/path", response_class=JsonResponse)
async def path(agent: AgentPath, one: EntityName, other: EntityName, app: Asking) -> Response:
    """A shortest way from one to another, over at most six memories; empty where there is none."""
    trail = await app.graph.path(await scope_of(app, agent, None), one, other)
    if trail is None:
        return JsonResponse({"names": [], "memories": []})
    return JsonResponse({"names": trail.names, "memories": [node.model_dump(mode="json") for node in trail.memories]})


@router.get("/queue", response_class=JsonResponse)
async def queue(app: Asking) -> Response:
    """How much work waits in the whole store; for an owner's token."""
    return JsonResponse(depth_data(await app.upkeep.depth()))


@router.get("/dead", response_class=JsonResponse)
async def dead(app: Asking) -> Response:
    """The jobs that were given up, of agents that the caller looks after, newest first."""
    return JsonResponse({"dead": [dead_letter_data(each) for each in await app.upkeep.dead()]})


@router.post("/dead/{what}", response_class=JsonResponse)
async def dead_jobs(
    what: Annotated[str, Path(pattern="^(retry|drop)$")], asked: bodies.JobsRequest, app: Asking
) -> Response:
    """Queue such jobs again, or give them up for good; how many of those named there were."""
    if not asked.jobs:
        raise InvalidInput("jobs: name some, as GET /v1/dead shows them")
    done = app.upkeep.retry_dead if what == "retry" else app.upkeep.drop_dead
    return JsonResponse({"jobs": await done(asked.jobs)})
