"""Looking after agents: reflections, what runs changed, what waits and what was given up."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from agentmem.errors import InvalidInput
from agentmem.interfaces.http import agent_bodies as bodies
from agentmem.interfaces.http.asking import AgentPath, Asking, IdempotencyKey, JsonResponse, PageLimit
from agentmem.interfaces.lookup import scope_of
from agentmem.interfaces.wire import (
    change_data,
    dead_letter_data,
    depth_data,
    previewed_data,
    reflected_data,
    run_data,
)

router = APIRouter(prefix="/v1", tags=["upkeep"])

Number = Annotated[int | None, Query(alias="cursor", ge=0, le=1 << 53, description="`next` of the page before.")]


@router.post("/agents/{agent}/reflect", response_model=bodies.ReflectResponse)
async def reflect(agent: AgentPath, asked: bodies.ReflectRequest, app: Asking, key: IdempotencyKey = None) -> Response:
    """Reflect now: remove duplicates, settle contradictions, renew insights. With `dryRun` nothing is written."""
    scope = await scope_of(app, agent, asked.about)
    if asked.dry_run:
        return JsonResponse({"runs": [], "changes": previewed_data(await app.preview_reflection(scope))})
    return JsonResponse({"runs": reflected_data(await app.reflect(scope, key=key)), "changes": []})


@router.get("/agents/{agent}/reflections", response_model=bodies.ReflectionList)
async def reflections(
    agent: AgentPath,
    app: Asking,
    about: Annotated[str | None, Query(max_length=200)] = None,
    cursor: Number = None,
    limit: PageLimit = 100,
) -> Response:
    """One page of the reflections that changed anything, the latest first."""
    found = await app.records.reflections(await scope_of(app, agent, about), before=cursor, limit=limit)
    following = str(found[-1].seq) if len(found) == limit else None
    return JsonResponse({"runs": [run_data(each) for each in found], "next": following})


@router.get("/runs/{run:path}", response_model=bodies.RunChanges)
async def run(
    run: Annotated[str, Path(max_length=200, description="As reflections name it.")],
    app: Asking,
    cursor: Number = None,
    limit: PageLimit = 100,
) -> Response:
    """One page of what a reflection or another run changed, memory by memory, oldest first. `POST /v1/undo` takes all
    of it back."""
    found = await app.records.of_run(run, after=cursor or 0, limit=limit)
    changes = [change_data(entry.change) for entry in found.entries]
    return JsonResponse({"run": run, "changes": changes, "next": None if found.next is None else str(found.next)})


@router.get("/queue", response_model=bodies.QueueDepth)
async def queue(app: Asking) -> Response:
    """How much work waits in the whole store; for an owner's token."""
    return JsonResponse(depth_data(await app.upkeep.depth()))


@router.get("/dead", response_model=bodies.DeadList)
async def dead(app: Asking, cursor: Number = None, limit: PageLimit = 100) -> Response:
    """One page of the jobs that were given up, of agents that the caller looks after, newest first."""
    found = await app.upkeep.dead(before=cursor, limit=limit)
    following = str(found[-1].number) if len(found) == limit else None
    return JsonResponse({"dead": [dead_letter_data(each) for each in found], "next": following})


@router.post("/dead/{what}", response_model=bodies.JobCount)
async def dead_jobs(
    what: Annotated[str, Path(pattern="^(retry|drop)$")], asked: bodies.JobsRequest, app: Asking
) -> Response:
    """Queue such jobs again, or give them up for good; how many of those named there were."""
    if not asked.jobs:
        raise InvalidInput("jobs: name some, as GET /v1/dead shows them")
    done = app.upkeep.retry_dead if what == "retry" else app.upkeep.drop_dead
    return JsonResponse({"jobs": await done(asked.jobs)})
