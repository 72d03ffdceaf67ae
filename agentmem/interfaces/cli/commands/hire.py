"""hire, release: agents of one tenant in the service of another."""

from typing import Annotated

import typer

from agentmem.interfaces.cli.invocation import command


def add_to(program: typer.Typer) -> None:
    """Add these commands."""

    @command(program, "hire", "hiring.hire")
    def _hire(
        agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent's id at its owner.")],
        new_id: Annotated[str, typer.Option("--as", metavar="NAME", help="The id of the hired agent.")],
        owner: Annotated[str, typer.Option("--from-tenant", help="Whose agent it is.")] = "default",
        name: Annotated[
            str | None, typer.Option("--name", help="How the hired agent is called, if not as the agent.")
        ] = None,
        dry_run: Annotated[
            bool, typer.Option("--dry-run", help="Only show what would come along, and what not.")
        ] = False,
    ) -> None:
        """Hire an agent for --tenant: a copy with what its owner's contract lets go, and nothing else."""

    @command(program, "release", "hiring.release")
    def _release(
        name: Annotated[str, typer.Argument(metavar="NAME", help="The hired agent's id.")],
    ) -> None:
        """Give a hired agent back: it goes with everything it has, also what it learned here; export it before."""
