"""ask: a question answered, with its sources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import ConsoleRenderable

from agentmem.interfaces.cli.command_context import CommandSession, handed_over
from agentmem.interfaces.cli.exits import usage
from agentmem.interfaces.cli.memory_view import SHORT_ID, columns, moment
from agentmem.interfaces.cli.options import About, Agent, AsOf, KnownAt
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import scope_of, time_of
from agentmem.interfaces.wire import reply_data

if TYPE_CHECKING:
    from agentmem.answers.answer import AskReply, Source


AnswerMode = Literal["auto", "vector", "local", "global", "hybrid", "traverse", "temporal"]
"""How an answer is looked for, named once more: the library is heavy to load."""

MAX_QUOTED = 300
"""Characters that are told of a source."""


@handed_over
async def ask(
    session: CommandSession,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What to answer.")],
    agent: Agent,
    about: About = None,
    mode: Annotated[AnswerMode, typer.Option("--mode", help="How to look for the answer.")] = "auto",
    limit: Annotated[int, typer.Option("-k", min=1, max=50, help="How many memories to look at.")] = 8,
    depth: Annotated[int, typer.Option("--depth", min=1, max=3, help="How many steps to walk at most.")] = 2,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    choice: Annotated[
        list[str] | None, typer.Option("--choice", help="An answer to choose from; given twice or more.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show the steps to the answer.")] = False,
) -> Answer:
    """Answer a question from what an agent remembers, with its sources."""
    from agentmem.answers.answer import AskQuery

    then = time_of(as_of, "--as-of", session.settings)
    known = time_of(known_at, "--known-at", session.settings)
    with session.terminal.busy("looking"):
        async with session.opened() as app:
            scope = await scope_of(app, agent, about)
            with usage():
                query = AskQuery(scope, question, mode, limit, then, known, depth, tuple(choice or ()))
            reply = await app.ask(query)
    return Answer(reply_data(reply, choice or ()), _shown(reply, choice or (), explain=explain))


def _shown(reply: AskReply, choices: Sequence[str], *, explain: bool) -> list[ConsoleRenderable]:
    """The answer, what it rests on, and where that was asked the steps on the way."""
    if reply.text is None:
        shown: list[ConsoleRenderable] = [words("nothing that is remembered answers this")]
    else:
        made_of = "in the words of its sources" if reply.extractive else "in a model's words"
        shown = [words(reply.text), words(f"\n{made_of}; {reply.mode}, confidence {reply.confidence:.2f}", "dim")]
    if choices:
        right = f"({reply.choice}) {choices[reply.choice - 1]}" if reply.choice else "none of the choices"
        shown.insert(0, words(right, "bold"))
    table = columns(2)
    for source in reply.sources:
        table.add_row(words(f"[{source.number}]"), words(_line(source), "dim"))
    if reply.sources:
        shown.append(table)
    if explain:
        shown += [
            words(f"{step.kind}: {step.given} → {len(step.memory_ids)} memories {step.note}".rstrip(), "dim")
            for step in reply.trace
        ]
        shown += [words(line, "dim") for line in reply.graph]
    return shown


def _line(source: Source) -> str:
    """A source by its id: the words it rests on or, where nobody said any, what it says, under the title it has."""
    node, title = source.memory, source.memory.meta_data.get("title")
    said = "; ".join(f"{moment(part.at)} {part.speaker}: {part.text}" for part in source.words) or node.content
    told = said if len(said) <= MAX_QUOTED else f"{said[:MAX_QUOTED]}…"
    return f"{node.memory_id[:SHORT_ID]} {f'{title}: ' if isinstance(title, str) else ''}{told}"
