"""memories, show, history, agents: looking without changing; the journal is enough for that."""

from collections.abc import Sequence

from agentmem.errors import NotFound
from agentmem.interfaces.cli.lookup import all_in, memory_called, scope_of
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.memory import history_list, memory_list, plain_table, whole_memory
from agentmem.runtime.app import open_app

# So many on a terminal; `--json` prints all.
SHOWN = 500


async def memories(
    session: Session, *, agent: str, about: str | None, types: Sequence[str] | None, everything: bool
) -> Answer:
    """What the agent remembers, newest first."""
    async with open_app(session.settings, index=False) as app:
        scope = await scope_of(app, agent, about)
        now = app.clock.now()
        nodes = [
            node
            for node in await all_in(app, scope)
            if (not types or node.memory_type in types) and (everything or node.is_valid(now))
        ]
    data = {"memories": [node.model_dump(mode="json") for node in nodes]}
    if not nodes:
        return Answer(data, [words("nothing is remembered")])
    rest = f"\n{len(nodes) - SHOWN} more; narrow with --about and --type, or take all with --json"
    return Answer(data, [memory_list(nodes[:SHOWN]), *([words(rest, "dim")] if len(nodes) > SHOWN else [])])


async def show(session: Session, *, memory: str) -> Answer:
    """One memory with the words it rests on."""
    async with open_app(session.settings, index=False) as app:
        node = await memory_called(app, memory)
        sources = await app.journal.ledger.get(node.tenant, node.source_ids)
    evidence = [
        {
            "memoryId": item.memory_id,
            "start": item.start,
            "end": item.end,
            "words": sources[item.memory_id].content[item.start : item.end],
            "speaker": sources[item.memory_id].speaker,
            "validAt": sources[item.memory_id].valid_at.isoformat(),
        }
        for item in node.evidence
        if item.memory_id in sources
    ]
    data = {
        "memory": node.model_dump(mode="json"),
        "evidence": evidence,
        "sources": [sources[key].model_dump(mode="json") for key in node.source_ids if key in sources],
    }
    return Answer(data, whole_memory(node, sources))


async def history(session: Session, *, memory: str) -> Answer:
    """Every change of one memory, oldest first."""
    async with open_app(session.settings, index=False) as app:
        node = await memory_called(app, memory)
        entries = await app.journal.ledger.history(node.tenant, node.memory_id)
    if not entries:
        raise NotFound(f"no history of {memory!r}")
    data = {"history": [entry.model_dump(mode="json") for entry in entries]}
    return Answer(data, [words(node.content, "bold"), history_list(entries)])


async def agents(session: Session) -> Answer:
    """The agents of the tenant."""
    async with open_app(session.settings, index=False) as app:
        personas = await app.journal.registry.agents(app.settings.tenant)
    table = plain_table("id", "language", "name")
    for persona in personas:
        table.add_row(words(persona.id), words(persona.language), words(persona.name))
    data = {"agents": [persona.model_dump(mode="json") for persona in personas]}
    return Answer(data, [table if personas else words("there are no agents yet")])
