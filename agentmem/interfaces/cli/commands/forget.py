"""forget: ending and erasing."""

from typing import Annotated

import typer

from agentmem.interfaces.cli.commands.memory import About, Agent
from agentmem.interfaces.cli.invocation import command


def add_to(program: typer.Typer) -> None:
    """Add this command."""

    @command(program, "forget", "forgetting.forget")
    def _forget(
        agent: Agent,
        ids: Annotated[
            list[str] | None, typer.Option("--id", help="This memory, by its id or how it begins; may be repeated.")
        ] = None,
        about: About = None,
        query: Annotated[
            str | None, typer.Option("--query", help='What this names, such as "my phone but keep my address".')
        ] = None,
        source: Annotated[
            str | None,
            typer.Option("--source", metavar="TURN", help="This turn and everything that was derived from it."),
        ] = None,
        erase: Annotated[bool, typer.Option("--erase", help="Remove it for good, from every store.")] = False,
        dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be forgotten.")] = False,
        yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    ) -> None:
        """Forget memories by id, person, question or source: end them, or erase them with a receipt."""
