"""Retrieval figures on a terminal."""

from collections.abc import Mapping

from rich import box
from rich.console import ConsoleRenderable
from rich.table import Table

from agentmem.evals.retrieval.asking import DEPTH
from agentmem.evals.retrieval.metrics import ALL, Figures
from agentmem.evals.retrieval.report import Abstention, RetrievalReport
from agentmem.interfaces.cli.output import words


def retrieval_view(report: RetrievalReport) -> list[ConsoleRenderable]:
    """Turns, sessions where there are any, abstaining where it can be told, and speed."""
    shown: list[ConsoleRenderable] = [words("turns", "bold"), _table(report.turns, report.counts)]
    if report.sessions:
        shown += [words("\nsessions", "bold"), _table(report.sessions, report.counts)]
    if report.abstention is not None:
        shown += [words("\nabstaining", "bold"), *_abstaining(report.abstention)]
    return [*shown, words(f"\n{_speed(report)}", "dim")]


def _table(groups: Mapping[str, Figures], counts: Mapping[str, int]) -> Table:
    """One column per category: there are fewer of them than figures."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("", no_wrap=True)
    for name in groups:
        table.add_column(words(name), justify="right", overflow="fold")
    table.add_row(words("questions", "dim"), *(words(f"{counts[name]:,}", "dim") for name in groups))
    for figure in groups[ALL]:
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
    skipped = f" ({report.skipped} skipped: none of their evidence is there)" if report.skipped else ""
    return (
        f"{report.counts['all']} questions{skipped} over {report.stored} turns, embedder {report.embedder}; "
        f"recall of {DEPTH}: p50 {report.milliseconds(0.5):.1f} ms, p95 {report.milliseconds(0.95):.1f} ms "
        f"without the embedder; stored {report.turns_per_second:,.0f} turns/s"
    )
