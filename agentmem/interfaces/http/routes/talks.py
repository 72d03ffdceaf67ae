"""Talks with agents, piece by piece; and what changes, as it changes."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query
from starlette.responses import Response

from agentmem.domain.event import Person
from agentmem.domain.scope import Scope
from agentmem.interfaces.http import bodies
from agentmem.interfaces.http.asking import AgentPath, Asking, Calling, IdempotencyKey
from agentmem.interfaces.http.streams import STREAMED, EventStream, event
from agentmem.interfaces.lookup import scope_of
from agentmem.interfaces.wire import forgettings_data, said_data
from agentmem.runtime.facade.app import App

router = APIRouter(prefix="/v1", tags=["talks"])

LastEvent = Annotated[str | None, Header(alias="Last-Event-ID", max_length=30)]
LOOK_SECONDS: Final = 0.25
"""Between two looks for what has changed."""


@router.post("/agents/{agent}/talk", status_code=200, response_class=EventStream, responses=STREAMED)
async def talk(
    agent: AgentPath, said: bodies.TalkRequest, app: Asking, caller: Calling, key: IdempotencyKey = None
) -> Response:
    """Say something, and be answered: events `piece` as the answer comes, and `done` with what it rests on. The turn is
    durable at the first event, the answer at the last."""
    return EventStream(caller, _talked(app, agent, said, key))


async def _talked(app: App, agent: str, said: bodies.TalkRequest, key: str | None) -> AsyncGenerator[bytes]:
    person = Person(name=said.person, title=said.title)
    async with app.talks.reply(agent, person, said.text, run_id=said.run, key=key) as reply:
        async for piece in reply:
            yield event({"text": piece}, kind="piece")
        why = [
            {
                "memory": hit.memory.model_dump(mode="json"),
                "score": hit.score,
                "words": [said_data(part) for part in reply.words.get(hit.memory.memory_id, ())],
            }
            for hit in reply.used
        ]
        told = {"run": reply.run_id, "text": reply.text, "complete": reply.complete, "recalled": reply.recalled}
    yield event({**told, "why": why, "forgotten": forgettings_data(reply.forgotten)}, kind="done")


@router.get("/changes", status_code=200, response_class=EventStream, responses=STREAMED)
async def changes(
    agent: Annotated[str, Query(max_length=64)],
    app: Asking,
    caller: Calling,
    about: Annotated[str | None, Query(max_length=200)] = None,
    after: Annotated[str | None, Query(max_length=30, description="A cursor: the `id` of the last event seen.")] = None,
    last: LastEvent = None,
) -> Response:
    """What changes in an agent's memory: one event a memory, with its state, null where it is gone. The `id` of an
    event is the cursor to go on from, as `after` or `Last-Event-ID`; without one, from now on."""
    scope = await scope_of(app, agent, about)
    return EventStream(caller, _changed(app, scope, last or after))


async def _changed(app: App, scope: Scope, after: str | None) -> AsyncGenerator[bytes]:
    found = await app.records.changes(scope, after=after)
    begun = after or found.cursor
    yield event({"cursor": begun}, kind="begun", number=begun)
    while True:
        for change in found.changes:
            memory = None if change.memory is None else change.memory.model_dump(mode="json")
            yield event({"memoryId": change.memory_id, "memory": memory}, number=change.cursor)
        if not found.more:
            await asyncio.sleep(LOOK_SECONDS)
        found = await app.records.changes(scope, after=found.cursor)
