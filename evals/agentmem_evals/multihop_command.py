"""agentmem eval multihop: how well answers are found that several memories give together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer
from rich.console import ConsoleRenderable

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.output import Answer, words

if TYPE_CHECKING:
    from rich.table import Table

    from agentmem_evals.multihop.report import ModeRow, MultihopReport


async def multihop(
    session: CommandSession,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Documents, conversations and questions.")],
    modes: Annotated[
        list[str] | None, typer.Option("--mode", help="A mode of ask; may be repeated; all, if none is named.")
    ] = None,
    depths: Annotated[
        list[int] | None, typer.Option("--depth", min=1, max=3, help="How far to walk; may be repeated; else 2.")
    ] = None,
    limit: Annotated[int, typer.Option("-k", min=1, max=50, help="How many memories to look at.")] = 8,
) -> Answer:
    """Have a world of documents and talks read, and ask what only several of them together tell."""
    from agentmem.answers.answer import AskMode
    from agentmem_evals.multihop.run import measure
    from agentmem_evals.multihop.world import read_world

    known: tuple[AskMode, ...] = get_args(AskMode)
    if strange := [mode for mode in modes or () if mode not in known]:
        raise Misuse(f"--mode {strange[0]!r}: allowed: {', '.join(known)}")
    wanted: list[AskMode] = list(known) if not modes else [mode for mode in known if modes.count(mode)]
    world, far = read_world(folder), sorted({*(depths or (2,))})
    with session.terminal.counted("asking") as progress:
        report = await measure(session.settings, world, wanted, k=limit, depths=far, told=progress)
    return Answer(report.data(), _view(report))


def _view(report: MultihopReport) -> list[ConsoleRenderable]:
    """A table for the questions that things may be tuned on, and one for those that were held out."""
    shown: list[ConsoleRenderable] = []
    for title, held_out in (("open questions", False), ("held-out questions", True)):
        if rows := report.rows(held_out=held_out):
            shown += [words(f"{title}, recall of their support by hops", "bold"), _table(rows), words("")]
    told = f"{report.documents} documents, {report.turns} turns; {report.k} memories looked at for each question"
    return [*shown, words(told, "dim")]


def _table(rows: Sequence[ModeRow]) -> Table:
    from rich import box
    from rich.table import Table

    hops = list(rows[0].by_hops)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("mode", no_wrap=True)
    for name in (*hops, "whole", "told", "right", "silent"):
        table.add_column(name, justify="right")
    counts = [figures.questions for figures in rows[0].by_hops.values()]
    table.add_row(
        words("questions", "dim"),
        *(words(count, "dim") for count in counts),
        *(words("") for _ in range(3)),
        words(rows[0].unanswerable, "dim"),
    )
    for row in rows:
        table.add_row(
            words(_way(row)),
            *(words(f"{value:.0%}") for value in _values(row)),
        )
    return table


def _way(row: ModeRow) -> str:
    return row.mode if row.depth is None else f"{row.mode}, depth {row.depth}"


def _values(row: ModeRow) -> list[float]:
    every = row.over_all
    return [*(each.recall for each in row.by_hops.values()), every.complete, every.answered, every.right, row.abstained]
