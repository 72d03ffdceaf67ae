"""Questions: memories found, a block for a prompt, an answer with its sources."""

from collections.abc import AsyncGenerator
from typing import Annotated, cast

from fastapi import APIRouter, Header, Query
from starlette.responses import Response

from agentmem.answers.answer import AskQuery
from agentmem.domain.filter import parse_filter
from agentmem.domain.scope import Grant
from agentmem.interfaces.http import bodies
from agentmem.interfaces.http.asking import Asking, Calling, JsonResponse
from agentmem.interfaces.http.streams import STREAMED, EventStream, event
from agentmem.interfaces.lookup import scope_of
from agentmem.interfaces.wire import CONTEXT_HITS, context_data, recalled_data, reply_data
from agentmem.retrieval.query import RecallQuery
from agentmem.runtime.facade.app import App

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


@router.post("/ask", response_model=bodies.AskResponse, responses=STREAMED)
async def ask(
    asked: bodies.AskRequest,
    app: Asking,
    caller: Calling,
    accept: Annotated[str, Header(max_length=1_000, include_in_schema=False)] = "",
    stream: Annotated[bool, Query(description="Answer as events; so does `Accept: text/event-stream`.")] = False,
) -> Response:
    """Answer a question from what an agent remembers. As events: `begun`, each `step` on the way, each `source`, and
    `done` with the whole answer. An answer is told when it has been held against its sources, so it comes in one piece.
    """
    scope = await scope_of(app, asked.agent, asked.about)
    query = AskQuery(scope, asked.query, asked.mode, asked.k, asked.as_of, asked.known_at, asked.depth, asked.choices)
    if stream or "text/event-stream" in accept:
        app.access.demand(Grant.READ, scope)  # what is forbidden is no stream that ends at once
        return EventStream(caller, _answered(app, query))
    return JsonResponse(reply_data(await app.ask(query), asked.choices))


async def _answered(app: App, query: AskQuery) -> AsyncGenerator[bytes]:
    yield event({"question": query.text}, kind="begun")
    told = reply_data(await app.ask(query), query.choices)
    for kind, name in (("step", "trace"), ("source", "sources")):
        for each in cast("list[object]", told[name]):
            yield event(each, kind=kind)
    yield event(told, kind="done")
