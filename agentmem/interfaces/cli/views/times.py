"""The score of the time resolver on a terminal, by what the cases name, and the cases that failed."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from rich.console import ConsoleRenderable

from agentmem.evals.time.cases import Expected, Resolution
from agentmem.evals.time.scoring import NOTHING, ScoredCase, TimeReport
from agentmem.interfaces.cli.output import words
from agentmem.interfaces.cli.views.memory import columns, plain_table
from agentmem.language.times import TimeMention


def times_view(report: TimeReport, *, failures: bool) -> list[ConsoleRenderable]:
    """A line for each kind of case and one for all; then, where asked for, what was wanted and found."""
    table = plain_table("names", "in scope", "correct", "exact")
    by_kind = sorted(report.scored, key=lambda one: one.kind)
    for kind, group in groupby(by_kind, key=lambda one: one.kind):
        part = TimeReport(0, tuple(group))
        table.add_row(words(kind), *_figures(part))
    table.add_row(words("all", "bold"), *_figures(report))
    left_out = words(f"\n{report.cases} cases, {report.cases - len(report.scored)} out of scope", "dim")
    return [table, left_out, *(_failures(report.failures) if failures else [])]


def failure_data(failed: ScoredCase) -> dict[str, object]:
    """A failed case as plain data."""
    return {
        "text": failed.case.text,
        "reference": failed.case.reference.isoformat(),
        "expected": [_wanted(one) for one in failed.case.expected],
        "found": [_found(mention) for mention in failed.found],
    }


def _figures(report: TimeReport) -> tuple[ConsoleRenderable, ...]:
    return words(len(report.scored)), words(report.correct), words(f"{report.exact:.3f}")


def _failures(failed: Sequence[ScoredCase]) -> list[ConsoleRenderable]:
    table = columns(2)
    for one in failed:
        table.add_row(words("text", "bold"), words(f"{one.case.text}  [{one.case.reference:%a %Y-%m-%d %H:%M}]"))
        table.add_row(words("wanted", "green"), words("\n".join(map(_wanted, one.case.expected)) or NOTHING))
        table.add_row(words("found", "red"), words("\n".join(map(_found, one.found)) or NOTHING))
    return [words(f"\nfailed ({len(failed)})", "bold"), table]


def _wanted(expected: Expected) -> str:
    allowed = " or ".join(map(_told, expected.allowed)) or "no resolution"
    return f"{expected.start}: {expected.text!r} {expected.kind}: {allowed}"


def _found(mention: TimeMention) -> str:
    told = "recurring" if mention.recurring else _told(mention.edges)
    return f"{mention.start}: {mention.text!r} {'' if mention.dated or mention.recurring else 'undated '}{told}"


def _told(resolution: Resolution) -> str:
    begins, ends = (_edge(edge) for edge in resolution)
    return begins if begins == ends else f"{begins} to {ends}"


def _edge(edge: datetime | None) -> str:
    return (
        "open"
        if edge is None
        else f"{edge:%Y-%m-%d}"
        if edge.time() == edge.min.time()
        else f"{edge:%Y-%m-%d %H:%M:%S}"
    )
