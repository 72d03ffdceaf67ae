"""say: record a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import ConsoleRenderable

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import introduced_agent, person_called
from agentmem.interfaces.wire import forgettings_data

if TYPE_CHECKING:
    from agentmem.agents.talk.forget_in_talk import Forgetting
    from agentmem.runtime.facade.app import App


async def say(
    session: CommandSession,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent's id.")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What was said.")],
    speaker: Annotated[str, typer.Option("--from", help="Who said it.")],
    title: Annotated[str | None, typer.Option("--title", help="What the speaker is, such as 软件工程师.")] = None,
    run: Annotated[str | None, typer.Option("--run", help="The conversation; today's, if not named.")] = None,
    end: Annotated[bool, typer.Option("--end", help="The conversation ends here, so it is read now.")] = False,
) -> Answer:
    """Record one turn of a conversation, without asking for a reply."""
    async with session.opened_for_writing() as app:
        persona = await introduced_agent(app, agent)
        said = await app.say(persona.id, person_called(speaker, title), text, run_id=run, end=end)
        alone, waiting = app.opened is not None, 0
        if alone:
            with session.terminal.busy("reading"):
                await app.drain()
                waiting = await _waiting(app, persona.id)
    data = {
        "accepted": {"eventId": said.turn.event_id, "seq": said.turn.seq, "duplicate": said.turn.duplicate},
        "ended": end,
        "processed": alone and not waiting,
        "forgotten": forgettings_data(said.forgotten),
    }
    later = "" if alone else "; the process that holds the index, or the next one that can, reads it"
    later += "; it is not read yet: `agentmem queue` shows what waits" if waiting else ""
    return Answer(data, [words(f"recorded{' and ended' if end else ''}{later}"), *forgotten_lines(said.forgotten)])


async def _waiting(app: App, agent: str) -> int:
    """How much of what was said to the agent is still to be worked on, for whom that may be told."""
    from agentmem.domain.scope import Grant, Scope

    scope = Scope(app.tenant, agent)
    if not app.access.may(Grant.READ, scope):
        return 0
    depth = await app.upkeep.depth_of(scope)
    return depth.ready + depth.delayed + depth.leased


def forgotten_lines(done: Sequence[Forgetting]) -> list[ConsoleRenderable]:
    """What became of each request to forget, one line each, and of one that took nothing what it may have meant."""
    return [words(line) for each in done for line in _lines(each)]


def _lines(each: Forgetting) -> Iterator[str]:
    if each.run is not None:
        yield f"{len(each.memory_ids)} memories forgotten; `agentmem undo {each.run}` takes it back"
        if each.candidates:
            yield "these stay and still say a value of it; `agentmem forget --id ID` takes one:"
    elif not each.candidates:
        yield "nothing was forgotten: nothing like it is remembered, or it is not clear what is meant; name it"
    else:
        yield "nothing was forgotten: it is not clear what is meant; `agentmem forget --id ID` takes one of these:"
    yield from (f"  {one.memory_id}  {one.content}" for one in each.candidates)
