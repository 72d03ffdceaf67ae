"""persona lint, show, diff, schema: the files that say who an agent is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from agentmem.errors import InvalidInput
from agentmem.interfaces.cli.command_context import CommandSession
from agentmem.interfaces.cli.exits import BAD_INPUT, DONE
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.typed_names import known_agent
from agentmem.language.safe_text import safe_text

if TYPE_CHECKING:
    from agentmem.domain.persona import Persona

PersonaId = Annotated[str, typer.Argument(metavar="ID", help="The persona's id.")]


async def lint(
    session: CommandSession,
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="Persona files; all of them, if none is named.")
    ] = None,
    tools: Annotated[
        bool, typer.Option("--tools", help="Also import what the tools name, which runs its code.")
    ] = False,
) -> Answer:
    """Check persona files and show everything that is wrong with them."""
    from agentmem.runtime.configuration.persona_view import lint_persona
    from agentmem.runtime.configuration.personas import persona_files

    directory = session.settings.personas
    if not files and not directory.is_dir():
        raise InvalidInput(f"personas: no such directory {str(directory)!r}")
    paths = files or [*persona_files(directory)]
    found = {path: lint_persona(path, tools=tools) for path in paths}
    data = {"files": [{"path": str(path), "problems": problems} for path, problems in found.items()]}
    lines = [problem for problems in found.values() for problem in problems]
    wrong = sum(1 for problems in found.values() if problems)
    count = f"{len(found)} persona file{'' if len(found) == 1 else 's'}"
    summary = f"{count}, {wrong} with problems" if wrong else f"{count}, no problems"
    return Answer(data, text="\n".join((*lines, summary)), code=BAD_INPUT if wrong else DONE)


async def show(session: CommandSession, persona: PersonaId) -> Answer:
    """Show a persona in full, and where each value comes from."""
    from agentmem.runtime.configuration.persona_view import values_of
    from agentmem.runtime.configuration.personas import find_persona, persona_file

    path = persona_file(session.settings.personas, persona)
    values = values_of(path)
    lines = [
        words(value.key, "bold")
        .append(f": {safe_text(_told(value.value))}", "not bold")
        .append(f"  ({safe_text(value.origin)})", "not bold dim")
        for value in values
    ]
    data = {
        "persona": find_persona(session.settings.personas, persona).model_dump(mode="json", by_alias=False),
        "values": [{"key": value.key, "value": value.value, "from": value.origin} for value in values],
    }
    return Answer(data, lines)


async def diff(
    session: CommandSession,
    persona: PersonaId,
    other: Annotated[
        str | None, typer.Argument(metavar="[OTHER]", help="Another persona; the registered agent, if not named.")
    ] = None,
) -> Answer:
    """Show in what two personas differ, or a persona's file and the agent as it is registered."""
    from agentmem.runtime.configuration.persona_view import differences
    from agentmem.runtime.configuration.personas import find_persona

    first = find_persona(session.settings.personas, persona)
    second = find_persona(session.settings.personas, other) if other else await _registered(session, persona)
    names = (persona, other) if other else ("file", "registered")
    found = differences(first, second)
    lines = [
        line
        for item in found
        for line in (
            words(item.key, "bold"),
            words(f"  {names[0]}: {_told(item.left)}", "red"),
            words(f"  {names[1]}: {_told(item.right)}", "green"),
        )
    ]
    data = {
        "left": names[0],
        "right": names[1],
        "differences": [{"key": item.key, "left": item.left, "right": item.right} for item in found],
    }
    return Answer(data, lines or [words(f"{names[0]} and {names[1]} say the same")])


async def schema(
    session: CommandSession,
    kind: Annotated[Literal["persona", "scenario", "config"], typer.Argument(help="Of which files.")] = "persona",
) -> Answer:
    """Print the JSON Schema of persona, scenario or configuration files, for editors."""
    from agentmem.runtime.configuration.persona_view import schema_of

    found = schema_of(kind)
    return Answer(found, text=json.dumps(found, ensure_ascii=False, indent=2))


async def _registered(session: CommandSession, agent: str) -> Persona:
    async with session.opened(index=False) as app:
        return await known_agent(app, agent)


def _told(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
