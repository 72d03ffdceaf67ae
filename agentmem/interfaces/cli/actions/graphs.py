"""graph show, path, communities, rebuild, export, entities, merge, split."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final, Literal

from rich.text import Text

from agentmem.agents.bundle.draft import draft
from agentmem.domain.memory import MemoryNode
from agentmem.graph.export import graphml, jsonld
from agentmem.graph.identity.hand import Settled
from agentmem.interfaces.cli.lookup import known_agent, scope_of
from agentmem.interfaces.cli.opening import opened
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.runtime.graphs import Community, Entity

SHOWN: Final = 12
"""Members of a community that are printed; `--json` has all."""


async def show(session: Session, *, name: str, agent: str, depth: int) -> Answer:
    """What is around an entity."""
    async with opened(session) as app:
        scope = await scope_of(app, agent, None)
        lines = await app.graph.show(scope, name, hops=depth)
    return Answer({"name": name, "graph": lines}, [words(line) for line in lines])


async def path(session: Session, *, one: str, other: str, agent: str) -> Answer:
    """What leads from one to the other, or that nothing does."""
    async with opened(session) as app:
        scope = await scope_of(app, agent, None)
        trail = await app.graph.path(scope, one, other)
    if trail is None:
        return Answer({"names": [], "memories": []}, [words(f"nothing leads from {one!r} to {other!r}")])
    data = {"names": trail.names, "memories": [node.model_dump(mode="json") for node in trail.memories]}
    return Answer(data, [words(" → ".join(trail.names)), *(words(node.content, "dim") for node in trail.memories)])


async def communities(session: Session, *, agent: str) -> Answer:
    """The communities with their members."""
    async with opened(session, index=False) as app:
        await known_agent(app, agent)
        return _listed(await app.graph.communities(agent))


async def rebuild(session: Session, *, agent: str) -> Answer:
    """The communities as they are now."""
    async with opened(session) as app:
        await known_agent(app, agent)
        await app.graph.rebuild(agent)
        await app.drain()
        return _listed(await app.graph.communities(agent))


def _listed(communities: Sequence[Community]) -> Answer:
    data = [
        {
            "id": community.node.memory_id,
            "name": community.node.value,
            "members": community.members,
            "summary": community.node.content,
            "sources": community.node.source_ids,
        }
        for community in communities
    ]
    lines: list[Text] = []
    for community in communities:
        lines.append(
            words(f"{community.node.value} ({len(community.members)}: {', '.join(community.members[:SHOWN])})")
        )
        lines += [words(f"  {line}", "dim") for line in _said(community.node).splitlines()]
    return Answer({"communities": data}, lines or [words("nobody and nothing belong together yet")])


def _said(community: MemoryNode) -> str:
    return community.content.removeprefix(f"{community.value}: ")


async def export(
    session: Session, *, file: Path, agent: str, form: Literal["graphml", "jsonld"], force: bool
) -> Answer:
    """The graph in a file."""
    async with opened(session) as app:
        drawn = await app.graph.drawn(await scope_of(app, agent, None))
    await asyncio.to_thread(_write, file, graphml(drawn) if form == "graphml" else jsonld(drawn), force=force)
    data = {"file": str(file), "format": form, "entities": len(drawn.vertices), "links": len(drawn.edges)}
    return Answer(data, [words(f"{file}: {len(drawn.vertices)} entities, {len(drawn.edges)} links")])


async def entities(session: Session, *, agent: str) -> Answer:
    """Whom and what an agent's memories are about."""
    async with opened(session) as app:
        found = await app.graph.entities(await scope_of(app, agent, None))
    data = {"entities": [asdict(each) for each in found]}
    return Answer(data, [words(_line(each)) for each in found] or [words("nobody and nothing yet", "dim")])


async def merge(session: Session, *, one: str, other: str, agent: str) -> Answer:
    """Two entities made one."""
    async with opened(session) as app:
        settled = await app.graph.merge(await scope_of(app, agent, None), one, other)
    return _settled(settled, f"{other} is {settled.one.value} now")


async def split(session: Session, *, name: str, agent: str) -> Answer:
    """A name by itself again."""
    async with opened(session) as app:
        settled = await app.graph.split(await scope_of(app, agent, None), name)
    return _settled(settled, f"{settled.one.value} is not {settled.other.value} any more")


def _settled(settled: Settled, told: str) -> Answer:
    data = {"run": settled.run, "one": settled.one.memory_id, "other": settled.other.memory_id}
    return Answer(data, [words(told), words(f"agentmem undo {settled.run} takes it back", "dim")])


def _line(entity: Entity) -> str:
    aliases = f" ({', '.join(entity.aliases)})" if entity.aliases else ""
    return f"{entity.id[:8]}  {entity.mentions:>4}  {entity.kind:12}  {entity.name}{aliases}"


def _write(file: Path, text: str, *, force: bool) -> None:
    with draft(file, force=force) as out:
        out.write(text.encode())
