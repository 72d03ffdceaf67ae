"""clone: agents made from others."""

from typing import Annotated

import typer

from agentmem.interfaces.cli.invocation import command


def add_to(program: typer.Typer) -> None:
    """Add these commands."""

    @command(program, "clone", "copying.clone")
    def _clone(
        agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent to be cloned.")],
        clone: Annotated[str, typer.Argument(metavar="NAME", help="The id of the clone.")],
        name: Annotated[
            str | None, typer.Option("--name", help="How the clone is called, if not as the agent.")
        ] = None,
        discard: Annotated[
            bool, typer.Option("--discard", help="Give up this clone, which was begun and never finished.")
        ] = False,
    ) -> None:
        """Make a new agent that knows all this one knows, and goes its own way from then on."""
