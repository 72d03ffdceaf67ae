"""worker: the work that waits, done until told to stop, or with `--once` until nothing is left."""

from __future__ import annotations

from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from agentmem.errors import BackendUnavailable, HeldElsewhere
from agentmem.interfaces.cli.command_context import CommandSession, stops_itself
from agentmem.interfaces.cli.commands.queue import depth_line
from agentmem.interfaces.cli.output import Answer, Terminal, words
from agentmem.interfaces.wire import depth_data

if TYPE_CHECKING:
    from agentmem.runtime.facade.app import App

PATIENCE_SECONDS = 3_600.0
FIRST_WAIT_SECONDS, MAX_WAIT_SECONDS = 0.5, 30.0
"""Between two looks for a store that does not answer."""


@stops_itself
async def worker(
    session: CommandSession,
    once: Annotated[bool, typer.Option("--once", help="Stop when nothing is left to do.")] = False,
) -> Answer:
    """Run the workers until Ctrl-C or SIGTERM."""
    from agentmem.interfaces.cli.listening import listening

    session.owner_only()
    async with AsyncExitStack() as stack:
        app = await _open_for_work(session, stack, patient=not once)
        if app is None:
            return Answer({"queue": None}, [words("stopped before anything was there to work on")])
        if once:
            with session.terminal.busy("working"):
                await session.until_stopped(app.drain(patience=PATIENCE_SECONDS))
        else:
            async with listening(app, session.settings):
                await _serve(app, session)
        depth = await app.upkeep.depth()
    return Answer({"queue": depth_data(depth)}, [words(f"stopped; {depth_line(depth)}")])


async def _open_for_work(session: CommandSession, stack: AsyncExitStack, *, patient: bool) -> App | None:
    """With the index, or without where another process holds it: it takes in what is written here. Who is `patient`
    waits for what does not answer yet, longer each time, and says so; None where he is told to stop meanwhile."""
    import asyncio

    from tenacity import RetryCallState, Retrying, wait_exponential

    waits, told = wait_exponential(multiplier=FIRST_WAIT_SECONDS, max=MAX_WAIT_SECONDS), ""
    state = RetryCallState(Retrying(), None, (), {})
    while True:
        try:
            app = await _opened(session, stack)
        except BackendUnavailable as error:
            if not patient or error.retry_after is None:
                raise
            if str(error) != told:
                told = str(error)
                session.terminal.note(f"waiting: {told}")
        else:
            if app.opened and app.opened.rebuilt:
                session.terminal.note(f"the index was filled anew: {app.opened.rebuilt}")
            return app
        with suppress(TimeoutError):
            await asyncio.wait_for(session.stop.wait(), waits(state))
            return None
        state.attempt_number += 1


async def _opened(session: CommandSession, stack: AsyncExitStack) -> App:
    try:
        return await stack.enter_async_context(session.opened())
    except HeldElsewhere as error:
        app = await stack.enter_async_context(session.opened(index=False))
        session.terminal.note(f"working without the index: {error}")
        return app


async def _serve(app: App, session: CommandSession) -> None:
    import asyncio

    async with asyncio.TaskGroup() as tasks:
        telling = tasks.create_task(_tell(app, session.terminal), name="status")
        await app.serve(session.stop)
        telling.cancel()


async def _tell(app: App, terminal: Terminal) -> None:
    """On a terminal one line that is kept up to date; elsewhere a line where something has changed; once a second."""
    import asyncio

    before = ""
    with terminal.busy("waiting for work") as told:
        while True:
            now = await _state(app)
            told(now)
            if now != before and not terminal.lively:
                terminal.note(now)
            before = now
            await asyncio.sleep(1.0)


async def _state(app: App) -> str:
    try:
        return depth_line(await app.upkeep.depth())
    except BackendUnavailable as error:
        return str(error)
