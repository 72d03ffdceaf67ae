"""reflect, undo."""

from agentmem.domain.change import Change
from agentmem.errors import Conflict
from agentmem.interfaces.cli.lookup import scope_of
from agentmem.interfaces.cli.opening import opened
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.memory import change_list, differences, plain_table


async def reflect(session: Session, *, agent: str, about: str | None, dry_run: bool) -> Answer:
    """Read what is due, then reflect; or say what reflecting would change."""
    if dry_run:
        return await _foreseen(session, agent, about)
    with session.terminal.busy("reflecting"):
        async with opened(session) as app:
            await app.drain()
            reports = await app.reflect(await scope_of(app, agent, about))
    data = {"runs": [{"run": item.run, "targetId": item.target, "acts": item.acts} for item in reports]}
    if not reports:
        return Answer(data, [words("nothing new to reflect on")])
    table = plain_table("run", "changes")
    for item in reports:
        table.add_row(words(item.run), words(", ".join(f"{count} {act}" for act, count in sorted(item.acts.items()))))
    return Answer(data, [table, words("`agentmem undo RUN` takes a run back", "dim")])


async def _foreseen(session: Session, agent: str, about: str | None) -> Answer:
    """Nothing is written, so turns that nobody has read yet are not in it."""
    with session.terminal.busy("looking"):
        async with opened(session) as app:
            foreseen = await app.foresee(await scope_of(app, agent, about))
    changes = [(item.target, change) for item in foreseen for change in item.changes]
    data = {"dryRun": True, "changes": [_change(target, change) for target, change in changes]}
    shown = [change for _, change in changes if differences(change)]
    looked_at = f"{len(changes) - len(shown)} more would be looked at and left as they are; nothing was changed"
    return Answer(data, [change_list(shown) if shown else words("nothing would change"), words(looked_at, "dim")])


def _change(target: str, change: Change) -> dict[str, object]:
    before, after = change.before, change.after
    return {
        "act": change.act,
        "memoryId": change.memory_id,
        "targetId": target,
        "reason": change.reason,
        "before": None if before is None else before.model_dump(mode="json"),
        "after": None if after is None else after.model_dump(mode="json"),
    }


async def undo(session: Session, *, run: str, cascade: bool) -> Answer:
    """Take a run back, or say what stands in the way."""
    with session.terminal.busy("taking back"):
        async with opened(session) as app:
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
