"""eval: measuring."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentmem.interfaces.cli.invocation import command


class Format(StrEnum):
    """The formats of retrieval data, named once more: their readers are heavy to load."""

    LOCOMO = "locomo"
    MADIAL = "madial"
    JSONL = "jsonl"


def add_to(program: typer.Typer) -> None:
    """Add this group."""
    group = typer.Typer(help="Measure how well memories are found and times resolved.", no_args_is_help=True)
    program.add_typer(group, name="eval")

    @command(group, "retrieval", "measuring.retrieval")
    def _retrieval(
        dataset: Annotated[Path, typer.Argument(metavar="DATA", help="Conversations with questions and evidence.")],
        form: Annotated[Format | None, typer.Option("--format", help="What DATA is; guessed from its name.")] = None,
        also: Annotated[
            list[int] | None, typer.Option("-k", min=1, max=50, help="Recall at this k too; may be repeated.")
        ] = None,
        others: Annotated[
            bool, typer.Option("--others", help="Ask each question about another conversation too.")
        ] = False,
        plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the figures: .png.")] = None,
    ) -> None:
        """Store conversations in a folder that is thrown away, ask their questions, and see what is found."""

    @command(group, "multihop", "hopping.multihop")
    def _multihop(
        folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Documents, conversations and questions.")],
        modes: Annotated[
            list[str] | None, typer.Option("--mode", help="A mode of ask; may be repeated; all, if none is named.")
        ] = None,
        depths: Annotated[
            list[int] | None, typer.Option("--depth", min=1, max=3, help="How far to walk; may be repeated; else 2.")
        ] = None,
        limit: Annotated[int, typer.Option("-k", min=1, max=50, help="How many memories to look at.")] = 8,
    ) -> None:
        """Have a world of documents and talks read, and ask what only several of them together tell."""

    @command(group, "time", "resolving.times")
    def _time(
        cases: Annotated[Path, typer.Argument(metavar="FILE", help="Texts and the times they name, as JSON.")],
        failures: Annotated[bool, typer.Option("--failures", help="Show what was wanted and found.")] = False,
    ) -> None:
        """Resolve the time expressions of a file and count how many come out exactly right."""
