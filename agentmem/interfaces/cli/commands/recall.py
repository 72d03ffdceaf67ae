"""recall: search what an agent remembers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from agentmem.interfaces.cli.command_context import CommandSession, handed_over
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.memory_view import hit_list
from agentmem.interfaces.cli.options import About, Agent, AsOf, Filters, KnownAt, Layers
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import filter_of, note_unknown, scope_of, time_of
from agentmem.interfaces.wire import recalled_data

if TYPE_CHECKING:
    from agentmem.retrieval.query import Recalled, Words


Ranking = Literal["memories", "verbatim", "generative"]
"""The profiles of ranking, named once more: the library is heavy to load."""


@handed_over
async def recall(
    session: CommandSession,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    agent: Agent,
    about: About = None,
    limit: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many memories at most.")] = 10,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    types: Layers = None,
    filters: Filters = None,
    hops: Annotated[int, typer.Option("--hops", min=0, max=3, help="Also what shares keys, so many steps on.")] = 0,
    profile: Annotated[Ranking | None, typer.Option("--profile", help="How to rank.")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each score is made of.")] = False,
) -> Answer:
    """Search what an agent remembers."""
    from agentmem.domain.memory import MemoryType
    from agentmem.retrieval.query import RecallQuery

    then = time_of(as_of, "--as-of", session.settings)
    known = time_of(known_at, "--known-at", session.settings)
    wanted = filter_of(filters, "--filter")
    layers = tuple(MemoryType(name) for name in types or ())
    with session.terminal.busy("searching"):
        async with session.opened() as app:
            scope = await scope_of(app, agent, about)
            with usage():
                question = RecallQuery(scope, query, limit, then, known, layers, wanted, profile, hops=hops)
            found = await app.recall(question)
            spoken = await app.words([hit.memory for hit in found.hits])
    if not found.hits:
        note_unknown(wanted, session.terminal)
    return _answer(found, spoken, explain=explain)


def _answer(found: Recalled, spoken: Mapping[str, Sequence[Words]], *, explain: bool) -> Answer:
    data = recalled_data(found, spoken)
    listed = hit_list(found.hits, spoken, explain=explain)
    if not found.abstained:
        return Answer(data, [listed])
    if not found.hits:
        return Answer(data, [words("nothing that bears on this is remembered")])
    return Answer(data, [words("nothing that is remembered seems to answer this; nearest to it:"), listed])
