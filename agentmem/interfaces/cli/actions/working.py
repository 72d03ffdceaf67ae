"""worker, queue, dead: the work that waits, is done, or was given up."""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack, suppress

from rich.console import Group
from tenacity import RetryCallState, Retrying, wait_exponential

from agentmem.errors import BackendUnavailable, HeldElsewhere, NotFound
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.opening import opened, owner_only
from agentmem.interfaces.cli.output import Answer, Terminal, words
from agentmem.interfaces.cli.perform import Session, stops_itself
from agentmem.interfaces.cli.views.memory import columns, moment
from agentmem.ports.work_queue import DeadLetter, Depth
from agentmem.runtime.app import App

PATIENCE = 3_600.0
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0
"""Seconds between two looks for a store that does not answer."""


@stops_itself
async def worker(session: Session, *, once: bool) -> Answer:
    """Work until told to stop, or with `once` until nothing is left."""
    owner_only(session)
    async with AsyncExitStack() as stack:
        app = await _open_for_work(session, stack, patient=not once)
        if app is None:
            return Answer({"queue": None}, [words("stopped before anything was there to work on")])
        if once:
            with session.terminal.busy("working"):
                await _until(session.stop, app.drain(patience=PATIENCE))
        else:
            await _serve(app, session)
        depth = await app.upkeep.depth()
    return Answer({"queue": _depth(depth)}, [words(f"stopped; {_told(depth)}")])


async def _open_for_work(session: Session, stack: AsyncExitStack, *, patient: bool) -> App | None:
    """With the index, or without where another process holds it: it takes in what is written here. Who is `patient`
    waits for what does not answer yet, longer each time, and says so; None where he is told to stop meanwhile."""
    waits, told = wait_exponential(multiplier=FIRST_WAIT, max=LONGEST_WAIT), ""
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


async def _opened(session: Session, stack: AsyncExitStack) -> App:
    try:
        return await stack.enter_async_context(opened(session))
    except HeldElsewhere as error:
        app = await stack.enter_async_context(opened(session, index=False))
        session.terminal.note(f"working without the index: {error}")
        return app


async def _until(stop: asyncio.Event, work: Coroutine[object, object, None]) -> None:
    """Wait for the work, or cancel it when told to stop; what it held is given back."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if working.done():
        working.result()
    else:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)


async def _serve(app: App, session: Session) -> None:
    async with asyncio.TaskGroup() as tasks:
        telling = tasks.create_task(_tell(app, session.terminal), name="status")
        await app.serve(session.stop)
        telling.cancel()


async def _tell(app: App, terminal: Terminal) -> None:
    """On a terminal one line that is kept up to date; elsewhere a line where something has changed; once a second."""
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
        return _told(await app.upkeep.depth())
    except BackendUnavailable as error:
        return str(error)


def _depth(depth: Depth) -> dict[str, int]:
    return {"ready": depth.ready, "delayed": depth.delayed, "leased": depth.leased, "dead": depth.dead}


def _told(depth: Depth) -> str:
    return f"{depth.ready} ready, {depth.leased} in work, {depth.delayed} to be retried, {depth.dead} given up"


async def queue(session: Session) -> Answer:
    """How much waits."""
    async with opened(session, index=False) as app:
        depth = await app.upkeep.depth()
    hint = [words("`agentmem dead list` shows why", "dim")] if depth.dead else []
    return Answer({"queue": _depth(depth)}, [words(_told(depth)), *hint])


async def dead_list(session: Session) -> Answer:
    """The jobs that were given up."""
    async with opened(session, index=False) as app:
        letters = await app.upkeep.dead()
    table = columns(2)
    for letter in letters:
        what = "" if letter.memory_id is None else f"memory {letter.memory_id} · "
        whose = f"{letter.lane.tenant}/{letter.lane.agent}"
        lane = f"{letter.worker} · {whose} · {what}{letter.attempts} attempts · {letter.job_id}"
        table.add_row(words(moment(letter.died_at)), Group(words(letter.reason), words(lane, "dim")))
    return Answer({"dead": [_letter(item) for item in letters]}, [table if letters else words("none was given up")])


def _letter(letter: DeadLetter) -> dict[str, object]:
    return {
        "jobId": letter.job_id,
        "worker": letter.worker,
        "tenant": letter.lane.tenant,
        "agentId": letter.lane.agent,
        "targetId": letter.lane.target,
        "eventIds": list(letter.event_ids),
        "memoryId": letter.memory_id,
        "attempts": letter.attempts,
        "reason": letter.reason,
        "diedAt": letter.died_at.isoformat(),
    }


async def dead_retry(session: Session, *, jobs: Sequence[str] | None, everything: bool) -> Answer:
    """Queue them again; a worker, or the next `say`, does them."""
    async with opened(session, index=False) as app:
        chosen = await _chosen(app, jobs, everything=everything)
        count = await app.upkeep.retry_dead(chosen)
    return Answer({"retried": count}, [words(f"{count} jobs are queued again")])


async def dead_drop(session: Session, *, jobs: Sequence[str] | None, everything: bool) -> Answer:
    """Give them up for good."""
    async with opened(session, index=False) as app:
        chosen = await _chosen(app, jobs, everything=everything)
        count = await app.upkeep.drop_dead(chosen)
    return Answer({"dropped": count}, [words(f"{count} jobs are dropped")])


async def _chosen(app: App, jobs: Sequence[str] | None, *, everything: bool) -> list[str]:
    if bool(jobs) == everything:
        raise Misuse("name jobs, or say --all")
    letters = await app.upkeep.dead()
    there = [letter.job_id for letter in letters]
    unknown = [job for job in jobs or () if job not in there]
    if unknown:
        raise NotFound(f"no such job was given up: {', '.join(unknown)}")
    return list(jobs) if jobs else there
