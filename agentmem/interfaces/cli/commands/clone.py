"""clone: an agent made from another, finished where it was begun before, or given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from agentmem.errors import HeldElsewhere
from agentmem.interfaces.cli.command_context import CommandSession, drain_if_indexed, handed_over
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.memory_view import moment
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import check_agent_id, introduced_agent

if TYPE_CHECKING:
    from agentmem.domain.lineage import Lineage
    from agentmem.runtime.facade.agent_copies import Cloned


@handed_over
async def clone(
    session: CommandSession,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent to be cloned.")],
    clone: Annotated[str | None, typer.Argument(metavar="[NAME]", help="The same as --as.")] = None,
    new_id: Annotated[str | None, typer.Option("--as", metavar="NAME", help="The id of the clone.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="How the clone is called, if not as the agent.")] = None,
    discard: Annotated[
        bool, typer.Option("--discard", help="Give up this clone, which was begun and never finished.")
    ] = False,
) -> Answer:
    """Make a new agent that knows all this one knows, and goes its own way from then on."""
    clone = _one_of(clone, new_id)
    if discard:
        return await _discard(session, clone)
    try:
        cloned = await _clone(session, agent, clone, name, index=True)
    except HeldElsewhere:
        cloned = await _clone(session, agent, clone, name, index=False)
    waiting = cloned.waiting
    unread = waiting.ready + waiting.delayed + waiting.leased
    data = {
        "made": cloned.made,
        "lineage": cloned.lineage.model_dump(mode="json"),
        "unread": {"waiting": unread, "dead": waiting.dead},
    }
    return Answer(data, [words(line) for line in _told(cloned, unread)])


def _one_of(clone: str | None, new_id: str | None) -> str:
    given = [name for name in (clone, new_id) if name is not None]
    if len(given) != 1:
        raise Misuse("--as: give the clone one id, such as --as south")
    return given[0]


async def _clone(session: CommandSession, agent: str, clone: str, name: str | None, *, index: bool) -> Cloned:
    check_agent_id(clone)
    async with session.opened(index=index) as app:
        persona = await introduced_agent(app, agent)
        with session.terminal.busy("cloning"):
            cloned = await app.copies.clone(persona.id, clone, name=name)
            await drain_if_indexed(app)
            return cloned


async def _discard(session: CommandSession, clone: str) -> Answer:
    async with session.opened() as app:
        await app.copies.discard(clone)
    return Answer({"discarded": clone}, [words(f"{clone} is given up; nothing of it is left")])


def _told(cloned: Cloned, unread: int) -> list[str]:
    lineage = cloned.lineage
    if not cloned.made:
        was = f"it was cloned from {lineage.source_agent} {_when(lineage)}".rstrip()
        return [f"{lineage.agent_id} exists: {was}, which has learned nothing since; nothing was copied now"]
    left = [f"{unread} pieces of work of {lineage.source_agent} wait and are not in it"] if unread else []
    dead = cloned.waiting.dead
    left += [f"{dead} dead letters of {lineage.source_agent} are not in it"] if dead else []
    return [f"{lineage.agent_id} knows all that {lineage.source_agent} knows", *left]


def _when(lineage: Lineage) -> str:
    return f"on {moment(lineage.made_at)}" if lineage.made_at else ""
