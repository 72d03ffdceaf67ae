"""Whether the server lives, is ready, and what it counts."""

from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from agentmem.interfaces.http.agent_bodies import StateResponse
from agentmem.interfaces.http.asking import Asking, JsonResponse
from agentmem.interfaces.http.audit import Metrics

router = APIRouter(tags=["state"])

_TEXT: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "The counts", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


@router.get("/healthz", response_model=StateResponse, openapi_extra={"security": []})
async def healthz() -> Response:
    """Whether the process answers. Needs no token."""
    return JsonResponse({"status": "ok"})


@router.get("/readyz", response_model=StateResponse)
async def readyz(app: Asking) -> Response:
    """Whether journal and index answer; 503 where they do not."""
    await app.records.agents()
    return JsonResponse({"status": "ready"})


@router.get("/metrics", response_class=Response, responses=_TEXT)
async def metrics(request: Request, app: Asking) -> Response:
    """What is counted, in the text format of Prometheus; for an owner's token."""
    counted: Metrics = request.app.state.metrics
    depth = await app.upkeep.depth()
    lag = (await app.upkeep.index()).lag
    return Response(counted.page(depth, lag), media_type="text/plain; version=0.0.4")
