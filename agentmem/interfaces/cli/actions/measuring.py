"""eval: measurements, in stores of their own."""

from collections.abc import Callable, Sequence
from pathlib import Path

from agentmem.evals.retrieval.datasets import read_dataset
from agentmem.evals.retrieval.report import RetrievalReport
from agentmem.evals.retrieval.run import measure
from agentmem.interfaces.cli.deferred import deferred
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.retrieval import retrieval_view

Draw = Callable[[RetrievalReport, Path], None]

EXTRA = 'plots need: pip install "agentmem-framework[plot]"'


async def retrieval(
    session: Session, *, dataset: Path, form: str | None, also: Sequence[int] | None, others: bool, plot: Path | None
) -> Answer:
    """The figures; with `plot`, drawn into that file too."""
    draw = None if plot is None else _drawing(plot)
    conversations = read_dataset(dataset, form)
    with session.terminal.counted("measuring") as progress:
        report = await measure(session.settings, conversations, also=also or (), others=others, told=progress)
    shown = retrieval_view(report)
    if draw is not None and plot is not None:
        _write(draw, report, plot)
        shown.append(words(f"\ndrawn into {plot}", "dim"))
    return Answer(report.data(), shown)


def _drawing(plot: Path) -> Draw:
    """What draws, loaded before anything is measured. Raises `Misuse` for what would stop it afterwards."""
    if plot.suffix.lower() != ".png" or not plot.parent.is_dir() or plot.is_dir():
        raise Misuse(f"--plot {str(plot)!r}: must be a file ending in .png in a folder that exists")
    try:
        return deferred("views.retrieval_plot.draw")
    except ImportError as error:
        raise Misuse(EXTRA) from error


def _write(draw: Draw, report: RetrievalReport, plot: Path) -> None:
    try:
        draw(report, plot)
    except OSError as error:
        raise Misuse(f"--plot {str(plot)!r}: cannot be written: {error.strerror or error}") from error
