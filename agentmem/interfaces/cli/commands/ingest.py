"""ingest: documents into long-term memory.

What is new is taken in and read, unless another process holds the index and does that. A refused file makes the command
fail after all others were taken in.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import ConsoleRenderable

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.exits import BAD_INPUT, DONE
from agentmem.interfaces.cli.options import Agent
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import introduced_agent

if TYPE_CHECKING:
    from agentmem.runtime.facade.ingesting import Ingested

MAX_NAMED = 20
"""Files named on a terminal; `--json` names all."""


async def ingest(
    session: CommandSession,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files, directories or patterns.")],
    agent: Agent,
    prune: Annotated[
        bool, typer.Option("--prune", help="End documents of these directories whose file is gone.")
    ] = False,
) -> Answer:
    """Take documents into an agent's long-term memory: Markdown, text, HTML, PDF, DOCX, CSV, JSON."""
    from agentmem.domain.scope import Scope

    async with session.opened_for_writing() as app:
        persona = await introduced_agent(app, agent)
        with session.terminal.counted("reading") as progress:
            told = await app.library.ingest(persona.id, paths, prune=prune, progress=progress)
        alone = app.opened is not None
        if alone:
            with session.terminal.busy("remembering"):
                await app.drain()
        depth = await app.upkeep.depth_of(Scope(app.tenant, persona.id))
    waiting = depth.ready + depth.delayed + depth.leased
    data = {
        "received": list(map(str, told.received)),
        "unchanged": list(map(str, told.unchanged)),
        "ended": told.ended,
        "refused": [{"path": str(item.path), "reason": item.reason} for item in told.refused],
        "leftOut": [{"path": str(path), "reason": reason} for path, reason in told.left_out],
        "processed": alone,
        "waiting": waiting,
    }
    later = "" if alone else "; the process that holds the index reads them"
    return Answer(data, [*_problems(told), words(_summary(told) + later)], BAD_INPUT if told.refused else DONE)


def _problems(told: Ingested) -> list[ConsoleRenderable]:
    lines: list[ConsoleRenderable] = [words(item.reason, "red") for item in told.refused[:MAX_NAMED]]
    if len(told.refused) > MAX_NAMED:
        lines.append(words(f"and {len(told.refused) - MAX_NAMED} more; --json names all", "red"))
    lines += [words(f"{path}: left out: {reason}", "dim") for path, reason in told.left_out[:MAX_NAMED]]
    if len(told.left_out) > MAX_NAMED:
        lines.append(words(f"and {len(told.left_out) - MAX_NAMED} more left out; --json names all", "dim"))
    return lines


def _summary(told: Ingested) -> str:
    counts = {
        "taken in": len(told.received),
        "unchanged": len(told.unchanged),
        "gone and ended": len(told.ended),
        "refused": len(told.refused),
        "left out": len(told.left_out),
    }
    shown = [f"{count} {name}" for name, count in counts.items() if count or name == "taken in"]
    return ", ".join(shown)
