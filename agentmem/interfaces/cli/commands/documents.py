"""ingest: documents."""

from pathlib import Path
from typing import Annotated

import typer

from agentmem.interfaces.cli.commands.memory import Agent
from agentmem.interfaces.cli.invocation import command


def add_to(program: typer.Typer) -> None:
    """Add this command."""

    @command(program, "ingest", "documents.ingest")
    def _ingest(
        paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files, directories or patterns.")],
        agent: Agent,
        prune: Annotated[
            bool, typer.Option("--prune", help="End documents of these directories whose file is gone.")
        ] = False,
    ) -> None:
        """Take documents into an agent's long-term memory: Markdown, text, HTML, PDF, DOCX, CSV, JSON."""
