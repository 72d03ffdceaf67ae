"""export and import: agents into files and out of them."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentmem.interfaces.cli.invocation import command


class Form(StrEnum):
    """What an agent can be written as."""

    BUNDLE = "bundle"
    MARKDOWN = "markdown"
    CARD = "card"


def add_to(program: typer.Typer) -> None:
    """Add these commands."""

    @command(program, "export", "bundles.export")
    def _export(
        agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent's id.")],
        file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
        form: Annotated[
            Form | None,
            typer.Option(
                "--format",
                help="A bundle, to be imported whole (FILE.zip); Markdown to read (FILE.md); a card (FILE.json).",
            ),
        ] = None,
        sign: Annotated[
            Path | None, typer.Option("--sign", metavar="KEYFILE", help="Sign the bundle with this private key.")
        ] = None,
        force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    ) -> None:
        """Write an agent into a file, with all it knows and how it came to know it."""

    @command(program, "import", "bundles.import_agent")
    def _import(
        file: Annotated[
            Path,
            typer.Argument(
                metavar="FILE", help="A bundle; or Letta .af, Character Card (JSON, PNG), Mem0 or ChatGPT JSON."
            ),
        ],
        agent: Annotated[str | None, typer.Option("--as", metavar="ID", help="The new agent's id.")] = None,
        signer: Annotated[
            Path | None,
            typer.Option("--signer", metavar="PUBKEY", help="Trust the bundle, which must bear this key's signature."),
        ] = None,
        person: Annotated[
            str, typer.Option("--person", help="Who the user is, in files that do not name theirs.")
        ] = "user",
        accept_instructions: Annotated[
            bool,
            typer.Option("--accept-instructions", help="Take over what files of other systems order a model to do."),
        ] = False,
    ) -> None:
        """Make an agent of a file. What the file asks for beyond words is left behind, and told."""
