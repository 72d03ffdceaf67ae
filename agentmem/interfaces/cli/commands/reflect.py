"""reflect, undo: reflection now or in preview, and a run taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group

from agentmem.errors import Conflict
from agentmem.interfaces.cli.command_context import CommandSession, handed_over
from agentmem.interfaces.cli.memory_view import SHORT_ID, columns, differences, plain_table
from agentmem.interfaces.cli.options import About, Agent
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import scope_of
from agentmem.interfaces.wire import previewed_data, reflected_data

if TYPE_CHECKING:
    from rich.table import Table

    from agentmem.domain.change import Change


@handed_over
async def reflect(
    session: CommandSession,
    agent: Agent,
    about: About = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")] = False,
) -> Answer:
    """Reflect now: remove duplicates, settle contradictions, look at what is in doubt, renew insights."""
    if dry_run:
        return await _previewed(session, agent, about)
    with session.terminal.busy("reflecting"):
        async with session.opened() as app:
            await app.drain()
            reports = await app.reflect(await scope_of(app, agent, about))
    data = {"runs": reflected_data(reports)}
    if not reports:
        return Answer(data, [words("nothing new to reflect on")])
    table = plain_table("run", "changes")
    for item in reports:
        table.add_row(words(item.run), words(", ".join(f"{count} {act}" for act, count in sorted(item.acts.items()))))
    return Answer(data, [table, words("`agentmem undo RUN` takes a run back", "dim")])


async def _previewed(session: CommandSession, agent: str, about: str | None) -> Answer:
    """Nothing is written, so turns that nobody has read yet are not in it."""
    with session.terminal.busy("looking"):
        async with session.opened() as app:
            previewed = await app.preview_reflection(await scope_of(app, agent, about))
    changes = [change for item in previewed for change in item.changes]
    data = {"dryRun": True, "changes": previewed_data(previewed)}
    shown = [change for change in changes if differences(change)]
    looked_at = f"{len(changes) - len(shown)} more would be looked at and left as they are; nothing was changed"
    return Answer(data, [_change_list(shown) if shown else words("nothing would change"), words(looked_at, "dim")])


def _change_list(changes: Sequence[Change]) -> Table:
    """Changes of several memories: what is done to which, what is old and new, and why."""
    table = columns(2)
    for change in changes:
        node = change.before or change.after
        assert node is not None
        about = words(f"{change.memory_id[:SHORT_ID]} · {node.memory_type} · {node.target_name}", "dim")
        added = change.before is None or change.after is None
        shown = [*([] if added else [words(node.content)]), *map(words, differences(change))]
        why = words(f"because: {change.reason}" if change.reason else "", "dim")
        table.add_row(words(change.act, "bold"), Group(*shown, why, about))
    return table


@handed_over
async def undo(
    session: CommandSession,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run, as `reflect` and `history` show it.")],
    cascade: Annotated[bool, typer.Option("--cascade", help="Also where later runs changed the same.")] = False,
) -> Answer:
    """Take a run back, exactly."""
    with session.terminal.busy("taking back"):
        async with session.opened_for_writing() as app:
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
