"""say: record a turn."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import uuid4

from pydantic import ValidationError

from agentmem.domain.event import ConversationEnded, Event, Person, TurnSpoken
from agentmem.domain.ids import entity_id
from agentmem.domain.memory import local_day
from agentmem.domain.persona import Persona
from agentmem.domain.scope import Lane
from agentmem.errors import HeldElsewhere
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.lookup import introduced_agent
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.language.normal import canonical_name
from agentmem.runtime.app import App, open_app
from agentmem.runtime.settings import Settings

LAST = 2**62


async def say(
    session: Session, *, agent: str, text: str, speaker: str, title: str | None, run: str | None, end: bool
) -> Answer:
    """Take the turn in; read what is due, unless another process holds the index and does that."""
    async with _open_for_writing(session.settings) as app:
        persona = await introduced_agent(app, agent)
        events = await _events(app, persona, text, speaker, title, run, end=end)
        accepted = await app.accept(events)
        alone = app.opened is not None
        if alone:
            with session.terminal.busy("reading"):
                await app.drain()
    turn = events[0]
    data = {
        "accepted": {"eventId": turn.event_id, "seq": accepted[0].seq, "duplicate": accepted[0].duplicate},
        "runId": turn.run_id if isinstance(turn, TurnSpoken) else None,
        "ended": end,
        "processed": alone,
    }
    later = "" if alone else "; the process that holds the index reads it"
    return Answer(data, [words(f"recorded{' and ended' if end else ''}{later}")])


@asynccontextmanager
async def _open_for_writing(settings: Settings) -> AsyncGenerator[App]:
    async with AsyncExitStack() as stack:
        try:
            app = await stack.enter_async_context(open_app(settings))
        except HeldElsewhere:
            app = await stack.enter_async_context(open_app(settings, index=False))
        yield app


async def _events(
    app: App, persona: Persona, text: str, speaker: str, title: str | None, run: str | None, *, end: bool
) -> list[Event]:
    now, tenant = app.clock.now(), app.settings.tenant
    run_id = run or f"say/{local_day(now)}"
    target = entity_id(tenant, persona.id, canonical_name(speaker))
    before = await app.journal.events.earlier_turns(
        Lane(tenant, persona.id, target), before=LAST, run_id=run_id, limit=1
    )
    last = before[-1].event if before else None
    held = last if isinstance(last, TurnSpoken) else None
    common = {
        "tenant": tenant,
        "agent_id": persona.id,
        "agent_name": persona.name,
        "target_id": target,
        "at": now,
        "run_id": run_id,
    }
    try:
        person = Person(name=speaker, title=title or (held.person.title if held else None))
        turn = TurnSpoken.model_validate(
            {
                **common,
                "event_id": f"say/{uuid4()}",
                "person": person,
                "by_agent": False,
                "text": text,
                "turn_index": held.turn_index + 1 if held else 1,
            }
        )
        ended = [ConversationEnded.model_validate({**common, "event_id": f"{turn.event_id}/end"})] if end else []
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise Misuse(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    return [turn, *ended]
