"""chat: talking with an agent."""

from typing import Annotated

import typer

from agentmem.interfaces.cli.invocation import command


def add_to(program: typer.Typer) -> None:
    """Add this command."""

    @command(program, "chat", "chatting.chat")
    def _chat(
        persona: Annotated[str, typer.Argument(metavar="PERSONA", help="The agent's id.")],
        speaker: Annotated[str | None, typer.Option("--as", help="Who you are; your user name, if not given.")] = None,
        title: Annotated[str | None, typer.Option("--title", help="What you are, such as 软件工程师.")] = None,
    ) -> None:
        """Talk with an agent; line by line where input is no terminal. Needs a chat model."""
