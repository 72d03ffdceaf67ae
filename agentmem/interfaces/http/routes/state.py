"""Whether the server lives, is ready, and what it counts."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from agentmem.interfaces.http.asking import Asking, JsonResponse
from agentmem.interfaces.http.metrics import Metrics

router = APIRouter(tags=["state"])


@router.get("/healthz", response_class=JsonResponse, openapi_extra={"security": []})
async def healthz() -> Response:
    """Whether the process answers. Needs no token."""
    return JsonResponse({"status": "ok"})


@router.get("/readyz", response_class=JsonResponse)
async def readyz(app: Asking) -> Response:
    """Whether journal and index answer; 503 where they do not."""
    await app.records.agents()
    return JsonResponse({"status": "ready"})


@router.get("/metrics", response_class=Response)
async def metrics(request: Request, app: Asking) -> Response:
    """What is counted, in the text format of Prometheus; for an owner's token."""
    counted: Metrics = request.app.state.metrics
    depth = await app.upkeep.depth()
    lag = (await app.upkeep.index()).lag
    return Response(counted.page(depth, lag), media_type="text/plain; version=0.0.4")
