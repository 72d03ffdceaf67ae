"""agentmem eval time: how well time expressions are resolved, by what the cases name, and the cases that failed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import ConsoleRenderable

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.memory_view import columns, plain_table
from agentmem.interfaces.cli.output import Answer, words

if TYPE_CHECKING:
    from agentmem.language.time import TimeMention
    from agentmem_evals.time_cases import ExpectedTime, Resolution, ScoredCase, TimeReport


async def time(
    session: CommandSession,
    cases: Annotated[Path, typer.Argument(metavar="FILE", help="Texts and the times they name, as JSON.")],
    failures: Annotated[bool, typer.Option("--failures", help="Show what was wanted and found.")] = False,
) -> Answer:
    """Resolve the time expressions of a file and count how many come out exactly right."""
    from agentmem_evals.time_cases import read_cases, score

    with session.terminal.busy("resolving"):
        report = score(read_cases(cases))
    data: dict[str, object] = {
        "cases": report.cases,
        "in_scope": len(report.scored),
        "correct": report.correct,
        "exact": round(report.exact, 4),
    }
    if failures:
        data["failures"] = [_failure(one) for one in report.failures]
    return Answer(data, _view(report, failures=failures))


def _view(report: TimeReport, *, failures: bool) -> list[ConsoleRenderable]:
    """A line for each kind of case and one for all; then, where asked for, what was wanted and found."""
    from agentmem_evals.time_cases import TimeReport

    table = plain_table("names", "in scope", "correct", "exact")
    by_kind = sorted(report.scored, key=lambda one: one.kind)
    for kind, group in groupby(by_kind, key=lambda one: one.kind):
        part = TimeReport(0, tuple(group))
        table.add_row(words(kind), *_figures(part))
    table.add_row(words("all", "bold"), *_figures(report))
    left_out = words(f"\n{report.cases} cases, {report.cases - len(report.scored)} out of scope", "dim")
    return [table, left_out, *(_failures(report.failures) if failures else [])]


def _failure(failed: ScoredCase) -> dict[str, object]:
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
    from agentmem_evals.time_cases import NOTHING

    table = columns(2)
    for one in failed:
        table.add_row(words("text", "bold"), words(f"{one.case.text}  [{one.case.reference:%a %Y-%m-%d %H:%M}]"))
        table.add_row(words("wanted", "green"), words("\n".join(map(_wanted, one.case.expected)) or NOTHING))
        table.add_row(words("found", "red"), words("\n".join(map(_found, one.found)) or NOTHING))
    return [words(f"\nfailed ({len(failed)})", "bold"), table]


def _wanted(expected: ExpectedTime) -> str:
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
