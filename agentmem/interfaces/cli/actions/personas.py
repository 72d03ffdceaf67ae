"""persona lint, persona show, persona diff, persona schema."""

import json
from collections.abc import Sequence
from pathlib import Path

from agentmem.domain.persona import Persona
from agentmem.errors import InvalidInput
from agentmem.interfaces.cli.exits import BAD_INPUT, DONE
from agentmem.interfaces.cli.lookup import known_agent
from agentmem.interfaces.cli.opening import opened
from agentmem.interfaces.cli.output import Answer, words
from agentmem.interfaces.cli.perform import Session
from agentmem.language.safe_text import safe_text
from agentmem.runtime.persona_lint import lint_persona
from agentmem.runtime.persona_view import differences, values_of
from agentmem.runtime.personas import find_persona, persona_file, persona_files
from agentmem.runtime.schemas import schema_of


async def lint(session: Session, *, files: Sequence[Path] | None, tools: bool) -> Answer:
    """Every problem of every file, each on a line however narrow the terminal; a file with one is an invalid input."""
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


async def show(session: Session, *, persona: str) -> Answer:
    """One persona, resolved."""
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


async def diff(session: Session, *, persona: str, other: str | None) -> Answer:
    """What differs: `persona` on the left, `other` on the right."""
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


async def schema(session: Session, *, kind: str) -> Answer:
    """The schema, as it is published."""
    found = schema_of(kind)
    return Answer(found, text=json.dumps(found, ensure_ascii=False, indent=2))


async def _registered(session: Session, agent: str) -> Persona:
    async with opened(session, index=False) as app:
        return await known_agent(app, agent)


def _told(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
