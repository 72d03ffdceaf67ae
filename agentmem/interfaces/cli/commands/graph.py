"""graph show, path, communities, rebuild, export, entities, merge, split: what links whom, and who is who."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer
from rich.text import Text

from agentmem.interfaces.cli.command_context import CommandSession, handed_over
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.options import Agent, Force
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import known_agent, scope_of
from agentmem.interfaces.wire import communities_data

if TYPE_CHECKING:
    from agentmem.domain.memory import MemoryNode
    from agentmem.graph.identity.by_hand import Settled
    from agentmem.runtime.facade.graphs import Community, Entity

MAX_SHOWN: Final = 12
"""Members of a community that are printed; `--json` has all."""


@handed_over
async def show(
    session: CommandSession,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whom or what, by any name.")],
    agent: Agent,
    depth: Annotated[int, typer.Option("--depth", min=1, max=3, help="How many steps to walk at most.")] = 1,
) -> Answer:
    """Show what is said of somebody or something, and what that links to."""
    async with session.opened() as app:
        scope = await scope_of(app, agent, None)
        lines = await app.graph.show(scope, name, hops=depth)
    return Answer({"name": name, "graph": lines}, [words(line) for line in lines])


@handed_over
async def path(
    session: CommandSession,
    one: Annotated[str, typer.Argument(metavar="NAME", help="Where to begin.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Where to arrive.")],
    agent: Agent,
) -> Answer:
    """Show a shortest way from one to another, over at most six memories."""
    async with session.opened() as app:
        scope = await scope_of(app, agent, None)
        trail = await app.graph.path(scope, one, other)
    if trail is None:
        return Answer({"names": [], "memories": []}, [words(f"nothing leads from {one!r} to {other!r}")])
    data = {"names": trail.names, "memories": [node.model_dump(mode="json") for node in trail.memories]}
    return Answer(data, [words(" → ".join(trail.names)), *(words(node.content, "dim") for node in trail.memories)])


async def communities(session: CommandSession, agent: Agent) -> Answer:
    """Show who and what belong together, and what is said of each community."""
    async with session.opened(index=False) as app:
        await known_agent(app, agent)
        return _listed(await app.graph.communities(agent))


async def rebuild(session: CommandSession, agent: Agent) -> Answer:
    """Find anew who and what belong together. Communities that stay as they are keep their summaries."""
    async with session.opened() as app:
        await known_agent(app, agent)
        await app.graph.rebuild(agent)
        await app.drain()
        return _listed(await app.graph.communities(agent))


def _listed(communities: Sequence[Community]) -> Answer:
    lines: list[Text] = []
    for community in communities:
        lines.append(
            words(f"{community.node.value} ({len(community.members)}: {', '.join(community.members[:MAX_SHOWN])})")
        )
        lines += [words(f"  {line}", "dim") for line in _said(community.node).splitlines()]
    return Answer(
        {"communities": communities_data(communities)}, lines or [words("nobody and nothing belong together yet")]
    )


def _said(community: MemoryNode) -> str:
    return community.content.removeprefix(f"{community.value}: ")


@handed_over
async def export(
    session: CommandSession,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")],
    agent: Agent,
    form: Annotated[Literal["graphml", "jsonld"], typer.Option("--format", help="What to write it as.")] = "graphml",
    force: Force = False,
) -> Answer:
    """Write what an agent holds to be true as a graph, for programs that draw or query one."""
    import asyncio

    from agentmem.graph.export import graphml, jsonld

    async with session.opened() as app:
        drawn = await app.graph.drawn(await scope_of(app, agent, None))
    await asyncio.to_thread(_write, file, graphml(drawn) if form == "graphml" else jsonld(drawn), force=force)
    data = {"file": str(file), "format": form, "entities": len(drawn.vertices), "links": len(drawn.edges)}
    return Answer(data, [words(f"{file}: {len(drawn.vertices)} entities, {len(drawn.edges)} links")])


@handed_over
async def entities(session: CommandSession, agent: Agent) -> Answer:
    """List whom and what memories are about, with all names, the most often mentioned first."""
    async with session.opened() as app:
        found = await app.graph.entities(await scope_of(app, agent, None))
    data = {"entities": [asdict(each) for each in found]}
    return Answer(data, [words(_line(each)) for each in found] or [words("nobody and nothing yet", "dim")])


@handed_over
async def merge(
    session: CommandSession,
    one: Annotated[str, typer.Argument(metavar="ONE", help="The name that stays.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The name that leads on to it from now on.")],
    agent: Agent,
) -> Answer:
    """Make two entities one; `undo` takes it back."""
    async with session.opened() as app:
        with usage():
            settled = await app.graph.merge(await scope_of(app, agent, None), one, other)
    return _settled(settled, f"{other} is {settled.one.value} now")


@handed_over
async def split(
    session: CommandSession,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name that was merged into another entity.")],
    agent: Agent,
) -> Answer:
    """Let a merged name stand for its own again; nothing merges it with the same entity by itself any more."""
    async with session.opened() as app:
        with usage():
            settled = await app.graph.split(await scope_of(app, agent, None), name)
    return _settled(settled, f"{settled.one.value} is not {settled.other.value} any more")


def _settled(settled: Settled, told: str) -> Answer:
    data = {"run": settled.run, "one": settled.one.memory_id, "other": settled.other.memory_id}
    return Answer(data, [words(told), words(f"agentmem undo {settled.run} takes it back", "dim")])


def _line(entity: Entity) -> str:
    aliases = f" ({', '.join(entity.aliases)})" if entity.aliases else ""
    return f"{entity.id[:8]}  {entity.mentions:>4}  {entity.kind:12}  {entity.name}{aliases}"


def _write(file: Path, text: str, *, force: bool) -> None:
    from agentmem.agents.bundle.atomic_file import draft

    with draft(file, force=force) as out:
        out.write(text.encode())
