"""say, recall, context, ask, memories, show, history, agents: what agents are told and what they know."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agentmem.interfaces.cli.invocation import command


class Tongue(StrEnum):
    """The languages a prompt block is written in."""

    ZH = "zh"
    EN = "en"


class Layer(StrEnum):
    """The layers, named once more: the domain costs a tenth of a second to load."""

    PERCEPTUAL = "perceptual"
    CONVERSATION = "conversation"
    OBSERVATION = "observation"
    INSIGHT = "insight"
    LONGTERM = "longterm"


class Ranking(StrEnum):
    """The profiles of ranking, named once more."""

    MEMORIES = "memories"
    VERBATIM = "verbatim"
    GENERATIVE = "generative"


class Way(StrEnum):
    """How an answer is looked for, named once more."""

    AUTO = "auto"
    VECTOR = "vector"
    LOCAL = "local"
    GLOBAL = "global"
    HYBRID = "hybrid"
    TRAVERSE = "traverse"
    TEMPORAL = "temporal"


Agent = Annotated[str, typer.Option("--agent", help="The agent's id.")]
About = Annotated[str | None, typer.Option("--about", help="Only what is known about this person, by name or alias.")]
Layers = Annotated[list[Layer] | None, typer.Option("--type", help="Only this layer; may be repeated.")]
AsOf = Annotated[str | None, typer.Option("--as-of", metavar="TIME", help="What was true then.")]
KnownAt = Annotated[str | None, typer.Option("--known-at", metavar="TIME", help="As known then.")]
Filters = Annotated[
    str | None,
    typer.Option(
        "--filter", metavar="JSON", help='Only what fits, such as \'{"importance": {"gte": 5}}\'; see the README.'
    ),
]
MemoryId = Annotated[str, typer.Argument(metavar="ID", help="A memory's id, or how it begins.")]


def add_to(program: typer.Typer) -> None:
    """Add these commands."""
    _telling(program)
    _asking(program)
    _listing(program)


def _telling(program: typer.Typer) -> None:
    @command(program, "say", "speech.say")
    def _say(
        agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent's id.")],
        text: Annotated[str, typer.Argument(metavar="TEXT", help="What was said.")],
        speaker: Annotated[str, typer.Option("--from", help="Who said it.")],
        title: Annotated[str | None, typer.Option("--title", help="What the speaker is, such as 软件工程师.")] = None,
        run: Annotated[str | None, typer.Option("--run", help="The conversation; today's, if not named.")] = None,
        end: Annotated[bool, typer.Option("--end", help="The conversation ends here, so it is read now.")] = False,
    ) -> None:
        """Record one turn of a conversation, without asking for a reply."""


def _asking(program: typer.Typer) -> None:
    @command(program, "recall", "recalling.recall")
    def _recall(
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
    ) -> None:
        """Search what an agent remembers."""

    @command(program, "context", "recalling.context")
    def _context(
        query: Annotated[str, typer.Argument(metavar="QUERY", help="What the prompt is about.")],
        agent: Agent,
        about: About = None,
        budget: Annotated[int, typer.Option("--budget", min=200, help="How many tokens at most.")] = 1_600,
        language: Annotated[Tongue | None, typer.Option("--language", help="Of its headings; the agent's own.")] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> None:
        """Print what an agent remembers as a block for a prompt."""

    @command(program, "ask", "asking.ask")
    def _ask(
        question: Annotated[str, typer.Argument(metavar="QUESTION", help="What to answer.")],
        agent: Agent,
        about: About = None,
        mode: Annotated[Way, typer.Option("--mode", help="How to look for the answer.")] = Way.AUTO,
        limit: Annotated[int, typer.Option("-k", min=1, max=50, help="How many memories to look at.")] = 8,
        depth: Annotated[int, typer.Option("--depth", min=1, max=3, help="How many steps to walk at most.")] = 2,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        choice: Annotated[
            list[str] | None, typer.Option("--choice", help="An answer to choose from; given twice or more.")
        ] = None,
        explain: Annotated[bool, typer.Option("--explain", help="Show the steps to the answer.")] = False,
    ) -> None:
        """Answer a question from what an agent remembers, with its sources."""


def _listing(program: typer.Typer) -> None:
    @command(program, "memories", "listing.memories")
    def _memories(
        agent: Agent,
        about: About = None,
        types: Layers = None,
        everything: Annotated[bool, typer.Option("--all", help="Also ended, superseded and deleted ones.")] = False,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        filters: Filters = None,
        limit: Annotated[int | None, typer.Option("--limit", min=1, help="How many at most; else all.")] = None,
        after: Annotated[
            str | None, typer.Option("--after", metavar="CURSOR", help="Go on behind a page that had this cursor.")
        ] = None,
    ) -> None:
        """List what an agent remembers, newest first."""

    @command(program, "show", "listing.show")
    def _show(memory: MemoryId, known_at: KnownAt = None) -> None:
        """Show one memory with the words it rests on."""

    @command(program, "history", "listing.history")
    def _history(memory: MemoryId) -> None:
        """Show every change of one memory."""

    @command(program, "report", "reporting.report")
    def _report(
        file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it, as JSON.")],
        agent: Agent,
        about: Annotated[str, typer.Option("--about", help="Whom it is about, by name or alias.")],
        force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    ) -> None:
        """Write all that an agent holds about one person, with its history, into a file for that person."""

    @command(program, "agents", "listing.agents")
    def _agents() -> None:
        """List the agents of the tenant, and what was made from whom."""
