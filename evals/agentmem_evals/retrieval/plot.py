"""Retrieval figures as a picture. Loaded only where one is asked for: matplotlib is an extra."""

# pyright: reportUnknownMemberType=false
# The stubs of matplotlib leave the type of keyword arguments open.

import os
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from agentmem.language.safe_text import safe_line
from agentmem.private_files import open_private
from agentmem_evals.retrieval.asking import DEPTH
from agentmem_evals.retrieval.metrics import ALL
from agentmem_evals.retrieval.report import RetrievalReport

_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#7F7F7F")
"""Told apart by the colour-blind too (Okabe and Ito 2008)."""


def draw(report: RetrievalReport, path: Path) -> None:
    """Recall against k by category, and how long recalls took."""
    figure = Figure(figsize=(11, 5), dpi=150, layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _recall(left, report)
    _latency(right, report)
    os.close(open_private(path, os.O_WRONLY | os.O_CREAT))
    figure.savefig(path)


def _recall(axes: Axes, report: RetrievalReport) -> None:
    others = [name for name in report.curves if name != ALL]
    colours = {name: _COLOURS[place % len(_COLOURS)] for place, name in enumerate(others)}
    ks = range(1, DEPTH + 1)
    for name, values in report.curves.items():
        label = f"{'all' if name == ALL else f'category {safe_line(name)}'} (n = {report.counts[name]:,})"
        width, colour = (2.6, "black") if name == ALL else (1.5, colours[name])
        axes.plot(ks, values, label=label, linewidth=width, color=colour, zorder=3 if name == ALL else 2)
    axes.set(xlim=(1, DEPTH), ylim=(0, 1), xlabel="k", ylabel="recall@k of turns")
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xticks([1, *range(10, DEPTH + 1, 10)])
    axes.grid(alpha=0.3)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3, frameon=False)
    axes.set_title(f"Evidence found, {safe_line(report.embedder)}", fontsize=11)


def _latency(axes: Axes, report: RetrievalReport) -> None:
    milliseconds = [1_000 * value for value in report.seconds]
    longest = report.milliseconds(0.99)
    axes.hist([min(value, longest) for value in milliseconds], bins=40, color="#0072B2", alpha=0.75)
    for share, style in ((0.5, "-"), (0.95, "--")):
        value = report.milliseconds(share)
        axes.axvline(value, color="black", linestyle=style, label=f"p{share * 100:.0f} {value:.1f} ms")
    axes.set(xlabel="ms, without the embedder\n(the last bar holds the slowest 1 %)", ylabel="questions")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2, frameon=False)
    axes.set_title(f"Time of a recall of {DEPTH}", fontsize=11)
