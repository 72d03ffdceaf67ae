"""memories, show, history, agents: looking without changing; the journal is enough for that."""

from collections.abc import Sequence

from rich.console import ConsoleRenderable

from agentmem.domain.memory import MemoryType
from agentmem.errors import NotFound
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.lookup import filter_of, memory_called, scope_of, time_of
from agentmem.interfaces.cli.opening import opened
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.interfaces.cli.views.lineage import agents_data, agents_table
from agentmem.interfaces.cli.views.memory import history_list, memory_list, whole_memory
from agentmem.ledger.listing import Page, place_at
from agentmem.ports.ledger import Selection

# So many on a terminal; `--json` prints all.
SHOWN = 500
NO_LIMIT = 2**31 - 1


async def memories(
    session: Session,
    *,
    agent: str,
    about: str | None,
    types: Sequence[str] | None,
    everything: bool,
    as_of: str | None,
    known_at: str | None,
    filters: str | None,
    limit: int | None,
    after: str | None,
) -> Answer:
    """What the agent remembers, newest first."""
    then = time_of(as_of, "--as-of", session.settings)
    known = time_of(known_at, "--known-at", session.settings)
    wanted = filter_of(filters, "--filter")
    with usage():
        place = None if after is None else place_at(after)
    layers = tuple(MemoryType(name) for name in types or ())
    async with opened(session, index=False) as app:
        scope = await scope_of(app, agent, about)
        selection = Selection(scope, layers, after=place, limit=limit or NO_LIMIT, as_of=then, known_at=known)
        page = await app.page(selection, everything=everything, wanted=wanted)
    data = {"memories": [node.model_dump(mode="json") for node in page.memories], "next": page.next}
    return Answer(data, _shown(page))


def _shown(page: Page) -> list[ConsoleRenderable]:
    nodes = page.memories
    if not nodes:
        return [words("nothing is remembered")]
    notes: list[ConsoleRenderable] = []
    if len(nodes) > SHOWN:
        rest = f"\n{len(nodes) - SHOWN} more; narrow with --about and --type, or take all with --json"
        notes.append(words(rest, "dim"))
    if page.next is not None:
        notes.append(words(f"\nmore: --after {page.next}", "dim"))
    return [memory_list(nodes[:SHOWN]), *notes]


async def show(session: Session, *, memory: str, known_at: str | None) -> Answer:
    """One memory with the words it rests on."""
    known = time_of(known_at, "--known-at", session.settings)
    async with opened(session, index=False) as app:
        node = await memory_called(app, memory, known_at=known, forgotten=True)
        sources = await app.records.get(node.source_ids, known_at=known)
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
    async with opened(session, index=False) as app:
        node = await memory_called(app, memory, forgotten=True)
        entries = await app.records.history(node.memory_id)
    if not entries:
        raise NotFound(f"no history of {memory!r}")
    data = {"history": [entry.model_dump(mode="json") for entry in entries]}
    return Answer(data, [words(node.content, "bold"), history_list(entries)])


async def agents(session: Session) -> Answer:
    """The agents of the tenant, and what was made from whom."""
    tenant = session.settings.tenant
    async with opened(session, index=False) as app:
        personas = await app.records.agents()
        lineages = await app.copies.lineages()
    shown = agents_table(tenant, personas, lineages) if personas else words("there are no agents yet")
    return Answer({"agents": agents_data(tenant, personas, lineages)}, [shown])
