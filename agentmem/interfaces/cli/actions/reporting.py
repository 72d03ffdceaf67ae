"""report: all that an agent holds about one person, for that person."""

import asyncio
import json
from pathlib import Path

from agentmem.agents.bundle.draft import draft
from agentmem.domain.memory import MemoryNode
from agentmem.interfaces.cli.lookup import scope_of
from agentmem.interfaces.cli.opening import opened
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.language.safe_text import safe_json
from agentmem.runtime.app import App


async def report(session: Session, *, file: Path, agent: str, about: str, force: bool) -> Answer:
    """Everything about one person in a file: what holds and what ended, how each memory became what it is, and that
    person's own words it rests on. What others said stands in it as far as it is remembered of that person."""
    async with opened(session, index=False) as app:
        scope = await scope_of(app, agent, about)
        nodes = await app.records.all_in(scope)
        quotes = await app.words(nodes, said_to=scope.target)
        told = [await _told(app, node) | {"words": [quote.text for quote in quotes[node.memory_id]]} for node in nodes]
        made = app.clock.now()
    whole = {"agentId": agent, "about": about, "madeAt": made.isoformat(), "memories": told}
    await asyncio.to_thread(_write, file, whole, force=force)
    data = {"file": str(file), "about": about, "memories": len(told)}
    return Answer(data, [words(f"{file}: {len(told)} memories about {about}")])


async def _told(app: App, node: MemoryNode) -> dict[str, object]:
    history = await app.records.history(node.memory_id)
    return {
        "memory": node.model_dump(mode="json"),
        "history": [entry.model_dump(mode="json") for entry in history],
    }


def _write(file: Path, whole: object, *, force: bool) -> None:
    with draft(file, force=force) as out:
        out.write(safe_json(json.dumps(whole, ensure_ascii=False, indent=1)).encode() + b"\n")
