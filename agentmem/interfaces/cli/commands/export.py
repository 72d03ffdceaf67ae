"""export, import: an agent into a file and out of one; what left, what came, and what was left behind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import ConsoleRenderable

from agentmem.errors import AlreadyThere, NotFound
from agentmem.interfaces.cli.command_context import CommandSession, drain_if_indexed, handed_over
from agentmem.interfaces.cli.exits import Misuse
from agentmem.interfaces.cli.memory_view import plain_table
from agentmem.interfaces.cli.options import Force
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import known_agent
from agentmem.interfaces.wire import imported_data

if TYPE_CHECKING:
    from agentmem.agents.bundle.importing import Imported
    from agentmem.domain.persona import Persona
    from agentmem.runtime.configuration.settings import Settings
    from agentmem.runtime.facade.app import App

_FORMS = {".zip": "bundle", ".md": "markdown", ".markdown": "markdown", ".json": "card"}
_MAX_NAMED = 5


@handed_over
async def export(
    session: CommandSession,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent's id.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    form: Annotated[
        Literal["bundle", "markdown", "card"] | None,
        typer.Option(
            "--format",
            help="A bundle, to be imported whole (FILE.zip); Markdown to read (FILE.md); a card (FILE.json).",
        ),
    ] = None,
    sign: Annotated[
        Path | None, typer.Option("--sign", metavar="KEYFILE", help="Sign the bundle with this private key.")
    ] = None,
    force: Force = False,
) -> Answer:
    """Write an agent into a file, with all it knows and how it came to know it."""
    chosen = form or _FORMS.get(file.suffix.lower())
    if chosen is None:
        raise Misuse(f"{file}: name the form with --format, or end the name in one of {', '.join(_FORMS)}")
    if sign is not None and chosen != "bundle":
        raise Misuse(f"--sign: only a bundle can be signed, and this is {chosen}")
    async with session.opened() as app:
        await known_agent(app, agent)
        data = await _exported(app, agent, file, chosen, sign, force=force)
    counts = ", ".join(f"{data[what]} {what}" for what in ("memories", "rows", "vectors") if data.get(what))
    return Answer({"file": str(file), "format": chosen, **data}, [words(f"{file}: {counts or 'no memories'}")])


async def _exported(
    app: App, agent: str, file: Path, form: str, sign: Path | None, *, force: bool
) -> dict[str, object]:
    match form:
        case "markdown":
            return {"memories": await app.bundles.export_markdown(agent, file, force=force)}
        case "card":
            return {"memories": await app.bundles.export_card(agent, file, force=force)}
        case _:
            done = await app.bundles.export(agent, file, sign=sign, force=force)
            return {"memories": done.memories, "rows": done.rows, "vectors": done.vectors, "digest": done.digest}


@handed_over
async def import_(
    session: CommandSession,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A bundle; or Letta .af, Character Card (JSON, PNG), Mem0 or ChatGPT JSON."
        ),
    ],
    agent: Annotated[str | None, typer.Option("--as", metavar="ID", help="The new agent's id.")] = None,
    signer: Annotated[
        Path | None,
        typer.Option("--signer", metavar="PUBKEY", help="Trust the bundle, which must bear this key's signature."),
    ] = None,
    person: Annotated[
        str, typer.Option("--person", help="Who the user is, in files that do not name theirs.")
    ] = "user",
    accept_instructions: Annotated[
        bool,
        typer.Option("--accept-instructions", help="Take over what files of other systems order a model to do."),
    ] = False,
) -> Answer:
    """Make an agent of a file. What the file asks for beyond words is left behind, and told."""
    async with session.opened() as app:
        try:
            done = await app.bundles.import_(
                file,
                agent_id=agent,
                signer=signer,
                person=person,
                persona=_prepared(session.settings, agent),
                accept_instructions=accept_instructions,
            )
        except AlreadyThere as error:
            raise AlreadyThere(f"{error}, with --as") from error
        await drain_if_indexed(app)
    return Answer(imported_data(done), _shown(done))


def _prepared(settings: Settings, agent: str | None) -> Persona | None:
    """The persona that a file of `personas/` gives the agent, if there is one."""
    from agentmem.runtime.configuration.personas import find_persona

    if agent is None:
        return None
    try:
        return find_persona(settings.personas, agent)
    except NotFound:
        return None


def _shown(done: Imported) -> list[ConsoleRenderable]:
    held = "trusted" if done.trusted else "untrusted"
    shown: list[ConsoleRenderable] = [
        words(f"{done.persona.id} ({done.persona.name}): {done.memories} memories from a {done.format} file, {held}")
    ]
    if done.dropped:
        table = plain_table("left behind", "how many", "of them")
        for what, count in done.dropped.items():
            names = done.names.get(what, [])
            more = ", …" if count > _MAX_NAMED and names else ""
            table.add_row(words(what), words(count), words(", ".join(names[:_MAX_NAMED]) + more))
        shown.append(table)
    return shown
