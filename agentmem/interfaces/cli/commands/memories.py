"""memories: what an agent remembers, listed. The journal is enough for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import ConsoleRenderable

from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.memory_view import memory_list
from agentmem.interfaces.cli.options import About, Agent, AsOf, Filters, KnownAt, Layers
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import filter_of, note_unknown, scope_of, time_of
from agentmem.interfaces.wire import page_data

if TYPE_CHECKING:
    from agentmem.ledger.listing import Page

MAX_SHOWN = 500
"""Memories on a terminal; `--json` prints all."""

NO_LIMIT = 2**31 - 1


async def memories(
    session: CommandSession,
    agent: Agent,
    about: About = None,
    types: Layers = None,
    everything: Annotated[bool, typer.Option("--all", help="Also ended, superseded and deleted ones.")] = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    filters: Filters = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="How many at most; else all.")] = None,
    after: Annotated[
        str | None, typer.Option("--after", metavar="CURSOR", help="Go on after a page that had this cursor.")
    ] = None,
) -> Answer:
    """List what an agent remembers, newest first."""
    from agentmem.domain.memory import MemoryType
    from agentmem.ledger.listing import place_at
    from agentmem.ports.ledger import Selection

    then = time_of(as_of, "--as-of", session.settings)
    known = time_of(known_at, "--known-at", session.settings)
    wanted = filter_of(filters, "--filter")
    with usage():
        place = None if after is None else place_at(after)
    layers = tuple(MemoryType(name) for name in types or ())
    async with session.opened(index=False) as app:
        scope = await scope_of(app, agent, about)
        selection = Selection(scope, layers, after=place, limit=limit or NO_LIMIT, as_of=then, known_at=known)
        page = await app.memories(selection, valid=not everything, wanted=wanted)
    if not page.memories:
        note_unknown(wanted, session.terminal)
    return Answer(page_data(page), _shown(page))


def _shown(page: Page) -> list[ConsoleRenderable]:
    nodes = page.memories
    if not nodes:
        return [words("nothing is remembered")]
    notes: list[ConsoleRenderable] = []
    if len(nodes) > MAX_SHOWN:
        rest = f"\n{len(nodes) - MAX_SHOWN} more; narrow with --about and --type, or take all with --json"
        notes.append(words(rest, "dim"))
    if page.next is not None:
        notes.append(words(f"\nmore: --after {page.next}", "dim"))
    return [memory_list(nodes[:MAX_SHOWN]), *notes]
