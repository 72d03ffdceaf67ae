"""agentmem eval retrieval: the figures of retrieval on a data set, in a store of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import ConsoleRenderable

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.options import drawing
from agentmem.interfaces.cli.output import Answer, words

if TYPE_CHECKING:
    from rich.table import Table

    from agentmem_evals.retrieval.metrics import Figures
    from agentmem_evals.retrieval.report import Abstention, RetrievalReport

Format = Literal["locomo", "madial", "jsonl"]
"""The formats of retrieval data, named once more: their readers are heavy to load."""


Ranking = Literal["memories", "verbatim", "generative"]
"""The profiles of ranking, likewise."""


async def retrieval(
    session: CommandSession,
    dataset: Annotated[Path, typer.Argument(metavar="DATA", help="Conversations with questions and evidence.")],
    form: Annotated[
        Format | None,
        typer.Option("--format", help="What DATA is; guessed from its name."),
    ] = None,
    also: Annotated[
        list[int] | None, typer.Option("-k", min=1, max=50, help="Recall at this k too; may be repeated.")
    ] = None,
    others: Annotated[bool, typer.Option("--others", help="Ask each question about another conversation too.")] = False,
    profile: Annotated[Ranking | None, typer.Option("--profile", help="How to rank, in place of the default.")] = None,
    statements: Annotated[
        bool, typer.Option("--statements", help="Add each turn to a Memory as a statement of its own, and search that.")
    ] = False,
    most: Annotated[
        int | None,
        typer.Option("--turns", min=2, max=100_000, help="At most so many turns of each conversation."),
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the figures: .png.")] = None,
) -> Answer:
    """Store conversations in a folder that is thrown away, ask their questions, and see what is found."""
    from agentmem_evals.retrieval.dataset import cut
    from agentmem_evals.retrieval.datasets import read_dataset
    from agentmem_evals.retrieval.run import measure

    if statements and profile is not None:
        raise Misuse("--profile: a Memory has none; leave out --statements")

    draw = None if plot is None else drawing(plot, "agentmem_evals.retrieval.plot")
    conversations = read_dataset(dataset, form)
    if most is not None:
        conversations = [cut(each, most) for each in conversations]
    with session.terminal.counted("measuring") as progress:
        report = await measure(
            session.settings,
            conversations,
            also=also or (),
            others=others,
            profile=profile,
            statements=statements,
            told=progress,
        )
    shown = _view(report)
    if draw is not None and plot is not None:
        draw(report, plot)
        shown.append(words(f"\ndrawn into {plot}", "dim"))
    return Answer(report.data(), shown)


def _view(report: RetrievalReport) -> list[ConsoleRenderable]:
    """Turns, sessions where there are any, abstaining where it can be told, and speed."""
    shown: list[ConsoleRenderable] = [words("turns", "bold"), _table(report.turns, report.counts)]
    if report.sessions:
        shown += [words("\nsessions", "bold"), _table(report.sessions, report.counts)]
    if report.abstention is not None:
        shown += [words("\nabstaining", "bold"), *_abstaining(report.abstention)]
    return [*shown, words(f"\n{_speed(report)}", "dim")]


def _table(groups: Mapping[str, Figures], counts: Mapping[str, int]) -> Table:
    """One column per category: there are fewer of them than figures."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("", no_wrap=True)
    for name in groups:
        table.add_column(words(name), justify="right", overflow="fold")
    table.add_row(words("questions", "dim"), *(words(f"{counts[name]:,}", "dim") for name in groups))
    for figure in groups["all"]:
        table.add_row(words(figure), *(words(f"{row[figure]:.3f}") for row in groups.values()))
    return table


def _abstaining(found: Abstention) -> list[ConsoleRenderable]:
    chosen = found.chosen
    own_kept, own_refused = found.as_it_is
    refused = ", ".join(f"{name} {share:.0%}" for name, share in found.refused.items())
    return [
        words(f"as it is: {own_kept:.0%} of {found.answerable} answered, {own_refused:.0%} of {found.others} refused"),
        words(
            f"best threshold on these questions, {chosen.threshold:.3f}: {chosen.kept:.0%} answered, "
            f"{chosen.refused:.0%} refused ({refused})"
        ),
        words(f"told apart by confidence: {found.told_apart:.3f}, where 1 is perfect and 0.5 is chance"),
    ]


def _speed(report: RetrievalReport) -> str:
    from agentmem_evals.retrieval.asking import DEPTH

    skipped = f" ({report.skipped} skipped: none of their evidence is there)" if report.skipped else ""
    return (
        f"{report.counts['all']} questions{skipped} over {report.stored} turns, embedder {report.embedder}; "
        f"recall of {DEPTH}: p50 {report.milliseconds(0.5):.1f} ms, p95 {report.milliseconds(0.95):.1f} ms "
        f"{'with' if report.statements else 'without'} the embedder; stored {report.turns_per_second:,.0f} turns/s"
    )
