"""queue; dead list, retry, drop: the work that waits, and the jobs that were given up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group

from agentmem.errors import NotFound
from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.memory_view import columns, moment
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.wire import dead_letter_data, depth_data

if TYPE_CHECKING:
    from agentmem.ports.work_queue import Depth
    from agentmem.runtime.facade.app import App

PAGE = 1_000
"""Jobs that are looked at, or done something to, at once."""

JobIds = Annotated[list[str] | None, typer.Argument(metavar="[JOB]...", help="Job ids, as `dead list` shows them.")]
AllJobs = Annotated[bool, typer.Option("--all", help="All of them.")]


async def queue(session: CommandSession) -> Answer:
    """Show how much work waits, and why what failed and is tried again did."""
    async with session.opened(index=False) as app:
        depth = await app.upkeep.depth()
        setback = await app.upkeep.setback()
    hints = [f"of what waits, some failed and is tried again: {setback}"] if setback else []
    hints += ["`agentmem dead list` shows why work was given up"] if depth.dead else []
    data = {"queue": depth_data(depth), "setback": setback}
    return Answer(data, [words(depth_line(depth)), *(words(hint, "dim") for hint in hints)])


def depth_line(depth: Depth) -> str:
    """The same in words."""
    return f"{depth.ready} ready, {depth.leased} in work, {depth.delayed} to be retried, {depth.dead} given up"


async def list_(
    session: CommandSession,
    limit: Annotated[int, typer.Option("--limit", min=1, max=PAGE, help="How many at most.")] = 100,
    after: Annotated[
        int | None, typer.Option("--after", metavar="CURSOR", min=0, help="Go on after a page that had this cursor.")
    ] = None,
) -> Answer:
    """List them with the reason, newest first."""
    async with session.opened(index=False) as app:
        letters = await app.upkeep.dead(before=after, limit=limit)
    following = str(letters[-1].number) if len(letters) == limit else None
    table = columns(2)
    for letter in letters:
        what = "" if letter.memory_id is None else f"memory {letter.memory_id} · "
        whose = f"{letter.lane.tenant}/{letter.lane.agent}"
        lane = f"{letter.worker} · {whose} · {what}{letter.attempts} attempts · {letter.job_id}"
        table.add_row(words(moment(letter.died_at)), Group(words(letter.reason), words(lane, "dim")))
    more = [] if following is None else [words(f"more: --after {following}", "dim")]
    return Answer(
        {"dead": [dead_letter_data(item) for item in letters], "next": following},
        [table if letters else words("none was given up"), *more],
    )


async def retry(session: CommandSession, jobs: JobIds = None, everything: AllJobs = False) -> Answer:
    """Queue them again."""
    async with session.opened(index=False) as app:
        chosen = await _chosen(app, jobs, everything=everything)
        count = await _done(app.upkeep.retry_dead, chosen)
    return Answer({"retried": count}, [words(f"{count} jobs are queued again")])


async def drop(session: CommandSession, jobs: JobIds = None, everything: AllJobs = False) -> Answer:
    """Give them up for good; what was said stays in the journal. Also what an erasure left to be done and nobody can
    read, by the name that `doctor` says."""
    async with session.opened(index=False) as app:
        debts = [name for name in jobs or () if session.principal is None and await app.upkeep.give_up_debt(name)]
        rest = [name for name in jobs or () if name not in debts]
        chosen = await _chosen(app, rest, everything=everything) if rest or not debts else []
        count = len(debts) + await _done(app.upkeep.drop_dead, chosen)
    return Answer({"dropped": count}, [words(f"{count} jobs are dropped")])


async def _chosen(app: App, jobs: Sequence[str] | None, *, everything: bool) -> list[str]:
    if bool(jobs) == everything:
        raise Misuse("name jobs, or say --all")
    there, before = dict[str, None](), None
    while letters := await app.upkeep.dead(before=before, limit=PAGE):
        there |= dict.fromkeys(letter.job_id for letter in letters)
        before = letters[-1].number
    unknown = [job for job in jobs or () if job not in there]
    if unknown:
        raise NotFound(f"no such job was given up: {', '.join(unknown)}")
    return list(jobs or there)


async def _done(what: Callable[[Sequence[str]], Awaitable[int]], jobs: Sequence[str]) -> int:
    """Done to all of them, so many at a time that nobody else waits for long; to how many."""
    return sum([await what(jobs[start : start + PAGE]) for start in range(0, len(jobs), PAGE)])
