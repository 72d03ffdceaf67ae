"""edit, end, bring-back, settle: what is remembered put right by hand, each as a run that `undo` takes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from agentmem.interfaces.cli.command_context import CommandSession, handed_over
from agentmem.interfaces.cli.commands.show import MemoryId
from agentmem.interfaces.cli.memory_view import SHORT_ID, memory_list
from agentmem.interfaces.cli.output import Answer, to_copy, words
from agentmem.interfaces.cli.typed_names import memory_called, time_of
from agentmem.interfaces.wire import memory_data

if TYPE_CHECKING:
    from datetime import datetime

    from agentmem.domain.memory import MemoryNode
    from agentmem.runtime.facade.app import App

Since = Annotated[
    str | None,
    typer.Option(
        "--since", metavar="T", help="A time, or a day: its beginning; now of today; the end of the one it began on."
    ),
]


@handed_over
async def edit(
    session: CommandSession,
    memory: MemoryId,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What it is to say.")],
    since: Since = None,
) -> Answer:
    """Give a memory other words: it was wrong all along or, with --since, true until then and replaced by another."""
    async with session.opened_for_writing() as app:
        node = await memory_called(app, memory)
        return await _changed(app, await app.editing.edit(node.memory_id, text, since=_since(app, node, since)))


@handed_over
async def end(session: CommandSession, memory: MemoryId, since: Since = None) -> Answer:
    """Say that a memory does not hold any more, since then or since now: it was true until it ended."""
    async with session.opened_for_writing() as app:
        node = await memory_called(app, memory)
        return await _changed(app, await app.editing.end(node.memory_id, since=_since(app, node, since)))


@handed_over
async def bring_back(session: CommandSession, memory: MemoryId) -> Answer:
    """Have a memory that has ended hold again, it alone; another value of its slot disputes it then."""
    async with session.opened_for_writing() as app:
        node = await memory_called(app, memory)
        return await _changed(app, await app.editing.bring_back(node.memory_id))


@handed_over
async def settle(
    session: CommandSession,
    memory: MemoryId,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The one that it disputes.")],
    wrong: Annotated[
        str | None,
        typer.Option("--wrong", metavar="ID", help="Which of the two was never true; without it they are told apart."),
    ] = None,
) -> Answer:
    """Decide a dispute of two memories: one of them was never true, or they concern different things."""
    async with session.opened_for_writing() as app:
        one, beside = await memory_called(app, memory), await memory_called(app, other)
        untrue = None if wrong is None else (await memory_called(app, wrong)).memory_id
        await app.editing.settle(one.memory_id, beside.memory_id, wrong=untrue)
        return await _changed(app, await memory_called(app, one.memory_id), _decided(one, beside, untrue))


def _decided(one: MemoryNode, beside: MemoryNode, wrong: str | None) -> str:
    """What was decided of two memories, in one line."""
    if wrong is None:
        return "both stand and dispute each other no more; where the older is over, `agentmem end ID` says so"
    untrue = one if one.memory_id == wrong else beside
    return f"{untrue.memory_id[:SHORT_ID]} was never true: {untrue.content}"


async def _changed(app: App, node: MemoryNode, decided: str | None = None) -> Answer:
    """The memory as it is now, what was decided, and how that is taken back."""
    sources = await app.records.get(node.source_ids)
    run = (await app.records.history(node.memory_id))[-1].run
    told = words(f"`agentmem undo {run}` takes it back", "dim")
    lines = [] if decided is None else [to_copy(decided)]
    return Answer({**memory_data(node, sources), "run": run}, [memory_list([node]), *lines, told])


def _since(app: App, node: MemoryNode, text: str | None) -> datetime | None:
    """A time, or when a day means that the memory changed, in the configured time zone. Raises `Misuse`."""
    from agentmem.interfaces.lookup import changed_on

    moment = time_of(text, "--since", app.settings)
    if text is None or moment is None:
        return None
    return changed_on(text, node.valid_at, app.clock.now(), app.settings.zone) or moment
