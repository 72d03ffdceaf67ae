"""reflect, undo."""

from agentmem.errors import Conflict
from agentmem.interfaces.cli.lookup import scope_of
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.memory import plain_table
from agentmem.runtime.app import open_app


async def reflect(session: Session, *, agent: str, about: str | None) -> Answer:
    """Read what is due, then reflect."""
    with session.terminal.busy("reflecting"):
        async with open_app(session.settings) as app:
            await app.drain()
            reports = await app.reflect(await scope_of(app, agent, about))
    data = {"runs": [{"run": item.run, "targetId": item.target, "acts": item.acts} for item in reports]}
    if not reports:
        return Answer(data, [words("nothing new to reflect on")])
    table = plain_table("run", "changes")
    for item in reports:
        table.add_row(words(item.run), words(", ".join(f"{count} {act}" for act, count in sorted(item.acts.items()))))
    return Answer(data, [table, words("`agentmem undo RUN` takes a run back", "dim")])


async def undo(session: Session, *, run: str, cascade: bool) -> Answer:
    """Take a run back, or say what stands in the way."""
    with session.terminal.busy("taking back"):
        async with open_app(session.settings) as app:
            report = await app.undo(run, cascade=cascade)
    if report.blocked and not cascade:
        raise Conflict(
            f"nothing was taken back: later runs changed what {run} had changed: "
            f"{', '.join(report.blocked)}; --cascade takes them back all the same"
        )
    data = {"run": report.run, "restored": list(report.restored), "blocked": list(report.blocked)}
    done = f"restored {len(report.restored)}; taken back by run {report.run}"
    told = done if report.run else f"run {run} was taken back before"
    return Answer(data, [words(told)])
