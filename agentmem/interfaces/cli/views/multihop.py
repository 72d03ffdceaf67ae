"""Figures of questions over several hops on a terminal."""

from collections.abc import Sequence

from rich import box
from rich.console import ConsoleRenderable
from rich.table import Table

from agentmem.evals.multihop.report import MultihopReport, Row
from agentmem.interfaces.cli.output import words


def multihop_view(report: MultihopReport) -> list[ConsoleRenderable]:
    """A table for the questions that things may be tuned on, and one for those that were held out."""
    shown: list[ConsoleRenderable] = []
    for title, held_out in (("open questions", False), ("held-out questions", True)):
        if rows := report.rows(held_out=held_out):
            shown += [words(f"{title}, recall of their support by hops", "bold"), _table(rows), words("")]
    told = f"{report.documents} documents, {report.turns} turns; {report.k} memories looked at for each question"
    return [*shown, words(told, "dim")]


def _table(rows: Sequence[Row]) -> Table:
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


def _way(row: Row) -> str:
    return row.mode if row.depth is None else f"{row.mode}, depth {row.depth}"


def _values(row: Row) -> list[float]:
    every = row.over_all
    return [*(each.recall for each in row.by_hops.values()), every.complete, every.answered, every.right, row.abstained]
