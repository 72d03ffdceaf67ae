"""persona lint, show, diff, schema: the files that say who an agent is."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentmem.interfaces.cli.invocation import command, group_of


class Kind(StrEnum):
    """The files that have a schema."""

    PERSONA = "persona"
    SCENARIO = "scenario"
    CONFIG = "config"


PersonaId = Annotated[str, typer.Argument(metavar="ID", help="The persona's id.")]


def add_to(program: typer.Typer) -> None:
    """Add these commands."""
    group = group_of(program, "persona", "The files that say who an agent is.")

    @command(group, "lint", "personas.lint")
    def _lint(
        files: Annotated[
            list[Path] | None, typer.Argument(metavar="[FILE]...", help="Persona files; all of them, if none is named.")
        ] = None,
        tools: Annotated[
            bool, typer.Option("--tools", help="Also import what the tools name, which runs its code.")
        ] = False,
    ) -> None:
        """Check persona files and show everything that is wrong with them."""

    @command(group, "show", "personas.show")
    def _show(persona: PersonaId) -> None:
        """Show a persona in full, and where each value comes from."""

    @command(group, "diff", "personas.diff")
    def _diff(
        persona: PersonaId,
        other: Annotated[
            str | None, typer.Argument(metavar="[OTHER]", help="Another persona; the registered agent, if not named.")
        ] = None,
    ) -> None:
        """Show in what two personas differ, or a persona's file and the agent as it is registered."""

    @command(group, "schema", "personas.schema")
    def _schema(kind: Annotated[Kind, typer.Argument(help="Of which files.")] = Kind.PERSONA) -> None:
        """Print the JSON Schema of persona, scenario or configuration files, for editors."""
