"""What is said, and how far it is."""

from typing import Annotated, Literal
from uuid import uuid4

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from agentmem.domain.event import Person
from agentmem.interfaces.http import bodies
from agentmem.interfaces.http.agent_bodies import PerceptRequest, PerceptsAccepted
from agentmem.interfaces.http.asking import AgentPath, Asking, IdempotencyKey, JsonResponse
from agentmem.interfaces.lookup import known_agent
from agentmem.interfaces.wire import forgettings_data
from agentmem.runtime.facade.app import App
from agentmem.runtime.facade.speech import ConversationKey, Said, SensedValue, Utterance, sensed

router = APIRouter(prefix="/v1", tags=["turns"])


@router.post(
    "/agents/{agent}/turns",
    status_code=202,
    response_model=bodies.TurnAccepted,
    responses={200: {"model": bodies.TurnRead, "description": "Read, with what came of it"}},
)
async def say(
    agent: AgentPath,
    turn: bodies.TurnRequest,
    app: Asking,
    key: IdempotencyKey = None,
    wait: Annotated[Literal["read"] | None, Query(description="Answer when it is read, with what came of it.")] = None,
) -> Response:
    """Take in a turn. It is on disk when this answers; it is read by and by."""
    if wait == "read":
        return await _read(app, agent, turn, key or f"http/{uuid4()}")
    person, said = Person(name=turn.person, title=turn.title), [_utterance(turn, key)]
    taken = await app.say(agent, person, said, run_id=turn.run, end=turn.end)
    return JsonResponse(taken_data(taken), 202)


async def _read(app: App, agent: str, turn: bodies.TurnRequest, key: str) -> Response:
    person, said = Person(name=turn.person, title=turn.title), [_utterance(turn, key)]
    read = await app.add(agent, person, said, run_id=turn.run)
    if turn.end:
        await app.say(agent, person, said, run_id=turn.run, end=True)
    changes = [(change.act, change.after or change.before) for change in read.changes]
    return JsonResponse(
        {
            "eventId": read.accepted[0].event_key.hex(),
            "changes": [{"act": act, "memory": node.model_dump(mode="json")} for act, node in changes if node],
            "waits": read.waits,
            "forgotten": forgettings_data(read.forgotten),
        }
    )


@router.post("/agents/{agent}/turns/batch", status_code=202, response_model=bodies.BatchAccepted)
async def say_all(agent: AgentPath, batch: bodies.BatchRequest, app: Asking, key: IdempotencyKey = None) -> Response:
    """Take in several turns of one conversation, all or none."""
    keys = [None if key is None else f"{key}/{number}" for number in range(len(batch.turns))]
    said = [
        Utterance(each.text, each.by_agent, each.at, own, meta=each.meta)
        for each, own in zip(batch.turns, keys, strict=True)
    ]
    person = Person(name=batch.person, title=batch.title)
    taken = await app.say(agent, person, said, run_id=batch.run, end=batch.end)
    ids = [each.event_key.hex() for each in taken.accepted[: len(said)]]
    return JsonResponse({"eventIds": ids, "forgotten": forgettings_data(taken.forgotten)}, 202)


@router.post("/agents/{agent}/percepts", status_code=202, response_model=PerceptsAccepted)
async def sense(agent: AgentPath, read: PerceptRequest, app: Asking, key: IdempotencyKey = None) -> Response:
    """Take in what sensors read about a person, all or none; readings of one stretch become one memory."""
    persona = await known_agent(app, agent)
    talk = ConversationKey(app.tenant, persona, Person(name=read.person, title=read.title))
    readings = [
        SensedValue(**{name: getattr(each, name) for name in type(each).model_fields}) for each in read.readings
    ]
    accepted = await app.accept(sensed(talk, readings, key=key, now=app.clock.now()))
    return JsonResponse({"eventIds": [each.event_key.hex() for each in accepted]}, 202)


def _utterance(turn: bodies.TurnRequest, key: str | None) -> Utterance:
    return Utterance(turn.text, turn.by_agent, turn.at, key, meta=turn.meta)


def taken_data(taken: Said) -> dict[str, object]:
    """A turn as it was taken in."""
    return {
        "eventId": taken.turn.event_key.hex(),
        "duplicate": taken.turn.duplicate,
        "forgotten": forgettings_data(taken.forgotten),
    }


@router.get("/events/{event}", response_model=bodies.EventStatus)
async def event(event: Annotated[str, Path(max_length=64)], app: Asking) -> Response:
    """How far the work on an event is."""
    told = await app.records.event(event)
    return JsonResponse({"state": told.state, "reason": told.reason})
