"""Questions: memories found, a block for a prompt, an answer with its sources."""

from fastapi import APIRouter
from starlette.responses import Response

from agentmem.answers.answer import AskQuery
from agentmem.domain.filter import parse_filter
from agentmem.interfaces.http import bodies
from agentmem.interfaces.http.asking import Asking, JsonResponse
from agentmem.interfaces.lookup import scope_of
from agentmem.interfaces.wire import CONTEXT_HITS, context_data, recalled_data, reply_data
from agentmem.retrieval.query import RecallQuery

router = APIRouter(prefix="/v1", tags=["questions"])


@router.post("/recall", response_model=bodies.RecallResponse)
async def recall(asked: bodies.RecallRequest, app: Asking) -> Response:
    """Search what an agent remembers."""
    wanted = None if asked.filter is None else parse_filter(asked.filter)
    scope = await scope_of(app, asked.agent, asked.about)
    query = RecallQuery(
        scope, asked.query, asked.k, asked.as_of, asked.known_at, asked.types, wanted, asked.profile, hops=asked.hops
    )
    found = await app.recall(query)
    return JsonResponse(recalled_data(found, await app.words([hit.memory for hit in found.hits])))


@router.post("/context", response_model=bodies.ContextResponse)
async def context(asked: bodies.ContextRequest, app: Asking) -> Response:
    """What an agent remembers, as a block for a prompt."""
    scope = await scope_of(app, asked.agent, asked.about)
    query = RecallQuery(scope, asked.query, CONTEXT_HITS, asked.as_of, asked.known_at)
    block = await app.context(query, language=asked.language, budget=asked.budget)
    return JsonResponse(context_data(block, asked.budget))


@router.post("/ask", response_model=bodies.AskResponse)
async def ask(asked: bodies.AskRequest, app: Asking) -> Response:
    """Answer a question from what an agent remembers."""
    scope = await scope_of(app, asked.agent, asked.about)
    query = AskQuery(scope, asked.query, asked.mode, asked.k, asked.as_of, asked.known_at, asked.depth, asked.choices)
    return JsonResponse(reply_data(await app.ask(query), asked.choices))
