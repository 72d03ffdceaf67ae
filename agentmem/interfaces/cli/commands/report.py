"""report: all that an agent holds about one person, for that person.

What holds and what ended, how each memory became what it is, and that person's own words it rests on. What others said
stands in it as far as it is remembered of that person.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.options import Agent, Force
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import scope_of
from agentmem.language.safe_text import safe_json

if TYPE_CHECKING:
    from agentmem.domain.memory import MemoryNode
    from agentmem.domain.scope import Scope
    from agentmem.runtime.facade.app import App


async def report(
    session: CommandSession,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it, as JSON.")],
    agent: Agent,
    about: Annotated[str, typer.Option("--about", help="Whom it is about, by name or alias.")],
    force: Force = False,
) -> Answer:
    """Write all that an agent holds about one person, with its history, into a file for that person."""
    import asyncio

    from agentmem.ledger.listing import ALL
    from agentmem.ports.ledger import Selection

    async with session.opened(index=False) as app:
        scope = await scope_of(app, agent, about)
        nodes = await app.memories(Selection(scope, limit=ALL))
        quotes = await app.words(nodes, said_to=scope.target)
        told = [await _told(app, node) | {"words": [quote.text for quote in quotes[node.memory_id]]} for node in nodes]
        kept = [await _told(app, node) for node in await _records(app, scope)]
        made = app.clock.now()
    whole = {"agentId": agent, "about": about, "madeAt": made.isoformat(), "memories": told, "records": kept}
    await asyncio.to_thread(_write, file, whole, force=force)
    data = {"file": str(file), "about": about, "memories": len(told)}
    return Answer(data, [words(f"{file}: {len(told)} memories about {about}")])


async def _records(app: App, scope: Scope) -> list[MemoryNode]:
    """What is kept beside the memories, and states nothing."""
    from agentmem.domain.memory import MemoryType, RecordType
    from agentmem.ledger.listing import ALL
    from agentmem.ports.ledger import Selection

    layer, records = (MemoryType.LONGTERM,), (RecordType.DOCUMENT, RecordType.SESSION_ITEM)
    listed = [await app.memories(Selection(scope, layer, limit=ALL, record=record)) for record in records]
    return [node for page in listed for node in page]


async def _told(app: App, node: MemoryNode) -> dict[str, object]:
    """A memory with its history, but for what was forgotten."""
    history = await app.records.history(node.memory_id, forgotten=False)
    return {
        "memory": node.model_dump(mode="json"),
        "history": [entry.model_dump(mode="json") for entry in history],
    }


def _write(file: Path, whole: object, *, force: bool) -> None:
    from agentmem.agents.bundle.atomic_file import draft

    with draft(file, force=force) as out:
        out.write(safe_json(json.dumps(whole, ensure_ascii=False, indent=1)).encode() + b"\n")
