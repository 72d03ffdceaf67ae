"""--plot FILE: figures drawn into a file, by a module that is loaded only where one is asked for."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from agentmem.interfaces.cli.exits import Misuse

EXTRA = 'plots need: pip install "agentmem-framework[plot]"'

Draw = Callable[[object, Path], None]
"""Draws a report into a file."""


def drawing(plot: Path, module: str) -> Draw:
    """The function `draw` of the module, loaded before anything is measured. Raises `Misuse` for what would stop it
    afterwards."""
    if plot.suffix.lower() != ".png" or not plot.parent.is_dir() or plot.is_dir():
        raise Misuse(f"--plot {str(plot)!r}: must be a file ending in .png in a folder that exists")
    try:
        draw: Draw = import_module(module).draw
    except ImportError as error:
        raise Misuse(EXTRA) from error

    def written(report: object, path: Path) -> None:
        try:
            draw(report, path)
        except OSError as failure:
            raise Misuse(f"--plot {str(path)!r}: cannot be written: {failure.strerror or failure}") from failure

    return written
