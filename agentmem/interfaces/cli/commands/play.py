"""run: scenarios."""

from pathlib import Path
from typing import Annotated

import typer

from agentmem.interfaces.cli.invocation import command


def add_to(program: typer.Typer) -> None:
    """Add this command."""

    @command(program, "run", "playing.run")
    def _run(
        scenarios: Annotated[list[Path], typer.Argument(metavar="SCENARIO...", help="Scenario files.")],
        fresh: Annotated[bool, typer.Option("--fresh", help="Forget the scenario's agent first.")] = False,
    ) -> None:
        """Play scenarios and check what is remembered afterwards."""
