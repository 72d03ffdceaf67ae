"""say: record a turn."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from agentmem.domain.event import Person
from agentmem.errors import HeldElsewhere, NoRoom
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.lookup import introduced_agent
from agentmem.interfaces.cli.opening import opened
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.runtime.app import App

LAST = 2**62


async def say(
    session: Session, *, agent: str, text: str, speaker: str, title: str | None, run: str | None, end: bool
) -> Answer:
    """Take the turn in; read what is due, unless another process holds the index and does that."""
    async with open_for_writing(session) as app:
        persona = await introduced_agent(app, agent)
        said = await app.say(persona.id, person_called(speaker, title), text, run_id=run, end=end)
        alone = app.opened is not None
        if alone:
            with session.terminal.busy("reading"):
                await app.drain()
    data = {
        "accepted": {"eventId": said[0].event_id, "seq": said[0].seq, "duplicate": said[0].duplicate},
        "ended": end,
        "processed": alone,
    }
    later = "" if alone else "; the process that holds the index, or the next one that can, reads it"
    return Answer(data, [words(f"recorded{' and ended' if end else ''}{later}")])


@asynccontextmanager
async def open_for_writing(session: Session) -> AsyncGenerator[App]:
    """The app, without the index where another process holds it or its disk has no room."""
    async with AsyncExitStack() as stack:
        try:
            app = await stack.enter_async_context(opened(session))
        except (HeldElsewhere, NoRoom) as error:
            if isinstance(error, NoRoom):
                session.terminal.note(str(error))
            app = await stack.enter_async_context(opened(session, index=False))
        yield app


def person_called(name: str, title: str | None) -> Person:
    """The person of that name. Raises `Misuse` for what is no name."""
    with usage():
        return Person(name=name, title=title)
