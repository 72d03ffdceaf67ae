"""graph show, path, communities, rebuild, export, entities, merge, split: what links whom, and who is who."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentmem.interfaces.cli.invocation import command, group_of


class Form(StrEnum):
    """What a graph is written as."""

    GRAPHML = "graphml"
    JSONLD = "jsonld"


Agent = Annotated[str, typer.Option("--agent", help="The agent's id.")]


def add_to(program: typer.Typer) -> None:
    """Add these commands."""
    group = group_of(program, "graph", "What links whom and what memories are about.")

    @command(group, "show", "graphs.show")
    def _show(
        name: Annotated[str, typer.Argument(metavar="NAME", help="Whom or what, by any name.")],
        agent: Agent,
        depth: Annotated[int, typer.Option("--depth", min=1, max=3, help="How many steps to walk at most.")] = 1,
    ) -> None:
        """Show what is said of somebody or something, and what that links to."""

    @command(group, "path", "graphs.path")
    def _path(
        one: Annotated[str, typer.Argument(metavar="NAME", help="Where to begin.")],
        other: Annotated[str, typer.Argument(metavar="OTHER", help="Where to arrive.")],
        agent: Agent,
    ) -> None:
        """Show a shortest way from one to another, over at most six memories."""

    @command(group, "communities", "graphs.communities")
    def _communities(agent: Agent) -> None:
        """Show who and what belong together, and what is said of each community."""

    @command(group, "rebuild", "graphs.rebuild")
    def _rebuild(agent: Agent) -> None:
        """Find anew who and what belong together. Communities that stay as they are keep their summaries."""

    @command(group, "export", "graphs.export")
    def _export(
        file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")],
        agent: Agent,
        form: Annotated[Form, typer.Option("--format", help="What to write it as.")] = Form.GRAPHML,
        force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    ) -> None:
        """Write what an agent holds to be true as a graph, for programs that draw or query one."""

    @command(group, "entities", "graphs.entities")
    def _entities(agent: Agent) -> None:
        """List whom and what memories are about, with all names, the most often mentioned first."""

    @command(group, "merge", "graphs.merge")
    def _merge(
        one: Annotated[str, typer.Argument(metavar="ONE", help="The name that stays.")],
        other: Annotated[str, typer.Argument(metavar="OTHER", help="The name that leads on to it from now on.")],
        agent: Agent,
    ) -> None:
        """Make two entities one; `undo` takes it back."""

    @command(group, "split", "graphs.split")
    def _split(
        name: Annotated[str, typer.Argument(metavar="NAME", help="A name that was merged into another entity.")],
        agent: Agent,
    ) -> None:
        """Let a merged name stand for its own again; nothing merges it with the same entity by itself any more."""
