"""context: what an agent remembers, as a block for a prompt."""

from typing import Annotated, Literal

import typer

from agentmem.interfaces.cli.command_context import CommandSession, handed_over
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.options import About, Agent, AsOf, KnownAt
from agentmem.interfaces.cli.output import Answer
from agentmem.interfaces.cli.typed_names import scope_of, time_of
from agentmem.interfaces.wire import CONTEXT_HITS, context_data

HeadingLanguage = Literal["zh", "en"]
"""The languages a block is written in, named once more: the library is heavy to load."""


@handed_over
async def context(
    session: CommandSession,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What the prompt is about.")],
    agent: Agent,
    about: About = None,
    budget: Annotated[int, typer.Option("--budget", min=200, help="How many tokens at most.")] = 1_600,
    language: Annotated[
        HeadingLanguage | None, typer.Option("--language", help="Of its headings; the agent's own.")
    ] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> Answer:
    """Print what an agent remembers as a block for a prompt."""
    from agentmem.retrieval.query import RecallQuery

    then = time_of(as_of, "--as-of", session.settings)
    known = time_of(known_at, "--known-at", session.settings)
    with session.terminal.busy("searching"):
        async with session.opened() as app:
            scope = await scope_of(app, agent, about)
            with usage():
                question = RecallQuery(scope, query, CONTEXT_HITS, then, known)
                block = await app.context(question, language=language, budget=budget)
    return Answer(context_data(block, budget), text=block.text)
