"""ingest: documents into long-term memory."""

from collections.abc import Sequence
from pathlib import Path

from agentmem.domain.scope import Scope
from agentmem.interfaces.cli.actions.speech import open_for_writing
from agentmem.interfaces.cli.exits import BAD_INPUT, DONE
from agentmem.interfaces.cli.lookup import introduced_agent
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.runtime.ingesting import Ingested

# So many files are named on a terminal; `--json` names all.
NAMED = 20


async def ingest(session: Session, *, paths: Sequence[Path], agent: str, prune: bool) -> Answer:
    """Take in what is new; read it, unless another process holds the index and does that. A refused file makes the
    command fail after all others were taken in."""
    async with open_for_writing(session) as app:
        persona = await introduced_agent(app, agent)
        with session.terminal.counted("reading") as progress:
            told = await app.library.ingest(persona.id, paths, prune=prune, progress=progress)
        alone = app.opened is not None
        if alone:
            with session.terminal.busy("remembering"):
                await app.drain()
        depth = await app.upkeep.depth_of(Scope(app.tenant, persona.id))
    waiting = depth.ready + depth.delayed + depth.leased
    data = {
        "received": list(map(str, told.received)),
        "unchanged": list(map(str, told.unchanged)),
        "ended": told.ended,
        "refused": [{"path": str(item.path), "reason": item.reason} for item in told.refused],
        "leftOut": [{"path": str(path), "reason": reason} for path, reason in told.left_out],
        "processed": alone,
        "waiting": waiting,
    }
    lines = [words(item.reason, "red") for item in told.refused[:NAMED]]
    if len(told.refused) > NAMED:
        lines.append(words(f"and {len(told.refused) - NAMED} more; --json names all", "red"))
    lines += [words(f"{path}: left out: {reason}", "dim") for path, reason in told.left_out[:NAMED]]
    if len(told.left_out) > NAMED:
        lines.append(words(f"and {len(told.left_out) - NAMED} more left out; --json names all", "dim"))
    later = "" if alone else "; the process that holds the index reads them"
    return Answer(data, [*lines, words(_summary(told) + later)], BAD_INPUT if told.refused else DONE)


def _summary(told: Ingested) -> str:
    counts = {
        "taken in": len(told.received),
        "unchanged": len(told.unchanged),
        "gone and ended": len(told.ended),
        "refused": len(told.refused),
        "left out": len(told.left_out),
    }
    shown = [f"{count} {name}" for name, count in counts.items() if count or name == "taken in"]
    return ", ".join(shown)
