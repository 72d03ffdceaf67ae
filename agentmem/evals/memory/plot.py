"""Figures of played dialogues as a picture. Loaded only where one is asked for: matplotlib is an extra."""

# pyright: reportUnknownMemberType=false
# The stubs of matplotlib leave the type of keyword arguments open.

import os
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from agentmem.evals.memory.measures import BAD, MEASURES, Measure
from agentmem.evals.memory.memory_judge import Truth
from agentmem.evals.memory.memory_report import MemoryReport
from agentmem.language.safe_text import safe_line
from agentmem.private_files import open_private

_GOOD, _BAD = "#0072B2", "#D55E00"
_TRUTHS: dict[Truth, str] = {"true": "#009E73", "stale": "#E69F00", "false": "#D55E00"}
"""Told apart by the colour-blind too (Okabe and Ito 2008)."""


def draw(report: MemoryReport, path: Path) -> None:
    """The share of each measure over all items, with a dot for each dialogue; what a judge said of each dialogue."""
    figure = Figure(figsize=(11, 5), dpi=150, layout="constrained")
    if report.judge is None:
        _measures(figure.subplots(), report)
    else:
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        _measures(left, report)
        _truths(right, report, report.judge)
    os.close(open_private(path, os.O_WRONLY | os.O_CREAT))
    figure.savefig(path)


def _measures(axes: Axes, report: MemoryReport) -> None:
    totals = report.tallies
    names: list[Measure] = [name for name in MEASURES if totals[name].of]
    shares = [totals[name].share or 0 for name in names]
    axes.barh(range(len(names)), shares, color=[_BAD if name in BAD else _GOOD for name in names], alpha=0.75)
    for row, name in enumerate(names):
        each = [dialogue.tallies[name].share for dialogue in report.dialogues]
        dots = [share for share in each if share is not None]
        axes.scatter(dots, [row] * len(dots), s=12, color="black", alpha=0.3, zorder=3)
    labels = [f"{name.replace('_', ' ')} ({totals[name].count} of {totals[name].of})" for name in names]
    axes.set_yticks(range(len(names)), labels)
    axes.invert_yaxis()
    axes.set(xlim=(-0.02, 1.02), xlabel="bars: all items; dots: one dialogue each; orange: less is better")
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="x", alpha=0.3)
    axes.set_title(f"{len(report.dialogues)} dialogues, {report.turns} turns", fontsize=11)


def _truths(axes: Axes, report: MemoryReport, judge: str) -> None:
    names = [safe_line(dialogue.name) for dialogue in report.dialogues]
    given = [[each.truth for each in (dialogue.judgements or {}).values()] for dialogue in report.dialogues]
    left = [0] * len(names)
    for truth, colour in _TRUTHS.items():
        counts = [words.count(truth) for words in given]
        axes.barh(names, counts, left=left, color=colour, label=truth)
        left = [before + count for before, count in zip(left, counts, strict=True)]
    axes.invert_yaxis()
    axes.set(xlabel="memories that hold")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3, frameon=False)
    axes.set_title(f"Judged by {safe_line(judge)}", fontsize=11)
